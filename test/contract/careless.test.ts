/** Careless clients: the tolerated and the refused deviations in a record (contract sections 3 and 4). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type TestApp, openApp } from '../support/app.ts';

const PRODUCTS = '/catp/api/ext/produto/12345678';
const PRODUCT = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const OPERATORS = '/catp/api/ext/operador-estrangeiro/12345678/DE';
const OPERATOR = { nome: 'Muster', logradouro: 'Hauptstrasse 1', nomeCidade: 'Berlin' };

let server: TestApp;
let demo: Awaited<ReturnType<TestApp['as']>>;
beforeAll(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterAll(() => server.close());

const included = async (more: object) => (await demo.call('POST', PRODUCTS, { ...PRODUCT, ...more })).json;

describe('an unknown member', () => {
  test.each([[null], [''], [[]]])(
    'that is empty (%p) is ignored, in the record and in an item of it',
    async (empty) => {
      expect(
        await included({ observacao: empty, atributos: [{ atributo: 'ATT_1', valor: '1', unidade: empty }] }),
      ).not.toHaveProperty('observacao');
    },
  );

  test.each([[' '], [0], [false], [{}], [[null]]])('that has a value (%p) is refused', async (value) => {
    const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, observacao: value });
    expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/observacao']);
  });

  test('lists the accepted ones once, for any number of them', async () => {
    const { json } = await demo.call('POST', PRODUCTS, { ...PRODUCT, um: 1, xyzw: 2, qqqqq: 3 });
    const messages = (json.detail as { message: string }[]).map(({ message }) => message);
    expect(messages).toHaveLength(3);
    expect(messages.filter((message) => message.includes('Aceitos:'))).toHaveLength(1);
  });
});

describe('a text of a record', () => {
  test('accepts a number as its digits, as they were sent', async () => {
    const { denominacao, ncm, codigosInterno } = await included({
      denominacao: 16544,
      ncm: 39269090,
      codigosInterno: [701, '702'],
    });
    expect([denominacao, ncm, codigosInterno]).toEqual(['16544', '39269090', ['701', '702']]);
    const { json } = await demo.call('POST', OPERATORS, { ...OPERATOR, cep: 80331, codigoInterno: 17 });
    expect([json.cep, json.codigoInterno]).toEqual(['80331', '17']);
  });

  test('refuses a boolean, a list and an object', async () => {
    for (const denominacao of [true, ['x'], { x: 1 }]) {
      const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, denominacao });
      expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/denominacao']);
    }
  });
});

describe('Blanks', () => {
  test('loses the blanks around codes, in bodies of one and of many; free texts keep theirs', async () => {
    const padded = { modalidade: ' IMPORTACAO', ncm: ' 39269090 ', codigosInterno: ['  PECA-9  '] };
    const record = await included({ ...padded, denominacao: ' Caixa ' });
    expect(record).toMatchObject({ modalidade: 'IMPORTACAO', ncm: '39269090', codigosInterno: ['PECA-9'] });
    expect(record.denominacao).toBe(' Caixa ');
    const list = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678&codigoInterno=PECA-9');
    expect(list.json).toHaveLength(1);
    const item = { seq: 1, cpfCnpjRaiz: '12345678 ', codigo: ` ${String(record.codigo)} `, ...PRODUCT };
    const batch = await demo.call('POST', '/catp/api/ext/produto', [{ ...item, situacao: ' Ativado ' }]);
    expect(batch.json).toMatchObject([{ sucesso: true, versao: '2' }]);
    const operator = await demo.call('POST', OPERATORS, { ...OPERATOR, tin: ' DE1 ', nome: ' Muster ' });
    expect([operator.json.tin, operator.json.nome]).toEqual(['DE1', ' Muster ']);
  });

  test('of blanks only is a code of size 0', async () => {
    const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, codigosInterno: ['   '] });
    expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/codigosInterno/0']);
  });
});

describe('the answer of a GET', () => {
  const listed = async (codigo: number) =>
    (await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=12345678&codigo=${codigo}`)).json[0];
  const outcomeOf = async (method: string, path: string, body: object) => {
    const { status, json } = await demo.call(method, path, body);
    return status === 200 ? json.versao : [status, json.detail?.[0]?.path];
  };

  test('of a product can be sent back: as a new version, a rectification, another product', async () => {
    const { codigo } = await included({});
    const at = `${PRODUCTS}/${codigo}`;
    const exported = { ...(await listed(codigo)), situacao: 'Ativado', codigo: `000${codigo}` };
    expect(await outcomeOf('PUT', at, exported)).toBe('2');
    const current = await listed(codigo);
    expect(await outcomeOf('PUT', at, { ...current, codigo: String(codigo) })).toBe('3');
    expect(await outcomeOf('PUT', `${at}/1`, { ...current, versao: '1' })).toBe('1.1');
    expect(await outcomeOf('PUT', `${at}/1`, { ...current, versao: '3' })).toBe('1.2');
    expect(await outcomeOf('POST', PRODUCTS, { ...current, codigo: null, versao: '1', seq: 99 })).toBe('1');
    await demo.call('PUT', `/catp/api/ext/produto/desativar/12345678/${codigo}`);
    const off = await listed(codigo);
    expect([off.situacao, await outcomeOf('PUT', at, off)]).toEqual(['DESATIVADO', '4']);
  });

  test('can have the form of other members: numbers in texts, blanks around codes', async () => {
    const { codigo } = await included({});
    const echo = { versao: 1, cpfCnpjRaiz: 12345678, situacao: ' Ativado ', codigo: ` ${codigo} ` };
    expect(await outcomeOf('PUT', `${PRODUCTS}/${codigo}`, { ...PRODUCT, ...echo })).toBe('2');
    expect(await outcomeOf('POST', PRODUCTS, { ...PRODUCT, versao: 1 })).toBe('1');
    const wrong = { ...PRODUCT, versao: true };
    expect(await outcomeOf('PUT', `${PRODUCTS}/${codigo}`, wrong)).toEqual([400, '/versao']);
  });

  test('of an operator can be sent back, to its address', async () => {
    const { json } = await demo.call('POST', OPERATORS, OPERATOR);
    const at = `${OPERATORS}/${json.codigo}`;
    expect(await outcomeOf('PUT', at, json)).toBe('2');
    expect(await outcomeOf('PUT', `${at}/1`, json)).toBe('1.1');
    expect(await outcomeOf('POST', `${at}/2026-01-02`, { ...json, versao: '2' })).toBe('3');
    expect(await outcomeOf('PUT', at, { ...json, versao: '2', codigoPais: 'FR' })).toEqual([
      400,
      '/codigoPais',
    ]);
    expect(await outcomeOf('POST', OPERATORS, { ...json, codigo: '', seq: 'x' })).toBe('1');
  });

  test('of a link can be sent back', async () => {
    const { codigo } = await included({});
    const link = { codigoProduto: codigo, conhecido: false, codigoPais: 'FI', cpfCnpjRaiz: '12345678' };
    const path = '/catp/api/ext/fabricante/12345678';
    expect((await demo.call('POST', path, link)).status).toBe(200);
    expect((await demo.call('PUT', path, { ...link, cpfCnpjRaiz: '87654321' })).status).toBe(400);
    expect((await demo.call('PUT', path, { ...link, seq: 1 })).status).toBe(200);
  });

  test('of a draft can be sent back to it', async () => {
    const drafts = '/appliance/api/products/drafts';
    const { json } = await demo.call('POST', drafts, { cpfCnpjRaiz: '12345678', denominacao: 'A' });
    const at = `${drafts}/12345678/${json.codigo}`;
    expect(await outcomeOf('PUT', at, { ...json, denominacao: 'B' })).toBe('1');
    expect((await listed(json.codigo)).denominacao).toBe('B');
  });

  test.each([
    ['cpfCnpjRaiz', '87654321'],
    ['codigo', 999],
    ['versao', '7'],
    ['situacao', 'DESATIVADO'],
    ['situacao', 1],
  ])('that differs from path and record is refused: %s %p', async (member, value) => {
    const { codigo } = await included({});
    const body = { ...PRODUCT, [member]: value };
    expect(await outcomeOf('PUT', `${PRODUCTS}/${codigo}`, body)).toEqual([400, `/${member}`]);
    expect(await outcomeOf('POST', PRODUCTS, body)).toEqual([400, `/${member}`]);
    expect(await outcomeOf('PUT', `${PRODUCTS}/9999999`, PRODUCT)).toEqual([404, undefined]);
  });
});

describe('blanks in a query', () => {
  test('are removed around codes, also before the company is checked', async () => {
    const { codigo } = await included({ codigosInterno: ['  PECA-10  '], ncm: '39269090' });
    const query = `cpfCnpjRaiz=%2012345678%20&codigo=%20${codigo}&ncm=39269090%20&situacao=0%20&modalidade=%20IMPORTACAO`;
    const matches = await demo.call('GET', `/catp/api/ext/produto?${query}&codigoInterno=PECA-10%20%20`);
    expect([matches.status, matches.json.length]).toEqual([200, 1]);
    const none = await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=%2011222333');
    expect(none.status).toBe(403);
    expect((await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=%20')).status).toBe(400);
    const operator = await demo.call('POST', OPERATORS, { ...OPERATOR, codigoInterno: ' X1 ', tin: 'DE77' });
    const other = `cpfCnpjRaiz=12345678&tin=%20DE77&codigo=${operator.json.codigo}%20&codigoInterno=X1%20&paisOrigem=DE%20`;
    const list = await demo.call('GET', `/catp/api/ext/operador-estrangeiro?${other}`);
    expect([list.status, list.json.length]).toEqual([200, 1]);
  });
});

describe('an attribute item', () => {
  test.each([[{ atributo: ' ', valor: '' }], [{ atributo: null, valor: '  ' }], [{}]])(
    'with only blanks (%p) is absent',
    async (blank) => {
      const atributos = [blank, { atributo: 'ATT_1', valor: '1' }];
      expect((await included({ atributos, denominacao: JSON.stringify(blank) })).atributos).toEqual([
        { atributo: 'ATT_1', valor: '1' },
      ]);
    },
  );

  test('with empty lists is absent too; an incomplete one is refused, at its place', async () => {
    const record = await included({
      denominacao: 'Listas',
      atributosMultivalorados: [{ atributo: '', valores: [' '] }],
      atributosCompostos: [{ atributo: '', valores: [{ atributo: ' ', valor: ' ' }] }],
      atributosCompostosMultivalorados: [{ atributo: ' ', valores: [[{ atributo: '', valor: '' }]] }],
    });
    expect([record.atributosMultivalorados, record.atributosCompostos]).toEqual([[], []]);
    expect(record.atributosCompostosMultivalorados).toEqual([]);
    const atributos = [{}, { atributo: ' ', valor: '1' }];
    const answer = await demo.call('POST', PRODUCTS, { ...PRODUCT, atributos });
    expect([answer.status, answer.json.detail[0].path]).toEqual([400, '/atributos/1/atributo']);
  });
});

describe('blanks around a value', () => {
  let withTable: TestApp;
  beforeAll(async () => {
    withTable = await openApp({ demo: true });
  });
  afterAll(() => withTable.close());

  test('of a domain are removed; those of a text are kept', async () => {
    const client = await withTable.as('demo');
    const coffee = (code: string) => ({
      denominacao: `Café ${code}`,
      modalidade: 'IMPORTACAO',
      ncm: '09012100',
      atributos: [
        { atributo: 'ATT_90001', valor: code },
        { atributo: 'ATT_90005', valor: 'true' },
        { atributo: 'ATT_90006', valor: ` ${code}` },
        { atributo: 'ATT_90007', valor: '2030-12-31' },
      ],
    });
    const answer = await client.call('POST', PRODUCTS, coffee('01  '));
    expect([answer.status, answer.json.atributos[0].valor, answer.json.atributos[2].valor]).toEqual([
      200,
      '01',
      '01',
    ]);
    const item = { seq: 1, cpfCnpjRaiz: '12345678', ...coffee('  01') };
    const batch = await client.call('POST', '/catp/api/ext/produto', [item]);
    expect(batch.json[0].erros).toEqual([]);
    const text = { ...PRODUCT, atributos: [{ atributo: 'ATT_1', valor: ' 1 ' }] };
    expect((await included(text)).atributos[0].valor).toBe(' 1 ');
  });
});

describe('a word', () => {
  test.each([
    ['INATIVADO', 'DESATIVADO'],
    ['ATIVDO', 'ATIVADO'],
    ['NÃO ATIVADO', undefined],
  ])('%s suggests %s, never its opposite', async (situacao, suggested) => {
    const item = { seq: 1, cpfCnpjRaiz: '12345678', ...PRODUCT, situacao };
    const { json } = await demo.call('POST', '/catp/api/ext/produto', [item]);
    expect(/Você quis dizer (\w+)/.exec(json[0].erros[0])?.[1]).toBe(suggested as string);
  });
});

describe('a dataReferencia of a body', () => {
  const LINKS = '/catp/api/ext/fabricante';
  /** Returns the first valid day of the link, or the status of the refusal. */
  const startOf = async (dataReferencia: string): Promise<unknown> => {
    const { codigo } = await included({});
    const item = {
      seq: 1,
      cpfCnpjRaiz: '12345678',
      codigoProduto: codigo,
      conhecido: false,
      codigoPais: 'FI',
    };
    const { json } = await demo.call('POST', LINKS, [{ ...item, dataReferencia }]);
    if (json[0].sucesso !== true) return json[0].erros[0];
    const query = `cpfCnpjRaiz=12345678&codigoProduto=${codigo}`;
    const page = await demo.call('GET', `/appliance/api/manufacturer-links?${query}`);
    return page.json.items[0].startsOn;
  };

  test.each([
    ['2026-01-02', '2026-01-02'],
    ['2026-01-02T00:00:00-03:00', '2026-01-02'],
    ['2026-01-02T00:00:00.000+0000', '2026-01-02'],
    ['2026-01-02T00:00:00Z', '2026-01-02'],
    ['2026-01-02T02:59:59Z', '2026-01-01'],
    ['2026-01-02T03:00:00Z', '2026-01-02'],
    ['2026-01-02T23:30:00', '2026-01-02'],
  ])('accepts %s as %s', async (dataReferencia, day) => {
    expect(await startOf(dataReferencia)).toBe(day);
  });

  test.each(['2026-02-30T00:00:00Z', '2026-01-02T25:00:00Z', '2026-01-02 00:00:00', '02/01/2026'])(
    'refuses %s',
    async (dataReferencia) => {
      expect(await startOf(dataReferencia)).toContain('dataReferencia: recebido');
    },
  );
});

