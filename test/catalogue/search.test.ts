/** GET /appliance/api/search: one field for all records of a company (contract section 25). */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

const COMPANY = '12345678';
const OTHER = '87654321';
const PRODUCTS = '/catp/api/ext/produto';
const OPERATORS = '/catp/api/ext/operador-estrangeiro';

let server: TestApp;
let demo: Client;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
  demo = await server.as('demo');
  const product = (denominacao: string, ncm: string, codigosInterno: string[] = []) =>
    callOk('POST', `${PRODUCTS}/${COMPANY}`, { denominacao, modalidade: 'IMPORTACAO', ncm, codigosInterno });
  await product('Parafuso sextavado de aço', '73181500', ['PF-10', 'X 1']);
  await product('Válvula de aço para parafuso', '84818095', ['VA-7']);
  await product('Arruela', '73182200', ['7']);
  await product('Arruela', '73182200');
  await callOk('PUT', `${PRODUCTS}/desativar/${COMPANY}/3`);
  for (const code of ['AÇO-1', '12']) await product('Chapa', '39269090', [code]);
  const operator = { logradouro: 'Rua 1', nomeCidade: 'Lyon' };
  await callOk('POST', `${OPERATORS}/${COMPANY}/FR`, { ...operator, nome: 'Aços Müller', tin: 'FR99' });
  await callOk('POST', `${PRODUCTS}/${OTHER}`, {
    denominacao: 'Parafuso alheio',
    modalidade: 'IMPORTACAO',
    ncm: '73181500',
  });
});
afterAll(() => server.close());

