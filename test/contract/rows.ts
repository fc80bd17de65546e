/**
 * One row for each row of the specification's tables of endpoints, limits and status codes. Tests of the
 * features check the limits of links and operators in full; these rows check the printed ones.
 */

export interface EndpointRow {
  /** Printed by the specification. */
  readonly row: string;
  readonly base: '/catp/api' | '/portal/api';
  /** Placeholders are filled with records of the test. */
  readonly path: string;
  readonly body?: unknown;
  readonly status: 200 | 204;
  /**
   * Members of the success body (of its first item, for a list), in order; absent for a file or an empty
   * body.
   */
  readonly members?: string;
}

const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };
const OPERATOR = { nome: 'Muster', logradouro: 'Strasse 1', nomeCidade: 'Ulm' };
const LINK = { codigoProduto: 1, conhecido: false, codigoPais: 'FR' };
const SUBSCRIPTION = { evento: 'catp-prod-alterado', endpoint: 'https://erp.invalid/aviso' };
const ITEM = { seq: 1, cpfCnpjRaiz: '12345678' };

const LISTS =
  'atributos,atributosMultivalorados,atributosCompostos,atributosCompostosMultivalorados,codigosInterno';
const RESPONSE = `descricao,denominacao,modalidade,ncm,${LISTS},cpfCnpjRaiz,codigo,versao,situacao`;
const LIST_ITEM = `seq,codigo,descricao,denominacao,cpfCnpjRaiz,situacao,modalidade,ncm,versao,${LISTS}`;
const OPERATOR_RECORD =
  'seq,cpfCnpjRaiz,codigo,versao,tin,nome,situacao,logradouro,nomeCidade,codigoSubdivisaoPais,codigoPais,cep,codigoInterno,email,dataReferencia,identificacoesAdicionais';
const LINK_RECORD =
  'cpfCnpjRaiz,codigoProduto,conhecido,codigoPais,codigoOperadorEstrangeiro,cpfCnpjFabricante';
const RESULT = 'seq,codigo,erros,sucesso';

const catalogue = (row: string, path: string, rest: Partial<EndpointRow> = {}): EndpointRow => ({
  row,
  base: '/catp/api',
  path,
  status: 200,
  ...rest,
});

