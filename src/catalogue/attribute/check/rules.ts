/** The attribute rules of a product (contract section 8): pure, every violated rule at once. */
import type { Day } from '../../../clock.ts';
import type { Problem } from '../../../errors.ts';
import { shown } from '../../../validation/shown.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import { Findings } from './findings.ts';
import type { AttributeLists, ListName, Modalidade } from '../words/model.ts';
import { MODALITY_BITS, type PreparedNcm, dayNumber } from './prepare.ts';
import { type AttributeItem, checkScope } from './scope-check.ts';

/**
 * Every rule that the attributes of a product violate, none when it is valid. `prepared` is `undefined` for an NCM that is
 * not in the table in force; `ncm` then names it. Without a table there is nothing to check and nothing to call.
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
  const whole = {
    words: { of: `da NCM ${prepared.ncm}`, modalidade, otherObjectives: prepared.otherObjectives },
    group: undefined,
  };
  checkScope(prepared.scope, entriesOf(lists), situation, whole, findings);
  return findings.problems;
}

/** `note`: what else there is to know of the table. */
export const unknownNcm = (ncm: string | undefined, note = ''): Problem => ({
  code: ATTRIBUTE_CODES.unknownNcm.code,
  message: `ncm: recebido ${ncm === undefined ? 'um código' : shown(ncm)}, que não está na tabela de atributos em vigor; informe uma NCM da tabela.${note}`,
  field: 'ncm',
  path: '/ncm',
});

const entriesOf = (lists: AttributeLists): AttributeItem[] => [
  ...itemsIn('atributos', lists.atributos, ({ valor }) => [valor]),
  ...itemsIn('atributosMultivalorados', lists.atributosMultivalorados, ({ valores }) => valores),
  ...itemsIn('atributosCompostos', lists.atributosCompostos, undefined, ({ valores }) => [valores]),
  ...itemsIn(
    'atributosCompostosMultivalorados',
    lists.atributosCompostosMultivalorados,
    undefined,
    ({ valores }) => valores,
  ),
];

const itemsIn = <Item extends { readonly atributo: string }>(
  list: ListName,
  items: readonly Item[],
  valuesOf?: (item: Item) => AttributeItem['values'],
  groupsOf?: (item: Item) => AttributeItem['groups'],
): AttributeItem[] =>
  items.map((item, index) => ({
    list,
    around: `/${list}`,
    index,
    atributo: item.atributo,
    values: valuesOf?.(item),
    groups: groupsOf?.(item),
  }));
