/**
 * Schemas of the public attribute-by-NCM file for the API document (contract section 8); table-file.ts reads the
 * file. Unknown members are stored and returned, so no schema is closed.
 */
import type { TSchema } from '@sinclair/typebox';
import { COMPOSICOES, FORMAS_PREENCHIMENTO, OPERADORES } from '../words/model.ts';
import { choice, form, text, integerForm } from '../../../validation/forms.ts';
import { t } from '../../../validation/type.ts';

/** Refers to the schema that contains it. */
const selfReference = (name: string) => t.Unsafe<unknown>({ 'x-ref': name });
const optional = <T extends TSchema>(schema: T) => t.Optional(schema);

const validity = {
  dataInicioVigencia: text('Primeiro dia em que vale.', '2020-01-01'),
  dataFimVigencia: optional(text('Último dia em que vale; vazio ou ausente: sem fim.', '2030-12-31')),
};
const codigo = text('Código do atributo.', 'ATT_90001');
const flags = {
  obrigatorio: t.Boolean({ description: 'Se o atributo tem de ser informado.' }),
  multivalorado: t.Boolean({ description: 'Se o atributo tem vários valores.' }),
};

const Pair = form('AttributePair', 'Um atributo de uma NCM.', {
  codigo,
  modalidade: choice(['Importação', 'Exportação'], 'Em que operações o atributo vale.'),
  ...flags,
  ...validity,
});

const DomainItem = form('AttributeDomainItem', 'Um valor do domínio de um atributo.', {
  codigo: text('O valor.', '01'),
  descricao: text('O significado.', 'Sim'),
});

const Objective = form('AttributeObjective', 'O objetivo de um atributo.', {
  codigo: integerForm('7: Produto.', 7),
  descricao: text('Nome do objetivo.', 'Produto'),
});

const Condition = t.Object(
  {
    operador: choice(OPERADORES, 'Como o valor do atributo condicionante é comparado.'),
    valor: text('Com o que é comparado.', '01'),
    composicao: optional(choice(COMPOSICOES, 'Como a próxima condição se junta a esta.')),
    condicao: optional(selfReference('AttributeCondition')),
  },
  {
    'x-form': 'AttributeCondition',
    description: 'Uma condição sobre o valor do atributo condicionante.',
    examples: [{ operador: '==', valor: '01' }],
  },
);

const Conditional = form('ConditionalAttribute', 'Um atributo que só vale com certos valores de outro.', {
  ...flags,
  ...validity,
  descricaoCondicao: optional(text('A condição em palavras.', 'Valor igual a 01')),
  condicao: Condition,
  atributo: selfReference('AttributeDetail'),
});

const DETAIL_EXAMPLE = {
  codigo: 'ATT_90001',
  nome: 'Torrado',
  nomeApresentacao: 'Torrado',
  definicao: 'Se o café é torrado.',
  orientacaoPreenchimento: '',
  formaPreenchimento: 'BOOLEANO',
  dataInicioVigencia: '2020-01-01',
  dataFimVigencia: '',
  dominio: [],
  objetivos: [{ codigo: 7, descricao: 'Produto' }],
  orgaos: [],
  atributoCondicionante: false,
  condicionados: [],
  listaSubatributos: [],
};

export const AttributeDetailForm = t.Object(
  {
    codigo,
    nome: text('Nome.', 'Tipo de embalagem'),
    nomeApresentacao: optional(text('Nome mostrado a pessoas.', 'Tipo de embalagem')),
    definicao: optional(text('O que é.', 'Embalagem do produto')),
    orientacaoPreenchimento: optional(text('Como preencher.', 'Escolha uma opção')),
    formaPreenchimento: choice(FORMAS_PREENCHIMENTO, 'Que valores aceita.'),
    tamanhoMaximo: optional(integerForm('Maior tamanho.', 10)),
    casasDecimais: optional(integerForm('Mais casas decimais.', 2)),
    mascara: optional(text('Máscara do texto.', '999')),
    ...validity,
    obrigatorio: optional(t.Boolean({ description: 'De um subatributo: se o grupo tem de tê-lo.' })),
    multivalorado: optional(
      t.Boolean({ description: 'De um subatributo ou condicionado, como o arquivo o traz.' }),
    ),
    dominio: optional(t.Array(DomainItem, { description: 'Os valores de uma lista.' })),
    objetivos: optional(t.Array(Objective, { description: 'Para que serve.' })),
    orgaos: optional(t.Array(t.String(), { description: 'Órgãos que o pedem.' })),
    atributoCondicionante: optional(t.Boolean({ description: 'Se outros dependem do seu valor.' })),
    condicionados: optional(t.Array(Conditional, { description: 'Os que dependem do seu valor.' })),
    listaSubatributos: optional(
      t.Array(selfReference('AttributeDetail'), { description: 'Os subatributos de um composto.' }),
    ),
  },
  { 'x-form': 'AttributeDetail', description: 'Um atributo descrito.', examples: [DETAIL_EXAMPLE] },
);

const lists = {
  listaAtributos: t.Array(Pair, { description: 'Os atributos da NCM.' }),
  detalhesAtributos: t.Array(AttributeDetailForm, {
    description: 'Os atributos descritos, cada um uma vez.',
  }),
};
const versao = text('Versão da tabela.', '137');
const codigoNcm = text('Código NCM com pontos.', '0901.21.00');

export const ServedNcm = form('NcmAttributes', 'Os atributos de uma NCM na tabela em vigor.', {
  versao,
  codigoNcm,
  ...lists,
});

const NcmEntry = form('NcmAttributePairs', 'Uma NCM e os seus atributos.', {
  codigoNcm,
  listaAtributos: lists.listaAtributos,
});

export const AttributeTableFile = t.Object(
  {
    versao,
    listaNcm: t.Array(NcmEntry, { description: 'As NCMs.' }),
    detalhesAtributos: lists.detalhesAtributos,
  },
  {
    'x-form': 'AttributeTableFile',
    description: 'O arquivo público de atributos por NCM.',
    examples: [
      {
        versao: 'exemplo-1',
        listaNcm: [
          {
            codigoNcm: '0901.21.00',
            listaAtributos: [
              {
                codigo: 'ATT_90001',
                modalidade: 'Importação',
                obrigatorio: true,
                multivalorado: false,
                dataInicioVigencia: '2020-01-01',
              },
            ],
          },
        ],
        detalhesAtributos: [DETAIL_EXAMPLE],
      },
    ],
  },
);