/** The order matters: each row uses records of earlier ones. */
export const ENDPOINTS: readonly EndpointRow[] = [
  catalogue('POST /ext/produto/{cpfCnpjRaiz}', '/ext/produto/12345678', { body: PRODUCT, members: RESPONSE }),
  catalogue('POST /ext/produto', '/ext/produto', {
    body: [{ ...ITEM, ...PRODUCT }],
    members: `${RESULT},versao`,
  }),
  catalogue('PUT /ext/produto/{cpfCnpjRaiz}/{codigo}', '/ext/produto/12345678/1', {
    body: PRODUCT,
    members: RESPONSE,
  }),
  catalogue('GET /ext/produto/{cpfCnpjRaiz}/{codigo}/{versao}', '/ext/produto/12345678/1/2', {
    members: RESPONSE,
  }),
  catalogue('GET /ext/produto', '/ext/produto?cpfCnpjRaiz=12345678', { members: LIST_ITEM }),
  catalogue(
    'GET /ext/produto/exportar/{cpfCnpjRaiz}/{exibirDesativados}',
    '/ext/produto/exportar/12345678/false',
  ),
  catalogue(
    'POST /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}',
    '/ext/operador-estrangeiro/12345678/DE',
    {
      body: OPERATOR,
      members: OPERATOR_RECORD,
    },
  ),
  catalogue('POST /ext/operador-estrangeiro', '/ext/operador-estrangeiro', {
    body: [{ ...ITEM, ...OPERATOR, codigoPais: 'DE' }],
    members: `${RESULT},versao`,
  }),
  catalogue(
    'PUT /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}',
    '/ext/operador-estrangeiro/12345678/DE/OPE_1',
    { body: OPERATOR, members: OPERATOR_RECORD },
  ),
  catalogue(
    'POST /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{dataReferencia}',
    '/ext/operador-estrangeiro/12345678/DE/OPE_1/2025-01-01',
    { body: OPERATOR, members: OPERATOR_RECORD },
  ),
  catalogue(
    'GET /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}',
    '/ext/operador-estrangeiro/12345678/DE/OPE_1/1',
    { members: OPERATOR_RECORD },
  ),
  catalogue(
    'PUT /ext/operador-estrangeiro/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}',
    '/ext/operador-estrangeiro/12345678/DE/OPE_1/1',
    { body: OPERATOR, members: OPERATOR_RECORD },
  ),
  catalogue('GET /ext/operador-estrangeiro', '/ext/operador-estrangeiro?cpfCnpjRaiz=12345678', {
    members: OPERATOR_RECORD,
  }),
  catalogue(
    'GET /ext/operador-estrangeiro/exportar/{cpfCnpjRaiz}/{exibirDesativados}',
    '/ext/operador-estrangeiro/exportar/12345678/true',
  ),
  catalogue(
    'PUT /ext/operador-estrangeiro/desativar/{cpfCnpjRaiz}/{codigoPais}/{codigo}/{versao}',
    '/ext/operador-estrangeiro/desativar/12345678/DE/OPE_2/1',
    { members: OPERATOR_RECORD },
  ),
  catalogue('POST /ext/fabricante/{cpfCnpjRaiz}', '/ext/fabricante/12345678', {
    body: LINK,
    members: LINK_RECORD,
  }),
  catalogue('GET /ext/fabricante/exportar/{cpfCnpjRaiz}', '/ext/fabricante/exportar/12345678'),
  catalogue('PUT /ext/fabricante/{cpfCnpjRaiz}', '/ext/fabricante/12345678', {
    body: LINK,
    members: LINK_RECORD,
  }),
  catalogue('POST /ext/fabricante', '/ext/fabricante', { body: [{ ...ITEM, ...LINK }], members: RESULT }),
  catalogue('PUT /ext/produto/desativar/{cpfCnpjRaiz}/{codigo}', '/ext/produto/desativar/12345678/1', {
    members: RESPONSE,
  }),
  {
    row: 'POST /ext/webhook',
    base: '/portal/api',
    path: '/ext/webhook',
    body: SUBSCRIPTION,
    status: 200,
    members: 'id,evento,endpoint,chaveSecreta,chaveAutenticacao',
  },
  {
    row: 'GET /ext/webhook',
    base: '/portal/api',
    path: '/ext/webhook?exibirInativos=true',
    status: 200,
    members:
      'id,evento,endpoint,chaveSecreta,chaveAutenticacao,dataRegistro,dataExclusao,motivoExclusao,dataUltimoSucesso',
  },
  {
    row: 'PUT /ext/webhook/{id}',
    base: '/portal/api',
    path: '/ext/webhook/1',
    body: { id: 1, ...SUBSCRIPTION },
    status: 200,
    members: 'id,evento,endpoint',
  },
  {
    row: 'GET /ext/webhook/falhas',
    base: '/portal/api',
    path: '/ext/webhook/falhas?data=15012026',
    status: 200,
  },
  { row: 'DELETE /ext/webhook/{id}', base: '/portal/api', path: '/ext/webhook/1', status: 204 },
];

export interface LimitRow {
  /** The first cell of the specification's row. */
  readonly row: string;
  readonly good: readonly Sent[];
  readonly bad: readonly Sent[];
}

/** Method, path and body of a request within the limit, or beyond it. */
export type Sent = readonly [method: string, path: string, body?: unknown];

const P = '/catp/api/ext/produto';
const O = '/catp/api/ext/operador-estrangeiro';
const W = '/portal/api/ext/webhook';
const list = (query: string): Sent => ['GET', `${P}?cpfCnpjRaiz=12345678&${query}`];
const operators = (query: string): Sent => ['GET', `${O}?cpfCnpjRaiz=12345678&${query}`];
const product = (change: object): Sent => ['POST', `${P}/12345678`, { ...PRODUCT, ...change }];
const operator = (change: object): Sent => ['POST', `${O}/12345678/DE`, { ...OPERATOR, ...change }];
const x = (count: number): string => 'x'.repeat(count);
let subscriptions = 0;
/** One subscription per event: each of these has its own event. */
const subscribe = (change: object): Sent => [
  'POST',
  W,
  { ...SUBSCRIPTION, evento: `e${(subscriptions += 1)}`, ...change },
];
const endpointOf = (length: number): string => 'https://erp.invalid/'.padEnd(length, 'x');

