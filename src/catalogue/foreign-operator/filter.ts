/** The query of the list operation: its schema, and what it asks for (contract section 4). */
import { Type as t } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../company.ts';
import { CountryCode } from '../model.ts';
import type { OperatorFilter } from './list-query.ts';
import { CODIGO_INTERNO_MAX, CODIGO_MAX, TIN_MAX } from './model.ts';

export const operatorQuerySchema = (rules: CatalogueRules) =>
  t.Object({
    cpfCnpjRaiz: companySchema(rules),
    tin: t.Optional(t.String({ maxLength: TIN_MAX })),
    codigo: t.Optional(t.String({ maxLength: CODIGO_MAX })),
    codigoInterno: t.Optional(t.String({ maxLength: CODIGO_INTERNO_MAX })),
    nome: t.Optional(t.String({ maxLength: rules.nomeMax })),
    paisOrigem: t.Optional(CountryCode),
    exibirDesativados: t.Optional(t.Boolean({ default: false })),
  });

type OperatorQuery = ReturnType<typeof operatorQuerySchema>['static'];

/** Turns a decoded query into a filter. */
export function toFilter({ exibirDesativados = false, ...asked }: OperatorQuery): OperatorFilter {
  return { ...asked, withoutDeactivated: !exibirDesativados };
}
