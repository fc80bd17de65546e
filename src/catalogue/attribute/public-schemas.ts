/** Wire schemas of the public attribute interface (contract section 8). */
import type { TSchema, TString } from '@sinclair/typebox';
import { WrittenNcm } from '../../nomenclature/model.ts';
import { choice, form, nullable, text, integerForm } from '../../validation/forms.ts';
import { DayText, ReferenceDay, strictForm } from '../model.ts';
import { OBJECTIVES } from './serving/filter.ts';
import type { FileForm } from './serving/table-texts.ts';
import { CONDITION_MEMBERS, TEXT_MEMBERS } from './table/model.ts';
import type { Modalidade } from './words/model.ts';
import { t } from '../../validation/type.ts';

const versao = text('Versão da tabela, como o arquivo a diz.', '137');
const atributo = text('Código do atributo.', 'ATT_90001');

export const NcmParams = t.Object({ codigoNcm: WrittenNcm });

const attributeFilters = {
  data: t.Optional({
    ...DayText,
    description:
      'Só os atributos em vigor nesse dia, na tabela desse dia; ausente: todos, na tabela em vigor.',
  }),
  objetivos: t.Optional(
    t.Array(
      choice(OBJECTIVES, 'Um objetivo: TRATAMENTO_ADMINISTRATIVO (3), PRODUTO (7) ou DUIMP.', 'PRODUTO', {
        'x-any-case': true,
      }),
      { description: 'Só os atributos com um destes objetivos; repetido, ou separados por vírgula.' },
    ),
  ),
  orgaosDemandantes: t.Optional(
    t.Array(text('Sigla de um órgão.', 'ANVISA'), {
      description: 'Só os atributos que um destes órgãos pede; repetido, ou separados por vírgula.',
    }),
  ),
};

export const AttributesQuery = t.Object(attributeFilters);

export const NcmQuery = t.Object({
  modalidade: t.Optional(
    choice<Modalidade>(
      ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'],
      'Só os atributos desta modalidade; AMBOS ou ausente: todos.',
    ),
  ),
  ...attributeFilters,
});

export const TableFileQuery = t.Object({
  ...NcmQuery.properties,
  codigosNCM: t.Optional(
    t.Array(WrittenNcm, {
      description:
        'Só estas NCMs, com ou sem pontos; repetido, ou separadas por vírgula. As que a tabela não tem ficam de fora.',
    }),
  ),
});

export const FileParams = t.Object({ tipo: choice<FileForm>(['json', 'xml'], 'Forma do arquivo.', 'json') });

export const PublicFileQuery = t.Object({
  perfil: t.Optional(
    text('Perfil de quem baixa; qualquer um. O perfil portal desta instalação o exige.', 'PUBLICO'),
  ),
});

const LOOKUP_MAX = 100;
const lookUpList = (item: TString, description: string) =>
  t.Array(item, { minItems: 1, maxItems: LOOKUP_MAX, description });
const onDay = t.Optional({
  ...ReferenceDay,
  description: 'Só os que estão em vigor nesse dia ou momento, na tabela desse dia; ausente: todos.',
});

export const CodesLookUp = strictForm('AttributeCodesLookUp', 'Atributos procurados pelo código.', {
  codigos: lookUpList(text('Código de um atributo.', 'ATT_90001', { 'x-code': true }), 'De 1 a 100 códigos.'),
  data: onDay,
});

export const NamesLookUp = strictForm('AttributeNamesLookUp', 'Atributos procurados pelo nome.', {
  nomes: lookUpList(
    text('Nome inteiro de um atributo, sem distinguir maiúsculas e acentos.', 'Torrado'),
    'De 1 a 100 nomes.',
  ),
  data: onDay,
});

export const VersionsQuery = t.Object({
  versao: t.Optional(
    t.Array(integerForm('Número de uma versão.', 2, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
      description: 'Só estas versões, pelo numero; repetido, ou separadas por vírgula.',
    }),
  ),
});

