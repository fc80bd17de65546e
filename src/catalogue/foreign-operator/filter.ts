/** Schema of the list query, and the filter that it becomes (contract section 4). */
import type { TObject } from '@sinclair/typebox';
import { type CatalogueRules, companySchema } from '../../validation/company.ts';
import { choice, text } from '../../validation/forms.ts';
import { CountryCode } from '../model.ts';
import { OPERATOR } from '../members/foreign-operator.ts';
import { t } from '../../validation/type.ts';

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

/** Members in which active operators may repeat each other. */
const OPERATOR_REPEATS = ['tin', 'nome'] as const;

const TEXT_MAX = 200;

/** Filters of the list, and those that only pages have (contract section 25). */
export const operatorPageFilters = (rules: CatalogueRules) => ({
  ...operatorQuerySchema(rules).properties,
  text: t.Optional(
    text(
      'Palavras em qualquer ordem, cada uma em nome, TIN ou códigos, sem distinguir maiúsculas e acentos.',
      'muster schrauben',
      { maxLength: TEXT_MAX },
    ),
  ),
  repeated: t.Optional(
    choice(
      OPERATOR_REPEATS,
      'Só os ativos que se repetem: tin, com o TIN de outro operador ativo, sem contar espaços, sinais e maiúsculas; nome, com o mesmo nome, sem distinguir maiúsculas e acentos.',
    ),
  ),
});

type OperatorQuery = TObject<ReturnType<typeof operatorPageFilters>>['static'];

/** Filter of a company's operators; absent members filter nothing. */
export interface OperatorFilter extends Omit<OperatorQuery, 'exibirDesativados'> {
  readonly withoutDeactivated: boolean;
}

/** Turns a decoded query into a filter. */
export function toFilter({ exibirDesativados = false, ...filters }: OperatorQuery): OperatorFilter {
  return { ...filters, withoutDeactivated: !exibirDesativados };
}
