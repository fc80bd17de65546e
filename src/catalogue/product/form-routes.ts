/** Serves what a product form needs before the user types (contract section 17). */
import type { Clock } from '../../clock.ts';
import { type Operation, ok, operation } from '../../http/operation.ts';
import type { Caller } from '../../session/model.ts';
import { dayOf } from '../../validation/calendar.ts';
import type { CatalogueRules } from '../../validation/company.ts';
import { DayText } from '../model.ts';
import { modalidadesOf } from './model.ts';
import { form, nullable, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export interface ProductFormRoutesParts {
  readonly rules: Pick<CatalogueRules, 'denominacaoMax' | 'modalidadeAmbos'>;
  readonly clock: Clock;
  /** Version of the attribute table in force, if there is one. */
  readonly tableInForce: () => string | undefined;
  /** Next table that comes into force, with its day. */
  readonly nextTable: () => NextTable | undefined;
}

const NextTable = form('NextAttributeTable', 'A próxima tabela de atributos.', {
  versao: text('Como a tabela se chama.', '2'),
  on: {
    ...DayText,
    description: 'O dia em que entra em vigor. Um valor para o que ela pede é aceito desde já.',
  },
});
export type NextTable = typeof NextTable.static;

const ProductForm = form('ProductForm', 'O que um formulário de produto precisa saber.', {
  today: { ...DayText, description: 'Que dia é nesta instância, em Brasília.' },
  denominacaoMax: integerForm('Quantos caracteres uma denominação pode ter.', 3700),
  modalidades: t.Array(t.String({ examples: ['IMPORTACAO'] }), {
    description: 'As modalidades que um produto pode ter.',
  }),
  attributeTable: nullable(text('Versão da tabela de atributos em vigor; null onde não há tabela.', '1')),
  nextTable: nullable(NextTable, { description: 'null onde nenhuma foi agendada.' }),
});

export const productFormRoutes = (parts: ProductFormRoutesParts): Operation<Caller>[] => [
  operation('GET', '/appliance/api/product-form', {
    tag: 'Produtos',
    source: 'contract, section 17',
    id: 'getProductForm',
    summary: 'Mostra o que um formulário de produto precisa saber',
    description:
      'O dia de hoje nesta instância, os limites do perfil em uso e a tabela de atributos em vigor. Os atributos de uma NCM: getNcmAttributes.',
    success: ProductForm,
    handle: () =>
      ok({
        today: dayOf(parts.clock.now()),
        denominacaoMax: parts.rules.denominacaoMax,
        modalidades: modalidadesOf(parts.rules),
        attributeTable: parts.tableInForce() ?? null,
        nextTable: parts.nextTable() ?? null,
      }),
  }),
];
