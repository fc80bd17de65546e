/** GET /appliance/api/foreign-operators (contract section 14). */
import { beforeEach, describe, expect, test } from 'bun:test';
import type { Client } from '../../support/app.ts';
import { COMPANY, MINIMAL, PATH, WHOLE, include, operatorsForEachTest } from '../foreign-operator/support.ts';

const OPERATORS_OF_COMPANY = `/appliance/api/foreign-operators?cpfCnpjRaiz=${COMPANY}`;
const operators = operatorsForEachTest({ settings: { ambiente: 'producao' } });

interface Item {
  readonly codigo: string;
  readonly [member: string]: unknown;
}

async function page(client: Client, query = '') {
  const reply = await client.call('GET', `${OPERATORS_OF_COMPANY}${query}`);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json;
}

const codes = ({ items }: { items: Item[] }): number[] =>
  items.map(({ codigo }) => Number(codigo.replace('OPE_', '')));

async function codesOfAllPages(client: Client, query: string, limit: number): Promise<number[]> {
  const all: number[] = [];
  for (let after = ''; ;) {
    const currentPage = await page(client, `${query}&limit=${limit}${after}`);
    all.push(...codes(currentPage));
    if (currentPage.next === null) return all;
    after = `&after=${currentPage.next}`;
  }
}

/** Includes eleven operators, so that OPE_10 follows OPE_9; the ninth is changed, the tenth deactivated. */
beforeEach(async () => {
  const { server, demo } = operators();
  const names = [
    'Zeta',
    'Ásia',
    'müller',
    'Müller',
    'beta',
    'Alfa',
    'alfa',
    'Delta',
    'gama',
    'Ômega',
    'Élan',
  ];
  for (const [at, nome] of names.entries()) {
    server.clock.moveTo(server.clock.now() + 1000);
    await include(demo, { ...MINIMAL, nome }, at % 3 === 0 ? 'US' : 'DE');
  }
  server.clock.moveTo(server.clock.now() + 1000);
  await demo.call('PUT', `${PATH}/${COMPANY}/DE/OPE_9`, { ...WHOLE, nome: 'gama' });
  server.clock.moveTo(server.clock.now() + 1000);
  await demo.call('PUT', `${PATH}/desativar/${COMPANY}/US/OPE_10/1`);
});

const ORDERS = {
  codigo: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  nome: [6, 7, 2, 5, 8, 11, 9, 3, 4, 10, 1],
  codigoPais: [2, 3, 5, 6, 8, 9, 11, 1, 4, 7, 10],
  changedAt: [1, 2, 3, 4, 5, 6, 7, 8, 11, 9, 10],
} as const;

test.each(Object.entries(ORDERS))(
  'by %s a page is also requested by its position',
  async (order, expected) => {
    const { demo } = operators();
    const all = `&order=${order}&exibirDesativados=true`;
    const currentPage = await page(demo, `${all}&limit=3&from=7`);
    expect([codes(currentPage), currentPage.total]).toEqual([expected.slice(7, 10), expected.length]);
    expect(codes(await page(demo, `${all}&after=${currentPage.next}`))).toEqual(expected.slice(10));
    expect(await page(demo, `${all}&from=11`)).toMatchObject({ items: [], next: null, total: 11 });
  },
);

test('any user with the company reads its pages', async () => {
  const { server, demo } = operators();
  expect((await server.anybody.call('GET', OPERATORS_OF_COMPANY)).status).toBe(401);
  for (const key of ['estranho', 'admin'] as const)
    expect((await (await server.as(key)).call('GET', OPERATORS_OF_COMPANY)).status).toBe(403);
  expect((await demo.call('GET', OPERATORS_OF_COMPANY)).status).toBe(200);
  expect((await (await server.as('publico')).call('GET', OPERATORS_OF_COMPANY)).status).toBe(200);
});

test.each(Object.entries(ORDERS))(
  'a page has the order of %s, reversed with -, for any page size',
  async (order, expected) => {
    const { demo } = operators();
    const query = `&exibirDesativados=true&order=${order}`;
    for (const limit of [1, 4, 11, 12]) {
      expect(await codesOfAllPages(demo, query, limit)).toEqual([...expected]);
      expect(await codesOfAllPages(demo, query.replace('order=', 'order=-'), limit)).toEqual(
        expected.toReversed(),
      );
    }
    // The pages omit deactivated operators, like the list.
    expect(await codesOfAllPages(demo, `&order=${order}`, 4)).toEqual(
      expected.filter((codigo) => codigo !== 10),
    );
  },
);

test('a page has the records of the list without seq, and their last change', async () => {
  const { demo } = operators();
  const list = (await demo.call('GET', `${PATH}?cpfCnpjRaiz=${COMPANY}`)).json as Item[];
  const { items } = (await page(demo)) as { items: Item[] };
  expect(items.map(({ changedAt: _, ...item }) => item)).toEqual(list.map(({ seq: _, ...item }) => item));
  expect(items.find(({ codigo }) => codigo === 'OPE_9')?.['changedAt']).toBe('2026-01-15T09:00:12.000-03:00');
});

test.each([
  ['tin=DE123456789', [9]],
  ['codigo=OPE_3', [3]],
  ['codigoInterno=FORN-17', [9]],
  ['nome=MULLER', [3, 4]],
  ['paisOrigem=US', [1, 4, 7]],
  ['paisOrigem=US&exibirDesativados=true', [1, 4, 7, 10]],
  ['paisOrigem=FR', []],
])('a page accepts the filters of the list: %s', async (filter, expected) => {
  const { demo } = operators();
  for (const order of Object.keys(ORDERS) as (keyof typeof ORDERS)[])
    expect(await codesOfAllPages(demo, `&${filter}&order=${order}`, 2)).toEqual(
      ORDERS[order].filter((codigo) => expected.includes(codigo)),
    );
  for (const limit of [1, 100])
    expect(await page(demo, `&${filter}&limit=${limit}`)).toMatchObject({
      total: expected.length,
      totalIsExact: true,
    });
});

describe('a page is refused', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['order=ncm', 'order'],
    ['after=x', 'after'],
    ['paisOrigem=de', 'paisOrigem'],
  ])('with %s', async (query, field) => {
    const reply = await operators().demo.call('GET', `${OPERATORS_OF_COMPANY}&${query}`);
    expect([reply.status, reply.json.detail[0].field]).toEqual([400, field]);
  });

  test('after the cursor of another order, of other filters, or of products', async () => {
    const { demo } = operators();
    const { next } = await page(demo, '&limit=2');
    for (const query of ['order=nome', 'nome=x', 'exibirDesativados=true'])
      expect((await demo.call('GET', `${OPERATORS_OF_COMPANY}&after=${next}&${query}`)).status).toBe(400);
    expect((await demo.call('GET', `${OPERATORS_OF_COMPANY}&after=${next}`)).status).toBe(200);
    const products = `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`;
    expect((await demo.call('GET', `${products}&after=${next}`)).status).toBe(400);
  });
});