/** Rows without requests, with the test that checks them. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  motivoExclusao: 'test/notification: only the product writes it, from constants',
  'Notification processing time at the receiver': 'test/notification/delivery/send/sender-deadline.test.ts',
  'Period of only failures before automatic deletion of a subscription': 'test/notification/delinquency',
  'Retention of failure records': 'test/notification/retention',
  'Rate limits: not shown.': 'contract section 11; test/session',
  'Maximum number of items of a batch request: not shown.': 'test/catalogue/product/batch.test.ts',
};

export const LIMITS: readonly LimitRow[] = [
  {
    row: 'Root company identifier',
    good: [['GET', `${P}?cpfCnpjRaiz=12345678`]],
    bad: [7, 9, 10, 12].map((count) => ['GET', `${P}?cpfCnpjRaiz=${'1'.repeat(count)}`] as const),
  },
  {
    row: 'Product codigo',
    good: [list('codigo=9999999999'), ['GET', `${P}/12345678/1/1`]],
    bad: [list('codigo=10000000000'), ['GET', `${P}/12345678/10000000000/1`]],
  },
  {
    row: 'Product codigoInterno',
    good: [list(`codigoInterno=${x(60)}`), product({ codigosInterno: [x(60)] })],
    bad: [list(`codigoInterno=${x(61)}`), product({ codigosInterno: [x(61)] })],
  },
  {
    row: 'Product descricao, denominacao',
    good: [
      list(`descricao=${x(3700)}&denominacao=${x(3700)}`),
      product({ descricao: x(3700), denominacao: x(3700) }),
    ],
    bad: [
      list(`descricao=${x(3701)}`),
      list(`denominacao=${x(3701)}`),
      product({ descricao: x(3701) }),
      product({ denominacao: x(3701) }),
    ],
  },
  {
    row: 'Product ncm',
    good: [list('ncm=12345678'), product({})],
    bad: [
      list('ncm=1234567'),
      list('ncm=123456789'),
      product({ ncm: '1234567' }),
      product({ ncm: '123456789' }),
    ],
  },
  {
    row: 'Foreign operator tin, codigo, codigoInterno',
    good: [
      operators(`tin=${x(35)}&codigo=${x(35)}&codigoInterno=${x(35)}`),
      operator({ tin: x(35), codigoInterno: x(35) }),
    ],
    bad: [
      operators(`tin=${x(36)}`),
      operators(`codigo=${x(36)}`),
      operators(`codigoInterno=${x(36)}`),
      operator({ tin: x(36) }),
      operator({ codigoInterno: x(36) }),
      ['PUT', `${O}/12345678/DE/${x(36)}`, OPERATOR],
    ],
  },
  {
    row: 'Foreign operator nome',
    good: [operators(`nome=${x(70)}`), operator({ nome: x(70) })],
    bad: [operators(`nome=${x(71)}`), operator({ nome: x(71) })],
  },
  {
    row: 'Country code',
    good: [list('paisOrigem=DE'), operators('paisOrigem=DE'), operator({})],
    bad: [list('paisOrigem=DEU'), operators('paisOrigem=D'), ['POST', `${O}/12345678/DEU`, OPERATOR]],
  },
  {
    row: 'versao',
    good: [['GET', `${P}/12345678/1/1`]],
    bad: [
      ['GET', `${P}/12345678/1/123456789`],
      ['GET', `${O}/12345678/DE/OPE_1/1234.5678`],
    ],
  },
  {
    row: 'Manufacturer CPF/CNPJ filter',
    good: [list('cpfCnpjFabricante=12345678901'), list('cpfCnpjFabricante=12345678901234')],
    bad: [10, 12, 13, 15].map((count) => list(`cpfCnpjFabricante=${'1'.repeat(count)}`)),
  },
  {
    row: 'Subscription evento',
    good: [subscribe({ evento: x(40) })],
    bad: [subscribe({ evento: x(41) }), subscribe({ evento: '' })],
  },
  {
    row: 'Subscription endpoint',
    good: [subscribe({ endpoint: endpointOf(500) })],
    bad: [subscribe({ endpoint: endpointOf(501) }), subscribe({ endpoint: 'http://erp.invalid' })],
  },
  {
    row: 'chaveSecreta, chaveAutenticacao',
    good: [subscribe({ chaveSecreta: x(100), chaveAutenticacao: x(100) })],
    bad: [subscribe({ chaveSecreta: x(101) }), subscribe({ chaveAutenticacao: x(101) })],
  },
];
