/**
 * Checks sizes and forms of attributes that are addressed by code, independent of their lists: the same
 * checks as for a request (contract sections 3 and 4).
 */
import type { Problem } from '../../errors.ts';
import { PROBLEMS_MAX, decode } from '../../validation/decode.ts';
import { escaped } from '../../pointer.ts';
import { asSchema } from '../../validation/schema.ts';
import { formatValue } from '../../validation/format-value.ts';
import { MultivaluedAttribute, MultivaluedCompoundAttribute } from './model.ts';
import type { AttributeContent } from './patch.ts';

const VALUES = asSchema(MultivaluedAttribute);
const GROUPS = asSchema(MultivaluedCompoundAttribute);

/** `attributesPath`: the JSON pointer to the attributes. */
export function attributeFormProblems(
  attributes: Iterable<readonly [codigo: string, AttributeContent]>,
  attributesPath: string,
): Problem[] {
  const problems: Problem[] = [];
  for (const [codigo, content] of attributes) {
    if (problems.length >= PROBLEMS_MAX) break;
    problems.push(...problemsOf(codigo, content, `${attributesPath}/${escaped(codigo)}`));
  }
  return problems;
}

/** A blank value counts as absent. */
function problemsOf(codigo: string, { values, groups }: AttributeContent, pointer: string): Problem[] {
  const filledGroups = groups.map((group) =>
    Object.entries(group)
      .filter(([, valor]) => isFilled(valor))
      .map(([atributo, valor]) => ({ atributo, valor })),
  );
  const { problems } =
    groups.length === 0
      ? decode(VALUES, { atributo: codigo, valores: values.filter(isFilled) })
      : decode(GROUPS, { atributo: codigo, valores: filledGroups });
  return problems.map((problem) => {
    const { code, message, path } = problem;
    const [, , group, index] = (path ?? '').split('/');
    const part = filledGroups[Number(group)]?.[Number(index)]?.atributo;
    return {
      code,
      field: 'atributos',
      about: { attribute: part ?? codigo },
      path: part === undefined ? pointer : `${pointer}/${escaped(part)}`,
      message: path?.endsWith('/atributo') === true ? message : `${formatValue(part ?? codigo)}: ${message}`,
    };
  });
}

const isFilled = (value: string): boolean => value.trim() !== '';
