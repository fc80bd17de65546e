/** The attribute rules of a product (contract section 8): pure, every violated rule at once. */
import type { Day } from '../../../clock.ts';
import type { Problem } from '../../../errors.ts';
import { shown } from '../../../validation/shown.ts';
import { ATTRIBUTE_CODES } from '../words/codes.ts';
import { Findings } from './findings.ts';
import type { AttributeLists, Modalidade } from '../words/model.ts';
import { MODALITY_BITS, type PreparedNcm, dayNumber } from './prepare.ts';
import { AttributeItem, checkScope } from './scope-check.ts';

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

function entriesOf(lists: AttributeLists): AttributeItem[] {
  const entries: AttributeItem[] = [];
  lists.atributos.forEach(({ atributo, valor }, index) =>
    entries.push(new AttributeItem('atributos', '/atributos', index, atributo, [valor], undefined)),
  );
  lists.atributosMultivalorados.forEach(({ atributo, valores }, index) =>
    entries.push(
      new AttributeItem(
        'atributosMultivalorados',
        '/atributosMultivalorados',
        index,
        atributo,
        valores,
        undefined,
      ),
    ),
  );
  lists.atributosCompostos.forEach(({ atributo, valores }, index) =>
    entries.push(
      new AttributeItem('atributosCompostos', '/atributosCompostos', index, atributo, undefined, [valores]),
    ),
  );
  lists.atributosCompostosMultivalorados.forEach(({ atributo, valores }, index) =>
    entries.push(
      new AttributeItem(
        'atributosCompostosMultivalorados',
        '/atributosCompostosMultivalorados',
        index,
        atributo,
        undefined,
        valores,
      ),
    ),
  );
  return entries;
}