async function callOk(method: string, path: string, body?: unknown): Promise<void> {
  const reply = await demo.call(method, path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
}

const path = (text: string, more = ''): string =>
  `/appliance/api/search?cpfCnpjRaiz=${COMPANY}&text=${encodeURIComponent(text)}${more}`;

/** Returns the codes of the matches: products, then operators. */
async function matchingCodes(text: string, more = ''): Promise<unknown[]> {
  const { json } = await demo.call('GET', path(text, more));
  return [...json.products, ...json.operators].map(({ codigo }: { codigo: unknown }) => codigo);
}

test('any user with the company searches it; an empty or too long text is refused', async () => {
  expect((await server.anybody.call('GET', path('a'))).status).toBe(401);
  for (const none of ['estranho', 'admin'] as const)
    expect((await (await server.as(none)).call('GET', path('a'))).status).toBe(403);
  expect((await (await server.as('publico')).call('GET', path('a'))).status).toBe(200);
  for (const wrong of [path(''), path('x'.repeat(201)), path('a', '&limit=0'), path('a', '&limit=101')])
    expect((await demo.call('GET', wrong)).status).toBe(400);
  for (const right of [path('x'.repeat(200)), path('a', '&limit=1'), path('a', '&limit=100')])
    expect((await demo.call('GET', right)).status).toBe(200);
});

test('answers records with their distinguishing members, and none of another company', async () => {
  expect((await demo.call('GET', path('parafuso sextavado'))).json).toEqual({
    products: [
      {
        codigo: 1,
        denominacao: 'Parafuso sextavado de aço',
        situacao: 'ATIVADO',
        ncm: '73181500',
        codigosInterno: ['PF-10', 'X 1'],
      },
    ],
    operators: [],
    ncms: [],
  });
  expect((await demo.call('GET', path('müller'))).json.operators).toEqual([
    { codigo: 'OPE_1', nome: 'Aços Müller', codigoPais: 'FR', situacao: 'ATIVADO' },
  ]);
});

describe('finds', () => {
  test.each([
    ['words in any order, without case and accents', 'ACO parafuso', [1, 2]],
    ['a part of a word', 'sextav', [1]],
    ['a beginning of an internal code', 'pf-', [1]],
    ['an internal code that contains a blank', 'x 1', [1]],
    ['the first digits of an NCM, dotted or not', '7318.15', [1]],
    ['words of a name and a code together', 'válvula VA', [2]],
    ['a TIN', 'fr99', ['OPE_1']],
    ['an internal code with accents, with its accents', 'AÇO-1', [5]],
    ['an internal code with accents, without its accents', 'aco-1', [5]],
    ['a whole code of a product before a part of one', '2', [2, 6]],
    ['an internal code that contains a digit, but no NCM that contains it', '0', [1]],
    ['a code of an operator', 'ope_1', ['OPE_1']],
    ['a whole code first, then active records, then the others', '7', [3, 4, 1, 2]],
    ['active records before the others', 'arruela', [4, 3]],
    ['nothing if no record has one of the words', 'parafuso zzz', []],
    ['nothing for an empty search', ' ', []],
    ['nothing for a full stop', '.', []],
    ['nothing for a sign of a pattern', '%', []],
    ['nothing for a quotation mark', '"', []],
  ])('%s', async (_what, text, codes) => {
    expect(await matchingCodes(text)).toEqual(codes);
  });

  test('answers at most the requested number', async () => {
    expect(await matchingCodes('parafuso', '&limit=1')).toEqual([1]);
  });
});

describe('searches all companies of the caller', () => {
  const search = async (user: 'demo' | 'admin' | 'publico' | 'estranho', text: string, more = '') => {
    const client = await server.as(user);
    const answer = await client.call('GET', `/appliance/api/search?text=${encodeURIComponent(text)}${more}`);
    expect(answer.status).toBe(200);
    return answer.json;
  };

  test('each match has its company, and all are counted beyond the limit', async () => {
    const { products, total, perCompany } = await search('demo', 'parafuso', '&limit=2');
    expect(
      products.map(({ cpfCnpjRaiz, denominacao }: Record<string, unknown>) => [cpfCnpjRaiz, denominacao]),
    ).toEqual([
      [OTHER, 'Parafuso alheio'],
      [COMPANY, 'Parafuso sextavado de aço'],
    ]);
    expect(products[0].empresa).toBe('Modelo Comércio Exterior Ltda.');
    expect(total).toEqual({ products: 3, operators: 0 });
    expect(perCompany).toEqual([
      { cpfCnpjRaiz: COMPANY, empresa: 'Exemplo Importadora S.A.', products: 2, operators: 0 },
      { cpfCnpjRaiz: OTHER, empresa: 'Modelo Comércio Exterior Ltda.', products: 1, operators: 0 },
    ]);
  });

  test.each(['7318.15', '731815', '73', '7318.15.00'])(
    'the NCM %s finds the products of each company',
    async (text) => {
      const { perCompany } = await search('demo', text);
      expect(perCompany.map(({ cpfCnpjRaiz }: { cpfCnpjRaiz: string }) => cpfCnpjRaiz)).toEqual([
        COMPANY,
        OTHER,
      ]);
    },
  );

  test.each([
    ['words of its name', 'exterior MODELO', [OTHER]],
    ['the beginning of its CNPJ', '876', [OTHER]],
    ['its CNPJ with points', '87.654.321', [OTHER]],
    ['its whole CNPJ', '87.654.321/0001-90', [OTHER]],
    ['no two digits, which many companies start with', '87', []],
    ['no other word', 'zzz', []],
    ['no blank', ' ', []],
  ])('a company is found by %s', async (_what, text, roots) => {
    const { companies } = await search('demo', text);
    expect(companies.map(({ cpfCnpjRaiz }: { cpfCnpjRaiz: string }) => cpfCnpjRaiz)).toEqual(roots);
  });

  test('a user without a company gets nothing, a public agent the records of all', async () => {
    for (const user of ['estranho', 'admin'] as const) {
      const { products, companies, total } = await search(user, 'parafuso');
      expect([products, companies, total]).toEqual([[], [], { products: 0, operators: 0 }]);
    }
    expect((await search('publico', 'parafuso')).total.products).toBe(3);
  });
});
