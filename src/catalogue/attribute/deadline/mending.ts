/**
 * Lists the values that products lack for future requirements, as problems for the list of products to correct.
 */
import type { Db } from '../../../db/open.ts';
import type { ItemProblem, RuleCode } from '../../../errors.ts';
import { attributeMember } from '../../members/product.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import type { AttributeRequirement, NcmRequirement, ClaimPosition, Requirement } from './requirements.ts';
import { productsWithRequirements } from './deadlines.ts';
import type { DeadlineFilter } from './model.ts';

/** Yields problems by product code, soonest first; `''` lets other reads run. */
export function* dueProblems(
  db: Db,
  filter: DeadlineFilter,
): Generator<string, ReadonlyMap<number, readonly ItemProblem[]>> {
  const problems = new Map<number, readonly ItemProblem[]>();
  for (const product of productsWithRequirements(db, filter))
    if (product === undefined) yield '';
    else if (product.missing.length > 0)
      problems.set(product.codigo, product.missing.toSorted((a, b) => (a.on < b.on ? -1 : 1)).map(problemOf));
  return problems;
}

function problemOf(requirement: Requirement): ItemProblem {
  return requirement.codigo === null ? endOf(requirement) : lackOf(requirement);
}

const endOf = ({ on }: NcmRequirement): ItemProblem => ({
  code: ATTRIBUTE_CODES.unknownNcm.code,
  message: `A NCM não vale mais a partir de ${on}; informe outra.`,
  path: '/ncm',
  heading: 'NCM',
  member: 'ncm',
});

function lackOf({ on, kind, codigo, nome, positions: [position] }: AttributeRequirement): ItemProblem {
  const compound = position?.compound?.attribute.codigo;
  const requirement =
    kind === 'certain'
      ? `exigido a partir de ${on}`
      : `anunciado como exigido a partir de ${on}, se a tabela pública confirmar`;
  return {
    code: ruleOf(position).code,
    message: `Atributo ${codigo} (${nome}): não informado, e ${requirement}.`,
    path: '',
    heading: nome,
    member: compound === undefined ? attributeMember(codigo) : attributeMember(compound, codigo),
    about: { attribute: codigo },
  };
}

/** Returns the rule that will be violated. */
function ruleOf(position: ClaimPosition | undefined): RuleCode {
  if (position?.claim.parent !== undefined) return ATTRIBUTE_CODES.conditionalMissing;
  return position?.compound === undefined
    ? ATTRIBUTE_CODES.requiredMissing
    : ATTRIBUTE_CODES.subattributeMissing;
}