const changeSummary = { versao, resumo: t.String({ description: 'O que mudou, em uma frase.' }) };
const codes = (description: string) => t.Array(atributo, { description });
const ncms = (description: string) => t.Array(text('NCM, 8 dígitos.', '09012100'), { description });

const ChangedText = form('ChangedText', 'Um membro que mudou, como texto.', {
  valorAnterior: nullable(text('O que era.', 'false'), { description: 'O que era; null: não havia.' }),
  valorAtual: nullable(text('O que é.', 'true'), { description: 'O que é; null: não há mais.' }),
});
const changedMembers = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, t.Optional(ChangedText)]));

const changedListForm = (name: string, changedItems: string, item: TSchema) =>
  form(name, `O que mudou: ${changedItems}.`, {
    adicionado: codes('Códigos a mais.'),
    excluido: codes('Códigos a menos.'),
    alterado: t.Array(item, { description: 'Os que mudaram.' }),
  });

const ChangedDomainItem = form('ChangedDomainItem', 'Um valor do domínio descrito de outro modo.', {
  codigo: text('O valor.', '01'),
  descricao: ChangedText,
});
const selfReference = t.Unsafe<unknown>({ 'x-ref': 'AlteredAttribute' });
const ChangedConditional = form('ChangedConditional', 'Um condicionado que mudou.', {
  atributo: selfReference,
  ...changedMembers(CONDITION_MEMBERS),
});

const AlteredAttribute = t.Object(
  {
    codigo: atributo,
    ...changedMembers(TEXT_MEMBERS),
    dominio: t.Optional(changedListForm('ChangedDomain', 'o domínio', ChangedDomainItem)),
    condicionados: t.Optional(changedListForm('ChangedConditionals', 'os condicionados', ChangedConditional)),
    listaSubatributos: t.Optional(changedListForm('ChangedSubattributes', 'os subatributos', selfReference)),
  },
  {
    'x-form': 'AlteredAttribute',
    description: 'Um atributo que mudou: o código, e só os membros que mudaram.',
    examples: [{ codigo: 'ATT_90001', obrigatorio: { valorAnterior: 'false', valorAtual: 'true' } }],
  },
);

const alterado = t.Array(AlteredAttribute, {
  description: 'Os que mudaram; de um que a NCM tem nas duas modalidades, um item para cada.',
});

const ChangedAttributes = form('ChangedAttributes', 'O que mudou nos atributos de uma NCM.', {
  ...changeSummary,
  adicionado: codes('Atributos que a NCM não tinha.'),
  excluido: codes('Atributos que a NCM não tem mais.'),
  alterado,
});

const ChangedNcm = form('ChangedNcm', 'Uma NCM cujos atributos mudaram.', {
  codigoNcm: text('NCM, 8 dígitos.', '09012100'),
  atributos: ChangedAttributes,
});

const TableChanges = form('AttributeTableChanges', 'O que mudou desde a tabela anterior.', {
  ...changeSummary,
  adicionado: ncms('NCMs que a tabela anterior não tinha.'),
  excluido: ncms('NCMs que só a tabela anterior tinha.'),
  alterado: t.Array(ChangedNcm, { description: 'NCMs cujos atributos mudaram.' }),
});

const version = {
  numero: integerForm('1 é a primeira que esteve em vigor.', 2),
  dataVersao: { ...DayText, description: 'Dia em que entrou em vigor.' },
};

export const TableVersion = form('AttributeTableVersion', 'Uma tabela que esteve em vigor.', {
  ...version,
  alteracoes: TableChanges,
});

export const AttributesVersion = form(
  'AttributesVersion',
  'Os atributos de uma tabela que esteve em vigor.',
  {
    ...version,
    alteracoes: form('AttributesChanges', 'O que mudou nos atributos desde a tabela anterior.', {
      ...changeSummary,
      adicionado: codes('Atributos que a tabela anterior não tinha.'),
      excluido: codes('Atributos que só a tabela anterior tinha.'),
      alterado,
    }),
  },
);
