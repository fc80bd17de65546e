/** The public attribute interface, parameter by parameter (contract section 8). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { SaxesParser } from 'saxes';
import { strFromU8, unzipSync } from 'fflate';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { activate, load } from '../support.ts';

const API = '/cadatributos/api';
const OF_NCM = `${API}/ext/atributo-ncm`;
const ATTRIBUTES = `${API}/ext/atributo`;

const PRODUCT = { codigo: 7, descricao: 'Produto' };
const detail = (codigo: string, members: object = {}) => ({
  codigo,
  nome: `Inventado ${codigo}`,
  formaPreenchimento: 'TEXTO',
  dataInicioVigencia: '2020-01-01',
  objetivos: [PRODUCT],
  orgaos: ['MAPA'],
  ...members,
});
const pair = (codigo: string, members: object = {}) => ({
  codigo,
  modalidade: 'Importação',
  obrigatorio: true,
  multivalorado: false,
  dataInicioVigencia: '2020-01-01',
  ...members,
});

const NESTED = detail('ATT_8', { nome: 'Ação nomeada', obrigatorio: true });
const DETAILS = [
  detail('ATT_1', {
    nome: 'Torrado & moído <fino>',
    tamanhoMaximo: 10,
    mascara: null,
    brid: 1.1,
    condicionados: [
      {
        obrigatorio: true,
        multivalorado: false,
        dataInicioVigencia: '2020-01-01',
        condicao: { operador: '==', valor: 'x' },
        atributo: NESTED,
      },
    ],
  }),
  detail('ATT_2', { objetivos: [{ codigo: 3, descricao: 'Tratamento administrativo' }], orgaos: ['ANVISA'] }),
  detail('ATT_3', {
    objetivos: [PRODUCT, { codigo: 99, descricao: 'Registro da DUIMP' }],
    orgaos: ['MAPA', 'INMETRO'],
    dataFimVigencia: '2026-02-10',
  }),
  detail('ATT_4', {
    formaPreenchimento: 'COMPOSTO',
    listaSubatributos: [detail('ATT_9', { nome: 'acao NOMEADA' })],
  }),
];
const TABLE = {
  versao: '7',
  listaNcm: [
    {
      codigoNcm: '0901.21.00',
      listaAtributos: [
        pair('ATT_1'),
        pair('ATT_2'),
        pair('ATT_3', { modalidade: 'Exportação' }),
        pair('ATT_4', { dataInicioVigencia: '2026-03-01' }),
      ],
    },
    { codigoNcm: '2204.21.00', listaAtributos: [pair('ATT_2')] },
  ],
  detalhesAtributos: DETAILS,
};

let server: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  server = await openApp({});
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
});
afterEach(() => server.close());

const codesOf = (list: readonly { codigo: string }[]): string[] => list.map(({ codigo }) => codigo);

/** Returns the name and the text of the only member of a zip. */
async function unzipMember(path: string, client = demo): Promise<readonly [name: string, text: string]> {
  const reply = await client.call('GET', path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const [[name, bytes] = ['', new Uint8Array()]] = Object.entries(unzipSync(reply.bytes));
  return [name, strFromU8(bytes)];
}
const table = async (path: string) => JSON.parse((await unzipMember(path))[1]);

interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

function elements(xml: string): Element {
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const element: Element = { name, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root;
}

/** Converts a JSON value to elements: a list repeats its element; null and empty values are absent. */
function asElements(name: string, value: unknown): Element[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => asElements(name, item));
  if (typeof value !== 'object')
    return [{ name, children: [], text: typeof value === 'string' ? value : JSON.stringify(value) }];
  return [{ name, children: Object.entries(value).flatMap(([one, it]) => asElements(one, it)), text: '' }];
}

describe('with a table in force', () => {
  beforeEach(async () => {
    await activate(admin, await load(admin, TABLE));
  });

  test.each([
    ['', ['ATT_1', 'ATT_2', 'ATT_3', 'ATT_4']],
    ['objetivos=PRODUTO', ['ATT_1', 'ATT_3', 'ATT_4']],
    ['objetivos=TRATAMENTO_ADMINISTRATIVO', ['ATT_2']],
    ['objetivos=duimp', ['ATT_3']],
    ['objetivos=TRATAMENTO_ADMINISTRATIVO,DUIMP', ['ATT_2', 'ATT_3']],
    ['objetivos=TRATAMENTO_ADMINISTRATIVO&objetivos=DUIMP', ['ATT_2', 'ATT_3']],
    ['orgaosDemandantes=anvisa', ['ATT_2']],
    ['orgaosDemandantes=ANVISA,INMETRO', ['ATT_2', 'ATT_3']],
    ['orgaosDemandantes=MAPA&objetivos=PRODUTO&modalidade=IMPORTACAO&data=2026-01-15', ['ATT_1']],
    ['modalidade=EXPORTACAO&objetivos=TRATAMENTO_ADMINISTRATIVO', []],
    ['objetivos=', ['ATT_1', 'ATT_2', 'ATT_3', 'ATT_4']],
  ])('%p of an NCM, and of the file of that NCM, gives %p', async (query, codes) => {
    const { listaAtributos, detalhesAtributos } = (await demo.call('GET', `${OF_NCM}/09012100?${query}`))
      .json;
    expect(codesOf(listaAtributos)).toEqual(codes);
    expect(codesOf(detalhesAtributos)).toEqual(codes);
    const file = await table(`${OF_NCM}/download/json?codigosNCM=0901.21.00&${query}`);
    expect(file).toEqual({
      versao: '7',
      listaNcm: [{ codigoNcm: '0901.21.00', listaAtributos }],
      detalhesAtributos,
    });
  });

  test.each([
    ['objetivos=PRODUTOS', 'objetivos', 'aceita TRATAMENTO_ADMINISTRATIVO, PRODUTO, DUIMP'],
    ['objetivos=PRODUTO,X', 'objetivos', 'recebido "X"'],
    ['orgaosDemandantes=ANVIZA', 'orgaosDemandantes', 'aceita ANVISA, INMETRO, MAPA'],
    ['modalidade=AMBAS', 'modalidade', 'aceita AMBOS'],
    ['data=ontem', 'data', 'yyyy-MM-dd'],
  ])('%p is 400 with the domain', async (query, path, words) => {
    for (const address of [`${OF_NCM}/09012100`, `${OF_NCM}/download/json`, `${OF_NCM}/download/xml`]) {
      const { status, json } = await demo.call('GET', `${address}?${query}`);
      expect([status, json.detail.map((one: { path: string }) => one.path)]).toEqual([400, [path]]);
      expect(json.detail[0].message).toContain(words);
    }
  });

  test('an NCM without a remaining pair stays, an unknown one is left out', async () => {
    const { listaNcm } = await table(`${OF_NCM}/download/json?objetivos=PRODUTO`);
    expect(listaNcm.map((one: { codigoNcm: string }) => one.codigoNcm)).toEqual(['0901.21.00', '2204.21.00']);
    expect(listaNcm[1].listaAtributos).toEqual([]);
    const selection = await table(
      `${OF_NCM}/download/json?codigosNCM=99999999,22042100&codigosNCM=8471.30.12`,
    );
    expect(selection).toEqual({
      versao: '7',
      listaNcm: [TABLE.listaNcm[1]],
      detalhesAtributos: [DETAILS[1]],
    });
    expect((await demo.call('GET', `${OF_NCM}/download/json?codigosNCM=123`)).status).toBe(400);
  });

  test.each([
    [`${OF_NCM}/download/csv`],
    [`${ATTRIBUTES}/download/csv`],
    [`${API}/atributo-ncm/download/csv`],
    [`${API}/atributo/download/csv`],
  ])('%s is 400: json or xml', async (path) => {
    const { status, json } = await demo.call('GET', path);
    expect([status, json.detail[0].path]).toEqual([400, 'tipo']);
    expect(json.message).toContain('aceita json, xml');
  });

  test('XML has the members of the JSON in the same order', async () => {
    for (const [path, client] of [
      [`${OF_NCM}/download`, demo],
      [`${API}/atributo-ncm/download`, server.anybody],
    ] as const) {
      const [name, xml] = await unzipMember(`${path}/xml`, client);
      expect(name).toBe('ATRIBUTOS_POR_NCM_2026_01_15.xml');
      expect(xml).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<arquivo>');
      const [arquivo] = elements(xml).children;
      expect(arquivo).toEqual(asElements('arquivo', TABLE)[0] as Element);
    }
  });

  test('the attributes alone are served without NCMs, in both forms', async () => {
    const whole = { versao: '7', detalhesAtributos: DETAILS };
    for (const [path, client] of [
      [`${ATTRIBUTES}/download`, demo],
      [`${API}/atributo/download`, server.anybody],
    ] as const) {
      const [name, json] = await unzipMember(`${path}/json`, client);
      expect([name, JSON.parse(json)]).toEqual(['ATRIBUTOS_2026_01_15.json', whole]);
      const [xmlName, xml] = await unzipMember(`${path}/xml`, client);
      expect(xmlName).toBe('ATRIBUTOS_2026_01_15.xml');
      expect(elements(xml).children).toEqual(asElements('arquivo', whole));
    }
    const selection = await table(`${ATTRIBUTES}/download/json?objetivos=DUIMP&data=2026-02-10`);
    expect(codesOf(selection.detalhesAtributos)).toEqual(['ATT_3']);
    const later = await table(`${ATTRIBUTES}/download/json?objetivos=DUIMP&data=2026-02-11`);
    expect(later.detalhesAtributos).toEqual([]);
  });

  test('attributes are found by code, also nested ones, in the requested order', async () => {
    const ask = async (body: object) => (await demo.call('POST', `${ATTRIBUTES}/consulta-codigo`, body)).json;
    expect(await ask({ codigos: ['ATT_9', 'ATT_0', ' ATT_1 ', 'ATT_8'] })).toEqual([
      (DETAILS[3] as unknown as { listaSubatributos: unknown[] }).listaSubatributos[0],
      DETAILS[0],
      NESTED,
    ]);
    expect(codesOf(await ask({ codigos: ['ATT_3'], data: '2026-02-10' }))).toEqual(['ATT_3']);
    expect(codesOf(await ask({ codigos: ['ATT_3'], data: '2026-02-10T23:00:00-03:00' }))).toEqual(['ATT_3']);
    expect(await ask({ codigos: ['ATT_3'], data: '2026-02-11' })).toEqual([]);
    expect(codesOf(await ask({ codigos: ['', ' ', 'ATT_1'] }))).toEqual(['ATT_1']); // no attribute has these
  });

  test('attributes are found by their whole name, ignoring case and accents', async () => {
    const ask = async (body: object) => (await demo.call('POST', `${ATTRIBUTES}/consulta-nome`, body)).json;
    expect(codesOf(await ask({ nomes: ['inventado att_2', 'AÇÃO NOMEADA', 'Ação'] }))).toEqual([
      'ATT_2',
      'ATT_8',
      'ATT_9',
    ]);
  });

  test.each([
    ['consulta-codigo', {}, 'codigos'],
    ['consulta-codigo', { codigos: [] }, 'codigos'],
    ['consulta-codigo', { codigos: Array(101).fill('ATT_1') }, 'codigos'],
    ['consulta-codigo', { codigos: ['ATT_1'], data: 'x' }, 'data'],
    ['consulta-nome', { codigos: ['ATT_1'] }, 'codigos'],
  ])('%s of %j is 400', async (path, body, field) => {
    const { status, json } = await demo.call('POST', `${ATTRIBUTES}/${path}`, body);
    expect([status, json.detail[0].field]).toEqual([400, field]);
  });

  test('a hundred codes are accepted', async () => {
    const codigos = Array(100).fill('ATT_1');
    expect((await demo.call('POST', `${ATTRIBUTES}/consulta-codigo`, { codigos })).json).toHaveLength(100);
  });

  test('lookups require signing in', async () => {
    for (const path of [
      `${OF_NCM}/download/xml`,
      `${ATTRIBUTES}/download/json`,
      `${ATTRIBUTES}/historico-versoes`,
    ])
      expect((await server.anybody.call('GET', path)).status).toBe(401);
    for (const path of ['consulta-codigo', 'consulta-nome'])
      expect((await server.anybody.call('POST', `${ATTRIBUTES}/${path}`, {})).status).toBe(401);
  });
});

test('lookups and downloads answer 404 without a table', async () => {
  for (const path of [
    `${OF_NCM}/download/xml`,
    `${ATTRIBUTES}/download/json`,
    `${API}/atributo/download/json`,
  ])
    expect((await demo.call('GET', path)).status).toBe(404);
  const reply = await demo.call('POST', `${ATTRIBUTES}/consulta-codigo`, { codigos: ['ATT_1'] });
  expect(reply.status).toBe(404);
});
