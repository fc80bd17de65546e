/** Schema of the list query, and the filter that it becomes (contract section 4). */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { CountryCode } from '../model.ts';
import { OPERATOR } from '../members/foreign-operator.ts';

export const operatorQuerySchema = (rules: CatalogueRules) =>
  t.Object({
    cpfCnpjRaiz: companySchema(rules),
    tin: t.Optional(
      t.String({
        maxLength: OPERATOR.tin.max,
        'x-code': true,
        description: 'Trade Identification Number, exato.',
      }),
    ),
    codigo: t.Optional(
      t.String({ maxLength: OPERATOR.codigo.max, 'x-code': true, description: 'Código do operador, exato.' }),
    ),
    codigoInterno: t.Optional(
      t.String({
        maxLength: OPERATOR.codigoInterno.max,
        'x-code': true,
        description: 'Código interno, exato.',
      }),
    ),
    nome: t.Optional(
      t.String({
        maxLength: rules.nomeMax,
        description: 'O nome contém este texto, sem distinguir maiúsculas e acentos.',
      }),
    ),
    paisOrigem: t.Optional(CountryCode),
    exibirDesativados: t.Optional(
      t.Boolean({ default: false, description: 'Mostra também os desativados.' }),
    ),
  });

type OperatorQuery = ReturnType<typeof operatorQuerySchema>['static'];

/** Filter of a company's operators; absent members filter nothing. */
export interface OperatorFilter extends Omit<OperatorQuery, 'exibirDesativados'> {
  readonly withoutDeactivated: boolean;
}

/** Turns a decoded query into a filter. */
export function toFilter({ exibirDesativados = false, ...asked }: OperatorQuery): OperatorFilter {
  return { ...asked, withoutDeactivated: !exibirDesativados };
}
