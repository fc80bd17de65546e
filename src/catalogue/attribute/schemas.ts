/** Wire schemas of attribute tables (contract sections 8 and 13). */
import type { TSchema } from '@sinclair/typebox';
import { DetailedProblem } from '../../http/error-forms.ts';
import { DayText, strictForm } from '../model.ts';
import { originMembers } from './origin/model.ts';
import { momentOf } from '../../validation/moment.ts';
import { choice, form, idOf, nullable, text, integerForm } from '../../validation/forms.ts';
import { t } from '../../validation/type.ts';

export const TableId = t.Object({
  id: idOf('Identificador da tabela, o da lista.'),
});

const versao = text('Versão da tabela, como o arquivo a diz.', '137');
const ncm = text('Código NCM, 8 dígitos.', '09012100');
const atributo = text('Código do atributo.', 'ATT_90001');

const tableMembers = {
  id: integerForm('Identificador da tabela.', 1),
  versao,
  ncms: integerForm('Quantas NCMs a tabela tem.', 10_500),
  attributes: integerForm('Quantos atributos a tabela descreve.', 1_300),
};

export const LoadedTable = form('LoadedAttributeTable', 'Uma tabela de atributos carregada.', tableMembers);

export const ListedTable = form('ListedAttributeTable', 'Uma tabela de atributos da lista.', {
  ...tableMembers,
  loadedAt: momentOf('Quando foi carregada.'),
  inForce: t.Boolean({ description: 'true: é a que está em vigor.' }),
  scheduledOn: t.Array(t.String({ examples: ['2027-01-01'] }), {
    description: 'Dias futuros em que entra em vigor.',
  }),
  fetched: t.Boolean({
    description: 'true: foi buscada em atributos.origem; false: alguém enviou o arquivo.',
  }),
  keptBack: nullable(
    text(
      'Por que não entra em vigor automaticamente.',
      'perdeu 1.200 de 10.500 NCMs da tabela em vigor, mais de 10 %',
    ),
    { description: 'null: não foi retida, ou alguém já a pôs em vigor.' },
  ),
});

const Counts = form('ChangeCounts', 'Quantos foram incluídos, excluídos e alterados.', {
  added: t.Integer({ description: 'A mais.', examples: [3] }),
  removed: t.Integer({ description: 'A menos.', examples: [0] }),
  changed: t.Integer({ description: 'De outro modo.', examples: [41] }),
});

export const TableOfHistory = form('AttributeTableOfHistory', 'Uma tabela, com quanto ela mudou.', {
  id: tableMembers.id,
  versao,
  loadedAt: momentOf('Quando foi carregada.'),
  since: nullable(form('TableBefore', 'A tabela carregada antes.', { id: tableMembers.id, versao }), {
    description: 'null: é a primeira.',
  }),
  inForceOn: nullable(
    { ...DayText, description: 'Primeiro dia em vigor.' },
    { description: 'null: nunca esteve em vigor.' },
  ),
  ncms: Counts,
  attributes: Counts,
});

const Codes = (name: string, changedItems: string, changed: TSchema) =>
  form(name, `O que mudou: ${changedItems}.`, {
    added: t.Array(text('Código.', '09012100'), { description: 'A mais.' }),
    removed: t.Array(text('Código.', '09012100'), { description: 'A menos.' }),
    changed: t.Array(changed, { description: 'De outro modo.' }),
  });

const NcmOfHistory = form('NcmOfHistory', 'Uma NCM cujos atributos mudaram.', {
  ncm,
  added: t.Array(atributo, { description: 'Atributos a mais.' }),
  removed: t.Array(atributo, { description: 'Atributos a menos.' }),
  changed: t.Array(atributo, { description: 'Atributos cujos pares ou cuja descrição mudaram.' }),
});

export const ChangesOfTable = form('ChangesOfTable', 'O que uma tabela mudou desde a carregada antes.', {
  ncms: Codes('NcmChanges', 'NCMs', NcmOfHistory),
  attributes: Codes('AttributeChanges', 'atributos', atributo),
});

export const TableOrigin = form('AttributeTableOrigin', 'A busca automática da tabela.', {
  ...originMembers('atributos.origem'),
  activates: choice<'conferir' | 'sozinha'>(
    ['conferir', 'sozinha'],
    'conferir: uma pessoa põe em vigor a que foi buscada; sozinha: o sistema.',
  ),
});

export const ActivationRequest = strictForm('ActivationRequest', 'Quando a tabela entra em vigor.', {
  on: t.Optional({ ...DayText, description: 'Dia em que entra em vigor; sem ele, agora.' }),
  expected: t.Optional(
    t.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Quantos produtos ela desativa, onde são muitos: o número que a recusa diz.',
    }),
  ),
});
export type ActivationRequest = typeof ActivationRequest.static;

export const CancellationQuery = t.Object({
  on: t.Optional({ ...DayText, description: 'Só o que foi agendado para esse dia; sem ele, para todos.' }),
});

export const ActivationResult = form('ActivationResult', 'O que a entrada em vigor fez.', {
  deactivated: t.Integer({ description: 'Produtos desativados pelo sistema.' }),
  events: t.Integer({ description: 'Eventos catp-prod-desativado publicados.' }),
});

const differences = (item: TSchema, changed: TSchema, name: string, comparedItems: string) =>
  form(name, `A diferença entre duas tabelas: ${comparedItems}.`, {
    added: t.Array(item, { description: `${comparedItems} que só a tabela nova tem.` }),
    removed: t.Array(item, { description: `${comparedItems} que só a tabela em vigor tem.` }),
    changed: t.Array(changed, { description: `${comparedItems} que mudam.` }),
  });

const ChangedAttribute = form('ChangedAttribute', 'Um atributo descrito de outro modo.', {
  atributo,
  members: t.Array(t.String({ examples: ['dominio'] }), { description: 'Membros que mudam.' }),
});
const RequiredPair = form('RequiredPair', 'Um atributo obrigatório de uma NCM.', {
  ncm,
  atributo,
  modalidade: text('Importação ou Exportação.', 'Importação'),
});

const TableDifference = form('AttributeTableDifference', 'O que muda em relação à tabela em vigor.', {
  from: nullable(text('Versão da tabela em vigor; null onde não há.', '136')),
  to: versao,
  ncms: differences(ncm, ncm, 'NcmDifferences', 'NCMs'),
  attributes: differences(atributo, ChangedAttribute, 'AttributeDifferences', 'Atributos'),
  requiredPairs: differences(
    RequiredPair,
    RequiredPair,
    'RequiredPairDifferences',
    'Atributos obrigatórios de NCMs',
  ),
});

const InvalidProduct = form('InvalidProduct', 'Um produto ativo que deixaria de ser válido.', {
  cpfCnpjRaiz: text('Empresa do produto.', '12345678'),
  codigo: integerForm('Código do produto.', 1),
  ncm,
  problems: t.Array(DetailedProblem, { description: 'Por que deixaria de ser válido.' }),
});

export const ImpactResult = form('AttributeTableImpact', 'O que aconteceria se a tabela entrasse em vigor.', {
  difference: TableDifference,
  invalid: t.Array(InvalidProduct, { description: 'Os produtos que deixariam de ser válidos.' }),
  total: t.Integer({ description: 'Quantos são.' }),
});

export const ImpactQuery = t.Object({
  on: t.Optional({ ...DayText, description: 'Dia para o qual conferir; sem ele, hoje.' }),
  formato: t.Optional(
    choice<'json' | 'csv'>(['json', 'csv'], 'csv: só os produtos, uma linha por problema.'),
  ),
});