describe('with corpo.desconhecidos = anotar', () => {
  let noting: TestApp;
  let client: Awaited<ReturnType<TestApp['as']>>;
  beforeAll(async () => {
    noting = await openApp({ settings: { 'corpo.desconhecidos': 'anotar' } });
    client = await noting.as('demo');
  });
  afterAll(() => noting.close());

  /** Returns the journal's notes on the last request. */
  const noticed = async () => {
    const { json } = await (await noting.as('admin')).call('GET', '/appliance/api/requests?limit=20');
    const [last] = (json as { path: string; notices: { path: string }[] }[]).filter(({ path }) =>
      path.startsWith('/catp'),
    );
    return (last?.notices ?? []).map(({ path }) => path);
  };

  test('an unknown member of one record is ignored and noted, a misspelt one is refused', async () => {
    const body = { ...PRODUCT, estoque: 7, atributos: [{ atributo: 'ATT_1', valor: '1', unidade: 'kg' }] };
    expect((await client.call('POST', PRODUCTS, body)).status).toBe(200);
    expect(await noticed()).toEqual(['/estoque', '/atributos/0/unidade']);
    const slip = await client.call('POST', PRODUCTS, { ...PRODUCT, descricoa: 'x' });
    expect([slip.status, slip.json.detail[0].path]).toEqual([400, '/descricoa']);
    const echo = await client.call('POST', PRODUCTS, { ...PRODUCT, situacao: 'DESATIVADO' });
    expect([echo.status, echo.json.detail[0].path]).toEqual([400, '/situacao']);
  });

  test('unknown members of the items of a batch are noted, each at its place', async () => {
    const item = { cpfCnpjRaiz: '12345678', ...PRODUCT };
    const items = [
      { ...item, seq: 1 },
      { ...item, seq: 2, estoque: 7 },
      { ...item, seq: 3, descricoa: 'x', estoque: 7 },
    ];
    const { json } = await client.call('POST', '/catp/api/ext/produto', items);
    expect(json.map(({ sucesso }: { sucesso: boolean }) => sucesso)).toEqual([true, true, false]);
    expect(await noticed()).toEqual(['/1/estoque', '/2/estoque']);
  });

  test('bodies without a record are still validated strictly', async () => {
    const hook = { endpoint: 'https://a.example/x', evento: 'catp-prod-desativado', estoque: 7 };
    const answer = await client.call('POST', '/portal/api/ext/webhook', hook);
    expect([answer.status, answer.json.detail.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      expect.arrayContaining(['/estoque']),
    ]);
  });
});
