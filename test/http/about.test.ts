/**
 * The subjects of problems, as data: present under `/appliance` and for clients that request them; the
 * specification's bodies do not change.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../support/app.ts';

let server: TestApp;
let demo: Client;
let admin: Client;
beforeAll(async () => {
  server = await openApp({ demo: true, settings: { perfil: 'portal' } });
  [demo, admin] = await Promise.all([server.as('demo'), server.as('admin')]);
});
afterAll(() => server.close());

const PRODUCTS = '/catp/api/ext/produto/12345678';
const COFFEE = { denominacao: 'Café', modalidade: 'IMPORTACAO', ncm: '09012100' };
const ASKS = { Prefer: 'about' };

/** Returns the path and the subject of each problem. */
async function problemsOf(body: object, headers = ASKS): Promise<[string, unknown][]> {
  const { detail } = (await demo.call('POST', PRODUCTS, body, headers)).json;
  return detail.map(({ path, about }: { path: string; about: unknown }) => [path, about]);
}

const coffeeWith = (...atributos: readonly (readonly [string, string])[]) => ({
  ...COFFEE,
  atributos: atributos.map(([atributo, valor]) => ({ atributo, valor })),
});

test('the bodies of the specification have four members in a problem, unless the caller requests more', async () => {
  for (const headers of [{}, { Prefer: 'return=minimal' }]) {
    const { detail } = (await demo.call('POST', PRODUCTS, COFFEE, headers)).json;
    expect(detail.length).toBeGreaterThan(0);
    for (const problem of detail) expect(Object.keys(problem)).toEqual(['message', 'code', 'field', 'path']);
  }
  expect(await problemsOf(COFFEE)).toContainEqual(['/atributos', { attribute: 'ATT_90001' }]);
});

test('operations of catp have it for every caller', async () => {
  const draft = { cpfCnpjRaiz: '12345678', denominacao: 'Café', descricoa: 'x' };
  expect((await demo.call('POST', '/appliance/api/products/drafts', draft)).json.detail).toEqual([
    expect.objectContaining({ path: '/descricoa', about: { suggestion: 'descricao' } }),
  ]);
});

test('the same product is named by its code', async () => {
  const screw = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
  const { codigo } = (await demo.call('POST', PRODUCTS, screw)).json;
  expect(await problemsOf(screw)).toEqual([[null as unknown as string, { twin: codigo }]]);
});

describe('another attribute is suggested', () => {
  const suggested = async (code: string, valor: string, ...others: readonly (readonly [string, string])[]) =>
    (await problemsOf(coffeeWith([code, valor], ...others))).find(
      ([path]) => path === '/atributos/0/atributo',
    )?.[1];

  test('when the code is one edit away and the value fits', async () => {
    expect(await suggested('ATT_9005', 'true')).toEqual({ attribute: 'ATT_9005', suggestion: 'ATT_90005' });
    expect(await suggested('ATT_90050', 'true')).toMatchObject({ suggestion: 'ATT_90005' });
  });

  test.each([
    ['the value does not fit', 'ATT_9005', 'talvez', []],
    ['it is there already', 'ATT_9005', 'true', [['ATT_90005', 'false']]],
    ['it is two slips away', 'ATT_905', 'true', []],
    ['its condition does not hold', 'ATT_9006', '01', [['ATT_90005', 'false']]],
  ] as const)('and not when %s', async (_, code, valor, others) => {
    expect(await suggested(code, valor, ...others)).toEqual({ attribute: code });
  });

  test('a conditioned one when its condition is met', async () => {
    expect(await suggested('ATT_9006', '01', ['ATT_90005', 'true'])).toMatchObject({
      suggestion: 'ATT_90006',
    });
  });
});

test('the journal has it too', async () => {
  await demo.call('POST', PRODUCTS, coffeeWith(['ATT_90001', '1'], ['ATT_90005', 'false']));
  const [row] = (await admin.call('GET', '/appliance/api/requests?limit=1')).json;
  expect(row.problems).toEqual([
    expect.objectContaining({ about: { attribute: 'ATT_90001', suggestion: '01' } }),
  ]);
});
