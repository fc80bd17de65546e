/** GET /appliance/api/products (contract section 14). */
import { beforeAll, describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../../src/clock.ts';
import { type Client, START } from '../../support/app.ts';
import {
  COMPANY,
  ITEM,
  LIST,
  MINIMAL,
  OF_COMPANY,
  PATH,
  TODAY,
  include,
  includeDraft,
  productsForAllTests,
  productsForEachTest,
  sendItem,
  succeed,
} from '../product/support.ts';

const PAGES = '/appliance/api/products';
const PAGES_OF_COMPANY = `${PAGES}?cpfCnpjRaiz=${COMPANY}`;

interface Item {
  readonly codigo: number;
  readonly [member: string]: unknown;
}

const page = async (client: Client, query = '') =>
  succeed(await client.call('GET', `${PAGES_OF_COMPANY}${query}`));
const codes = ({ items }: { items: Item[] }): number[] => items.map(({ codigo }) => codigo);

/** Returns the codes of all pages with `limit` products each. */
async function codesOfAllPages(client: Client, query: string, limit: number): Promise<number[]> {
  const all: number[] = [];
  for (let after = ''; ;) {
    const currentPage = await page(client, `${query}&limit=${limit}${after}`);
    expect(currentPage.items.length).toBeLessThanOrEqual(limit);
    all.push(...codes(currentPage));
    if (currentPage.next === null) return all;
    after = `&after=${currentPage.next}`;
  }
}

describe('a page is readable', () => {
  const products = productsForAllTests({ settings: { ambiente: 'producao' } });

  test('for any user with the company', async () => {
    const { server, demo } = products();
    expect((await server.anybody.call('GET', PAGES_OF_COMPANY)).status).toBe(401);
    for (const key of ['estranho', 'admin'] as const)
      expect((await (await server.as(key)).call('GET', PAGES_OF_COMPANY)).status).toBe(403);
    expect((await demo.call('GET', PAGES_OF_COMPANY)).status).toBe(200);
    expect((await (await server.as('publico')).call('GET', PAGES_OF_COMPANY)).status).toBe(200);
  });

  test('for a company without a record, and is empty', async () => {
    const { server } = products();
    const reply = await (await server.as('publico')).call('GET', `${PAGES}?cpfCnpjRaiz=99999999`);
    expect(reply.json).toEqual({ items: [], next: null, total: 0, totalIsExact: true });
  });
});

describe('a page', () => {
  const products = productsForAllTests({ settings: { ambiente: 'producao' } });
  let demo: Client;

  // Unordered names with case and accents, repeated NCMs, a draft without one, and distinct times of change.
  beforeAll(async () => {
    const { server } = products();
    ({ demo } = products());
    const add = async (denominacao: string, ncm: string, more = {}) => {
      server.clock.moveTo(server.clock.now() + 1000);
      await include(demo, { ...MINIMAL, denominacao, ncm, ...more });
    };
    await add('porca', '73181600', { codigosInterno: ['0012', 'X'] });
    await add('Água', '22011000', { codigosInterno: ['12'] });
    await add('Parafuso', '73181500', { descricao: 'De aço', modalidade: 'AMBOS' });
    await add('arruela', '73181600');
    await add('PARAFUSO', '73181500', { codigosInterno: ['00120'] });
    await includeDraft(demo, { denominacao: 'zinco' });
    await add('Élan', '73181500');
    server.clock.moveTo(server.clock.now() + 1000);
    await demo.call('PUT', `${OF_COMPANY}/2`, {
      ...MINIMAL,
      denominacao: 'Água',
      ncm: '22011000',
      codigosInterno: ['12'],
    });
    server.clock.moveTo(server.clock.now() + 1000);
    await demo.call('PUT', `${PATH}/desativar/${COMPANY}/4`);
  });

  const ORDERS = {
    codigo: [1, 2, 3, 4, 5, 6, 7],
    denominacao: [2, 4, 7, 3, 5, 1, 6],
    ncm: [6, 2, 3, 5, 7, 1, 4],
    changedAt: [1, 3, 5, 6, 7, 2, 4],
  } as const;
  const orders = Object.entries(ORDERS);
  /** Draft, which the list as of a day omits. */
  const DRAFT = 6;

  test.each(orders)('has the order of %s, reversed with -', async (order, expected) => {
    expect(codes(await page(demo, `&order=${order}`))).toEqual([...expected]);
    expect(codes(await page(demo, `&order=-${order}`))).toEqual(expected.toReversed());
  });

  test.each(orders)('by %s continues after the previous page, for any page size', async (order, expected) => {
    for (const limit of [1, 2, 3, 6, 7, 8]) {
      expect(await codesOfAllPages(demo, `&order=${order}`, limit)).toEqual([...expected]);
      expect(await codesOfAllPages(demo, `&order=-${order}`, limit)).toEqual(expected.toReversed());
    }
  });

  test.each(orders)(
    'by %s is requested by its position, and continues from there',
    async (order, expected) => {
      for (const from of [0, 2, 6]) {
        const currentPage = await page(demo, `&order=${order}&limit=2&from=${from}`);
        expect([codes(currentPage), currentPage.total]).toEqual([
          expected.slice(from, from + 2),
          expected.length,
        ]);
        const nextCodes =
          currentPage.next && codes(await page(demo, `&order=${order}&limit=2&after=${currentPage.next}`));
        expect(nextCodes).toEqual(from + 2 < expected.length ? expected.slice(from + 2, from + 4) : null);
        const reversedPage = await page(
          demo,
          `&order=-${order}&limit=2&from=${from}&dataReferencia=${TODAY}`,
        );
        const recordedCodes = expected.toReversed().filter((codigo) => codigo !== DRAFT);
        expect(codes(reversedPage)).toEqual(recordedCodes.slice(from, from + 2));
      }
      for (const from of [7, 100_000]) {
        const currentPage = await page(demo, `&order=${order}&from=${from}`);
        expect(currentPage).toEqual({ items: [], next: null, total: 7, totalIsExact: true });
      }
    },
  );

  test('has one position, up to 100 000', async () => {
    const { next } = await page(demo, '&limit=1');
    for (const query of ['from=-1', 'from=100001', 'from=x', `from=1&after=${next}`]) {
      const { status, json } = await demo.call('GET', `${PAGES_OF_COMPANY}&${query}`);
      expect([query, status, json.detail.map(({ path }: { path: string }) => path)]).toEqual([
        ...[query, 400, ['from']],
      ]);
    }
  });

  test.each(orders)('by %s as of today continues after the previous page', async (order, expected) => {
    const recordedCodes = expected.filter((codigo) => codigo !== DRAFT);
    for (const limit of [1, 3, 8]) {
      const asOf = `&order=${order}&dataReferencia=${TODAY}`;
      expect(await codesOfAllPages(demo, asOf, limit)).toEqual(recordedCodes);
      expect(await codesOfAllPages(demo, asOf.replace('order=', 'order=-'), limit)).toEqual(
        recordedCodes.toReversed(),
      );
    }
  });

  test('has the order of codigo by default, and 50 products', async () => {
    expect(codes(await page(demo))).toEqual([...ORDERS.codigo]);
    expect((await page(demo)).next).toBeNull();
  });

  test('has the records of the list without seq, and their last change', async () => {
    const list = succeed(await demo.call('GET', LIST)) as Item[];
    const { items } = (await page(demo)) as { items: Item[] };
    expect(items.map(({ changedAt: _, ...item }) => item)).toEqual(list.map(({ seq: _, ...item }) => item));
    expect(items.map(({ changedAt }) => changedAt).slice(0, 2)).toEqual([
      '2026-01-15T09:00:01.000-03:00',
      '2026-01-15T09:00:07.000-03:00',
    ]);
    expect(Object.keys(items[0] ?? {})).toEqual([...Object.keys(list[0] ?? {}).slice(1), 'changedAt']);
  });

  const FILTERS = [
    ['codigo=3', [3]],
    ['codigoInterno=12', [2]],
    ['internalCode=12', [1, 2]],
    ['internalCode=000012', [1, 2]],
    ['internalCode=120', [5]],
    ['internalCode=0', []],
    ['descricao=ACO', [3]],
    ['denominacao=parafuso', [3, 5]],
    ['ncm=73181500', [3, 5, 7]],
    ['situacao=0', [1, 2, 3, 5, 7]],
    ['situacao=1', [4]],
    ['situacao=2', [6]],
    ['modalidade=AMBOS', [3]],
    ['ncm=73181500&denominacao=elan', [7]],
    [`periodoRegistroInicio=${TODAY}&situacao=0`, [1, 2, 3, 5, 7]],
    [`ultimaAlteracaoInicio=${TODAY}&ncm=73181600`, [1, 4]],
    ['ultimaAlteracaoFim=2026-01-14', []],
    ['paisOrigem=DE', []],
    [`dataReferencia=${TODAY}&internalCode=012`, [1, 2]],
    [`dataReferencia=${TODAY}&ncm=73181600`, [1, 4]],
    ['dataReferencia=2026-01-14', []],
  ] as const;

  test.each(FILTERS)('accepts the filters of the list: %s', async (filter, expected) => {
    for (const order of Object.keys(ORDERS) as (keyof typeof ORDERS)[]) {
      const ordered = ORDERS[order].filter((codigo) => (expected as readonly number[]).includes(codigo));
      expect([order, codes(await page(demo, `&${filter}&order=${order}`))]).toEqual([order, ordered]);
      expect([order, await codesOfAllPages(demo, `&${filter}&order=-${order}`, 1)]).toEqual([
        order,
        ordered.toReversed(),
      ]);
    }
    const whole = await page(demo, `&${filter}`);
    expect([whole.total, whole.totalIsExact]).toEqual([expected.length, true]);
  });

  test.each(FILTERS)('has the total number: %s', async (filter, expected) => {
    const { total, totalIsExact } = await page(demo, `&${filter}&limit=1`);
    expect([total, totalIsExact]).toEqual([expected.length, true]);
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['limit=x', 'limit'],
    ['order=situacao', 'order'],
    ['order=', undefined],
    ['order=--codigo', 'order'],
    ['after=x', 'after'],
    ['after=W10', 'after'],
    ['after=bnVsbA', 'after'],
    ['after=', undefined],
    ['periodoRegistroInicio=2026-02-01&periodoRegistroFim=2026-01-01', 'periodoRegistroFim'],
    ['limit=1', undefined],
    ['limit=500', undefined],
  ])('with %s is refused at that parameter', async (query, field) => {
    const reply = await demo.call('GET', `${PAGES_OF_COMPANY}&${query}`);
    expect(reply.status).toBe(field === undefined ? 200 : 400);
    if (field !== undefined) expect(reply.json.detail[0]).toMatchObject({ field, path: field });
  });

  test('is refused with the cursor of another order or of other filters', async () => {
    const { next } = await page(demo, '&limit=2&order=ncm');
    const message = async (query: string): Promise<string> => {
      const reply = await demo.call('GET', `${PAGES_OF_COMPANY}&after=${next}&${query}`);
      expect([reply.status, reply.json.code]).toEqual([400, 'PUCX-ER0010']);
      return reply.json.detail[0].message as string;
    };
    expect(await message('order=-ncm')).toContain('outra ordem, ncm, e esta é em ordem -ncm');
    expect(await message('')).toContain('outra ordem');
    expect(await message('order=ncm&situacao=0')).toContain('outros filtros');
    expect(await message('order=ncm&ncm=73181500')).toContain('retire after');
    // The limit and the order of the parameters may change from page to page.
    expect(codes(await page(demo, `&limit=3&after=${next}&order=ncm`))).toEqual([3, 5, 7]);
  });

  test('is refused with a forged cursor', async () => {
    const { next } = await page(demo, '&limit=2&order=ncm');
    const [order, filterMark] = JSON.parse(Buffer.from(next, 'base64url').toString()) as string[];
    for (const end of [[], [1], ['x', 'y'], [1, 1], ['1', null], ['1', 1, 1]]) {
      const cursor = Buffer.from(JSON.stringify([order, filterMark, ...end])).toString('base64url');
      expect((await demo.call('GET', `${PAGES_OF_COMPANY}&order=ncm&after=${cursor}`)).status).toBe(400);
    }
  });
});

describe('during includes and changes of products', () => {
  const products = productsForEachTest();
  const orders = ['codigo', 'denominacao', 'ncm', 'changedAt'] as const;

  test.each(orders)('the pages by %s repeat and miss no unchanged product', async (order) => {
    const { server, demo } = products();
    for (const denominacao of ['B', 'D', 'F', 'H']) await include(demo, { ...MINIMAL, denominacao });
    const first = await page(demo, `&order=${order}&limit=2`);
    expect(codes(first)).toEqual([1, 2]);
    // Two inclusions before and after the cursor, and a product that changes its position.
    await include(demo, { ...MINIMAL, denominacao: 'A', ncm: '00000001' });
    await include(demo, { ...MINIMAL, denominacao: 'Z', ncm: '99999999' });
    server.clock.moveTo(START + HOUR_MS / 2);
    await demo.call('PUT', `${OF_COMPANY}/2`, { ...MINIMAL, denominacao: 'AA', ncm: '00000002' });
    const rest = codes(await page(demo, `&order=${order}&limit=10&after=${first.next}`));
    expect(rest.filter((codigo) => codigo === 3 || codigo === 4)).toEqual([3, 4]);
    expect(rest).not.toContain(1);
    // Only the order by change moves the changed product after the cursor.
    expect(rest.includes(2)).toBe(order === 'changedAt');
  });

  test('products that changed at the same moment are ordered by their codes', async () => {
    const { demo } = products();
    for (let seq = 1; seq <= 5; seq += 1) await sendItem(demo, { ...ITEM, seq });
    expect(await codesOfAllPages(demo, '&order=changedAt', 2)).toEqual([1, 2, 3, 4, 5]);
    expect(await codesOfAllPages(demo, '&order=-changedAt', 2)).toEqual([5, 4, 3, 2, 1]);
  });

  test('a total that takes long to count is an estimate, and is marked as one', async () => {
    const { server, demo } = products();
    const { fillProducts } = await import('../listing/fill.ts');
    fillProducts(server.app.core.db, 25_000);
    expect(await page(demo, '&limit=1')).toMatchObject({ total: 25_000, totalIsExact: true });
    const estimated = await page(demo, '&limit=1&denominacao=parafuso');
    expect(estimated).toMatchObject({ total: 25_000, totalIsExact: false });
    const rare = await page(demo, '&denominacao=parafuso%2024999&order=denominacao');
    expect([codes(rare), rare.total, rare.totalIsExact]).toEqual([[24_999], 1, true]);
  });
});
