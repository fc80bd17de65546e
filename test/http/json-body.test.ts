/** Valid JSON bodies, and the explanations of invalid ones (contract sections 3 and 4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { JSON_MAX_NAMES, JSON_MAX_VALUES } from '../../src/validation/json-document.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto';
const INCLUDE = `${PRODUCTS}/12345678`;
const SUBSCRIBE = '/portal/api/ext/webhook';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };

let server: TestApp;
let demo: Client;

beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterAll(() => server.close());

/** The only message of a refusal with 400. */
async function refused(path: string, body: string | Uint8Array): Promise<string> {
  const { status, json } = await demo.call('POST', path, body);
  expect([status, json.code, json.detail.length]).toEqual([400, 'PUCX-ER0010', 1]);
  expect(json.message).toBe(json.detail[0].message);
  return json.detail[0].message;
}

const productsKept = (): number =>
  server.app.core.db.prepare<[], number>('SELECT count(*) FROM product').pluck().get() ?? 0;

describe('a body that is no JSON is explained with line and column:', () => {
  test.each([
    ['{"a": 1,}', 'linha 1, coluna 9', 'encontrado "}"', 'retire a vírgula'],
    ['{\n  "a": [1, 2,]\n}', 'linha 2, coluna 14', 'encontrado "]"', 'retire a vírgula'],
    ['{"a": NaN}', 'linha 1, coluna 7', 'encontrado "NaN"', 'use null'],
    ['{"a":\n-Infinity}', 'linha 2, coluna 2', 'encontrado "Infinity"', 'use null'],
    ['{"ação": undefined}', 'linha 1, coluna 10', 'encontrado "undefined"', 'use null'],
    ['{"😀": True}', 'linha 1, coluna 7', 'encontrado "True"', 'use true ou false'],
    ["{'a': 1}", 'linha 1, coluna 2', `encontrado "'a'"`, 'aspas duplas'],
    ['{“a”: 1}', 'linha 1, coluna 2', 'encontrado "“a”"', 'aspas duplas retas'],
    ['{a: 1}', 'linha 1, coluna 2', 'encontrado "a"', 'entre aspas duplas'],
    ['// nota\n{}', 'linha 1, coluna 1', 'encontrado "//"', 'JSON não tem comentários'],
    ['{"a": 1 /* nota */}', 'linha 1, coluna 9', 'encontrado "/*"', 'JSON não tem comentários'],
    ['{"a": 1', 'linha 1, coluna 8', 'termina antes do fim', 'envie-o inteiro'],
    ['{"a": "x', 'linha 1, coluna 9', 'termina antes do fim', 'envie-o inteiro'],
    ['{"a": "x\ny"}', 'linha 1, coluna 9', 'o byte 0x0A', 'feche as aspas'],
    ['{"a": 1,5}', 'linha 1, coluna 9', 'encontrado "5"', 'separadas por ponto'],
    ['{"a": 007}', 'linha 1, coluna 8', 'encontrado "07"', 'não começam com zero'],
    ['{"a": +1}', 'linha 1, coluna 7', 'encontrado "+1"', 'não levam o sinal +'],
    ['{"a": .5}', 'linha 1, coluna 7', 'encontrado ".5"', 'escreva o zero'],
    ['{"a" 1}', 'linha 1, coluna 6', 'encontrado "1"', 'esperado ":"'],
    ['{"a": 1 "b": 2}', 'linha 1, coluna 9', 'encontrado aspas (")', 'esperado "," ou "}"'],
    ['{"a": "\\x"}', 'linha 1, coluna 9', 'encontrado "x"', 'um escape de JSON'],
    ['{} {}', 'linha 1, coluna 4', 'encontrado "{"', 'esperado o fim do documento'],
    ['\ufeff{"a":,}', 'linha 1, coluna 6', 'encontrado ","', 'esperado um valor'],
  ])('%j', async (body, place, excerpt, advice) => {
    const message = await refused(INCLUDE, body);
    expect(message).toStartWith('O corpo não é JSON (linha ');
    for (const part of [place, excerpt, advice]) expect(message).toContain(part);
  });

  test('an empty one is reported as empty', async () => {
    for (const body of ['', ' \n'])
      expect(await refused(INCLUDE, body)).toBe('O corpo está vazio; envie um documento JSON.');
  });

  test('the received text is cut at 100 characters', async () => {
    const message = await refused(INCLUDE, `{"a": ${'é'.repeat(5000)}}`);
    expect(message).toContain(`encontrado "${'é'.repeat(100)}…", esperado um valor`);
  });

  test('no text of a body with secrets is shown', async () => {
    for (const value of ['segredo', "'segredo'", '"segredo" segredo', 'nsegredo', '"segredo\n"']) {
      const message = await refused(SUBSCRIBE, `{"evento":"a","chaveSecreta":${value}}`);
      expect(message).toStartWith('O corpo não é JSON (linha 1, coluna ');
      expect(message).toContain('esperado');
      expect(message).not.toContain('segredo');
      expect(message).not.toContain('encontrado');
    }
  });

  test('bytes that are not UTF-8 are reported with their position', async () => {
    const latin1 = Buffer.from('{"denominacao":\n"A\u00e7\u00e3o"}', 'latin1');
    expect(await refused(INCLUDE, latin1)).toBe(
      'O corpo não é UTF-8 válido (linha 2, coluna 3): o byte 0xE7 não é UTF-8; grave o texto em UTF-8.',
    );
    const cut = Buffer.from('{"denominacao":"Ação').subarray(0, -2);
    expect(await refused(INCLUDE, cut)).toBe('O corpo não é UTF-8 válido: termina no meio de um caractere.');
    expect(await refused(PRODUCTS, Buffer.from([0x5b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x5d]))).toContain(
      'não é UTF-8',
    );
  });
});

