/** The valid values that accompany each problem of a refused request. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

let server: TestApp;
let demo: Client;
let admin: Client;
beforeAll(async () => {
  server = await openApp({ demo: true });
  [demo, admin] = await Promise.all([server.as('demo'), server.as('admin')]);
});
afterAll(() => server.close());

const PRODUCTS = '/catp/api/ext/produto/12345678';
const PRODUCT = { denominacao: 'Café', modalidade: 'IMPORTACAO', ncm: '09012100' };

interface Advised {
  readonly path: string;
  readonly suggestion: string | null;
  readonly valid: unknown;
}

/** Returns the advice for each problem of the last request, by the path of the problem. */
async function adviceTo(
  status: number,
  method: string,
  path: string,
  body?: unknown,
): Promise<[string, unknown][]> {
  expect((await demo.call(method, path, body)).status).toBe(status);
  const [row] = (await admin.call('GET', '/appliance/api/requests?limit=1')).json as { id: number }[];
  const { problems } = (await admin.call('GET', `/appliance/api/requests/${row?.id}`)).json as {
    problems: Advised[];
  };
  for (const { valid, suggestion } of problems)
    if (valid !== null) expect(suggestion).toEqual(expect.any(String));
  return problems.map((problem) => [problem.path, problem.valid]);
}

describe('for the form', () => {
  test('a name, a code of a domain, digits, a list', async () => {
    expect(
      await adviceTo(400, 'POST', PRODUCTS, {
        modalidade: 'IMPORTAÇÃO',
        ncm: '3926.90.90',
        codigoInterno: ['a'],
        codigosInterno: 'a',
      }),
    ).toEqual(
      expect.arrayContaining([
        ['/modalidade', 'IMPORTACAO'],
        ['/ncm', '39269090'],
        ['/codigoInterno', 'codigosInterno'],
        ['/codigosInterno', ['a']],
        ['/denominacao', expect.any(String)],
      ]),
    );
  });

  test('a text that is too long: a shortened one', async () => {
    const [[, valid] = []] = await adviceTo(400, 'POST', PRODUCTS, {
      ...PRODUCT,
      denominacao: 'é'.repeat(3701),
    });
    expect(valid).toBe('é'.repeat(3700));
  });

  test('a number and a day of the query', async () => {
    const query = 'cpfCnpjRaiz=12345678&situacao=9&dataReferencia=01/02/2026';
    expect(await adviceTo(400, 'GET', `/catp/api/ext/produto?${query}`)).toEqual(
      expect.arrayContaining([
        ['situacao', 2],
        ['dataReferencia', '2026-02-01'],
      ]),
    );
  });

  test('only the form of a secret', async () => {
    const advice = await adviceTo(400, 'POST', '/portal/api/ext/webhook', {
      evento: 'x',
      endpoint: 'http://a',
      chaveSecreta: 'canário ',
    });
    expect(advice).toContainEqual(['/chaveSecreta', null]);
    expect(JSON.stringify(advice)).not.toContain('canário');
  });
});

describe('from the attribute table', () => {
  test('the nearest NCM', async () => {
    expect(await adviceTo(422, 'POST', PRODUCTS, { ...PRODUCT, ncm: '09012101' })).toEqual([
      ['/ncm', '09012100'],
    ]);
    expect(await adviceTo(422, 'POST', PRODUCTS, { ...PRODUCT, ncm: '55555555' })).toEqual([['/ncm', null]]);
  });

  test('a missing attribute, a code, a value of its domain', async () => {
    const atributos = [
      { atributo: 'ATT_90001', valor: '1' },
      { atributo: 'ATT_9005', valor: 'true' },
    ];
    expect(await adviceTo(422, 'POST', PRODUCTS, { ...PRODUCT, atributos })).toEqual(
      expect.arrayContaining([
        ['/atributos/0/valor', '01'],
        ['/atributos/1/atributo', 'ATT_90005'],
        ['/atributos', { atributo: 'ATT_90005', valor: 'false' }],
      ]),
    );
  });

  test('the advised attributes are accepted', async () => {
    const wine = { ...PRODUCT, ncm: '22042100' };
    const advice = await adviceTo(422, 'POST', PRODUCTS, wine);
    const lists: Record<string, unknown[]> = {};
    for (const [path, valid] of advice) (lists[path.slice(1)] ??= []).push(valid);
    expect((await demo.call('POST', PRODUCTS, { ...wine, ...lists })).status).toBe(200);
  });
});

test('a refusal without a path has no advice', async () => {
  expect(await adviceTo(404, 'GET', `${PRODUCTS}/99999/1`)).toEqual([[null as unknown as string, null]]);
});
