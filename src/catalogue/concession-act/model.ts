/**
 * Concession act of a special regime, for a product (contract section 4; the public interface of 2021-2023).
 */
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { form, formOf } from '../../validation/forms.ts';
import { ACT } from '../members/concession-act.ts';
import type { MemberText } from '../record.ts';
import { SEQ_MAX, itemOptions, itemSeq } from '../model.ts';
import { Codigo } from '../product/model.ts';
import { t } from '../../validation/type.ts';

const code = ({ max, description, example }: (typeof ACT)['numeroAto' | 'numeroItem']) =>
  t.String({ minLength: 1, maxLength: max, 'x-code': true, description, examples: [example] });

export interface ConcessionAct {
  readonly codigoProduto: number;
  readonly numeroAto: string;
  readonly numeroItem: string;
}

/** Returns the members of an act, as a comparison shows them. */
export const actMembers = (
  act: Pick<ConcessionAct, 'numeroAto' | 'numeroItem'>,
): ReadonlyMap<string, MemberText> =>
  new Map(
    (['numeroAto', 'numeroItem'] as const).map((member) => [
      member,
      { heading: ACT[member].heading, text: act[member] },
    ]),
  );

/** Returns the schemas of the concession act under the profile's rules. */
export function concessionActSchemas(rules: CatalogueRules) {
  const cpfCnpjRaiz = companySchema(rules);
  const members = {
    codigoProduto: Codigo,
    cpfCnpjRaiz,
    numeroAto: code(ACT.numeroAto),
    numeroItem: code(ACT.numeroItem),
  };
  const Item = (maximum: number) =>
    formOf(itemOptions)('ConcessionActItem', 'Um item de um lote de atos concessórios.', {
      seq: itemSeq(maximum),
      ...members,
    });
  const Query = t.Object({ cpfCnpjRaiz, codigoProduto: t.Optional(Codigo) });
  const Response = form('ConcessionAct', 'Um item de ato concessório de um produto.', members);
  return { Query, Response, batch: Item(SEQ_MAX.batch), file: Item(SEQ_MAX.file) };
}

export type ConcessionActSchemas = ReturnType<typeof concessionActSchemas>;
export type ConcessionActItem = ConcessionActSchemas['batch']['static'];