describe('levels of objects and lists', () => {
  const nested = (levels: number): string =>
    `{"evento":"a","destinatarioTipo":"CPF","destinatarioId":"00000000191","conteudo":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

  test('are limited to a hundred', async () => {
    const admin = await server.as('admin');
    expect((await admin.call('POST', '/appliance/api/events', nested(100))).status).toBe(200);
    const reply = await admin.call('POST', '/appliance/api/events', nested(101));
    const column = nested(101).indexOf('[') + 100;
    expect([reply.status, reply.json.message]).toEqual([
      400,
      `O corpo tem mais de 100 níveis de objetos e listas (linha 1, coluna ${column}); aceita até 100.`,
    ]);
    expect(await refused(INCLUDE, '['.repeat(200_000))).toContain('mais de 100 níveis');
    expect(await refused(INCLUDE, `{x${'['.repeat(200)}`)).toContain('entre aspas duplas');
  });
});

describe('members of objects', () => {
  const members = (count: number): string => Array.from({ length: count }, (_, at) => `"m${at}":1`).join();
  /** Returns a body with `count` members in all: four enclose the content. */
  const event = (count: number): string =>
    `{"evento":"a","destinatarioTipo":"CPF","destinatarioId":"00000000191","conteudo":{${members(count - 4)}}}`;

  test('are limited to 250 000 in a body', async () => {
    const admin = await server.as('admin');
    expect((await admin.call('POST', '/appliance/api/events', event(JSON_MAX_NAMES))).status).toBe(200);
    const reply = await admin.call('POST', '/appliance/api/events', event(JSON_MAX_NAMES + 1));
    expect([reply.status, reply.json.message]).toEqual([
      400,
      'O corpo tem mais de 250.000 membros em seus objetos ao todo; aceita até 250.000. Envie-o em partes.',
    ]);
  });

  test('are limited to 400 000 together with the items of lists, of any size', async () => {
    const admin = await server.as('admin');
    // Four members enclose the content and its items.
    const listed = (count: number): string =>
      `{"evento":"a","destinatarioTipo":"CPF","destinatarioId":"00000000191","conteudo":[${Array(count - 4)
        .fill('1')
        .join()}]}`;
    expect((await admin.call('POST', '/appliance/api/events', listed(JSON_MAX_VALUES))).status).toBe(200);
    const reply = await admin.call('POST', '/appliance/api/events', listed(JSON_MAX_VALUES + 1));
    expect([reply.status, reply.json.message]).toEqual([
      400,
      'O corpo tem mais de 400.000 valores, entre membros e itens de listas, ao todo; aceita até 400.000. Envie-o em partes.',
    ]);
  });
});

describe('a repeated member of an object', () => {
  test('is refused, each with its place, and nothing is stored', async () => {
    const before = productsKept();
    const attributes = '[{"atributo":"ATT_1","valor":"1","valor":"1"}]';
    const body = `{"denominacao":"A","modalidade":"IMPORTACAO","ncm":"73181500","denominac\\u0061o":"B","atributos":${attributes}}`;
    const { status, json } = await demo.call('POST', INCLUDE, body);
    expect([status, json.detail]).toEqual([
      400,
      [
        {
          code: 'PUCX-ER0010',
          message: 'Membro "denominacao" recebido mais de uma vez no mesmo objeto; informe-o uma só vez.',
          field: 'denominacao',
          path: '/denominacao',
        },
        expect.objectContaining({ field: 'atributos', path: '/atributos/0/valor' }),
      ],
    ]);
    expect(productsKept()).toBe(before);
  });

  test('refuses a whole batch', async () => {
    const before = productsKept();
    const good = JSON.stringify({ seq: 1, cpfCnpjRaiz: '12345678', ...PRODUCT });
    const repeatedMember = good.replace('"seq":1', '"seq":2,"seq":2');
    const { status, json } = await demo.call('POST', PRODUCTS, `[${good},${repeatedMember}]`);
    expect([status, json.detail[0].path, productsKept()]).toEqual([400, '/1/seq', before]);
  });

  test('is accepted in neighbouring and nested objects', async () => {
    const atributos = [
      { atributo: 'ATT_1', valor: '{"a":1,"a":2}' },
      { atributo: 'ATT_2', valor: '1' },
    ];
    expect((await demo.call('POST', INCLUDE, { ...PRODUCT, atributos })).status).toBe(200);
  });
});

describe('an integer', () => {
  test.each(['"0000000001"', '1.0', '1'])('of an item is read as %s', async (one) => {
    await demo.call('POST', INCLUDE, PRODUCT);
    const item = `{"seq":${one},"codigo":${one},"cpfCnpjRaiz":"12345678","denominacao":"Porca","modalidade":"IMPORTACAO","ncm":"73181500"}`;
    const { json } = await demo.call('POST', PRODUCTS, `[${item}]`);
    expect(json[0]).toMatchObject({ seq: 1, codigo: '1', erros: [], sucesso: true });
  });

  test.each(['"0"', '"10000000000"', '"1 1"', '"1.0"', '"-1"', '"x"', '""', '1.5', 'true', '[1]'])(
    'of a link is not read as %s',
    async (codigoProduto) => {
      const body = `{"codigoProduto":${codigoProduto},"conhecido":false,"codigoPais":"DE"}`;
      const { status, json } = await demo.call('POST', '/catp/api/ext/fabricante/12345678', body);
      expect([status, json.detail[0].path]).toEqual([400, '/codigoProduto']);
      expect(json.message).toStartWith(
        `codigoProduto: recebido ${codigoProduto}; aceita um número inteiro de 1 a `,
      );
    },
  );

  test('of a link, a concession act and a subscription is read as text', async () => {
    await demo.call('POST', INCLUDE, PRODUCT);
    const link = { codigoProduto: '1', conhecido: false, codigoPais: 'DE' };
    const linked = await demo.call('POST', '/catp/api/ext/fabricante/12345678', link);
    expect([linked.status, linked.json.codigoProduto]).toEqual([200, 1]);
    const act = { seq: '1', codigoProduto: '1', cpfCnpjRaiz: '12345678', numeroAto: '1', numeroItem: '1' };
    const acted = await demo.call('POST', '/catp/api/ext/regime-especial', [act]);
    expect(acted.json).toEqual([{ seq: 1, codigo: '1', erros: [], sucesso: true }]);
    const request = { evento: 'duex-historico', endpoint: 'https://erp.empresa.example/' };
    const { id } = (await demo.call('POST', SUBSCRIBE, request)).json;
    const changed = await demo.call('PUT', `${SUBSCRIBE}/${id}`, { id: String(id), ...request });
    expect([changed.status, changed.json.id]).toEqual([200, id]);
  });
});
