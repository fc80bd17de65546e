/**
 * Checks the attribute rules of a product (contract section 8): pure, reports every violated rule at once.
 */
import type { Day } from '../../../clock.ts';
import { type Problem, withLabel } from '../../../errors.ts';
import { formatValue } from '../../../validation/format-value.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import { Findings } from './findings.ts';
import type { AttributeLists, ListName, Modalidade } from '../words/model.ts';
import { MODALITY_BITS, type PreparedNcm, dayNumber } from './prepare.ts';
import { type AttributeItem, checkScope } from './scope-check.ts';

/**
 * Returns every rule that the attributes of a product violate; none when it is valid.
 * `prepared`: `undefined` when the table in force has no such NCM; the problem then names `ncm`.
 * Callers must not call it without a table in force.
 */
export function check(
  prepared: PreparedNcm | undefined,
  day: Day,
  modalidade: Modalidade,
  lists: AttributeLists,
  ncm?: string,
): Problem[] {
  if (prepared === undefined) return [unknownNcm(ncm)];
  const findings = new Findings();
  const situation = { day: dayNumber(day), modalities: MODALITY_BITS[modalidade] };
  const product = {
    words: {
      inNcmOrCompound: `da NCM ${prepared.ncm}`,
      modalidade,
      otherObjectives: prepared.otherObjectives,
    },
    group: undefined,
  };
  checkScope(prepared.scope, entriesOf(lists), situation, product, findings);
  return findings.problems;
}

/** `note`: an additional remark on the table. */
export const unknownNcm = (ncm: string | undefined, note = ''): Problem => ({
  code: ATTRIBUTE_CODES.unknownNcm.code,
  ...withLabel(
    'ncm',
    `recebido ${ncm === undefined ? 'um código' : formatValue(ncm)}, que não está na tabela de atributos em vigor; informe uma NCM da tabela.${note}`,
  ),
  field: 'ncm',
  path: '/ncm',
});

function entriesOf(lists: AttributeLists): AttributeItem[] {
  const items: AttributeItem[] = [];
  const add = (
    list: ListName,
    index: number,
    atributo: string,
    values: AttributeItem['values'],
    groups?: AttributeItem['groups'],
  ): void => void items.push({ list, listPointer: `/${list}`, index, atributo, values, groups });
  const { atributos, atributosMultivalorados, atributosCompostos, atributosCompostosMultivalorados } = lists;
  atributos.forEach(({ atributo, valor }, index) => add('atributos', index, atributo, [valor]));
  atributosMultivalorados.forEach(({ atributo, valores }, index) =>
    add('atributosMultivalorados', index, atributo, valores),
  );
  atributosCompostos.forEach(({ atributo, valores }, index) =>
    add('atributosCompostos', index, atributo, undefined, [valores]),
  );
  atributosCompostosMultivalorados.forEach(({ atributo, valores }, index) =>
    add('atributosCompostosMultivalorados', index, atributo, undefined, valores),
  );
  return items;
}
