/** The order of imports, and the stored parts of one (contract section 16, limits). */
import { describe, expect, test } from 'bun:test';
import { FIRST_ITEMS, turnsOf } from '../../../src/catalogue/import/runner.ts';
import {
  COMPANY,
  OTHER_COMPANY,
  STRANGERS_COMPANY,
  type TestImports,
  openImports,
  product,
  products,
  steppingStopwatch,
} from './support.ts';

describe('the turns of jobs in the order of arrival', () => {
  /** `A1`: of user A for company 1; `A*`: for several; `A?`: not read yet. */
  const job = (text: string) => ({
    text,
    documento: text.charAt(0),
    company: /\d/.exec(text)?.[0] ?? null,
    total: text.endsWith('?') ? null : 1,
  });
  test.each([
    ['each company has one running job', 'A1 A2 B1 B3 A1', 'A1 A2 B3'],
    ['each user has one job in validation', 'A? A? B?', 'A? B?'],
    ['one job is validated while others are applied', 'A1 A* A? A?', 'A1 A?'],
    ['a job for several companies waits for earlier jobs of its user', 'A1 A* B1 B*', 'A1'],
    ['a job for several companies delays later jobs of its user and company', 'A* A1 B1 B2', 'A* B2'],
    ['each user has one running job for several companies', 'A* A* B*', 'A* B*'],
  ])('%s: of %s, %s run', (_, jobTexts, expected) => {
    expect(turnsOf(jobTexts.split(' ').map(job)).map(({ text }) => text)).toEqual(expected.split(' '));
  });
});

describe('one item does not wait for a long file', () => {
  /** Returns the number of applied items of the first job at the end of the second. */
  async function processedWhenOver(second: (imports: TestImports) => Promise<number>): Promise<number> {
    let imports: TestImports | undefined;
    let jobs: readonly [number, number] | undefined;
    let processed = -1;
    // A slice has two items.
    const stopwatch = steppingStopwatch(2.5, () => {
      if (imports === undefined || jobs === undefined || processed !== -1) return;
      if (progressIn(imports, jobs[1]).state === 'done') processed = progressIn(imports, jobs[0]).processed;
    });
    imports = await openImports({ stopwatch });
    try {
      const first = await imports.queue(products(200));
      jobs = [first, await second(imports)];
      await imports.runner.idle();
      for (const id of jobs) expect(progressIn(imports, id)).toMatchObject({ state: 'done', failed: 0 });
      return processed;
    } finally {
      await imports.close();
    }
  }
  const progressIn = ({ core }: TestImports, id: number) =>
    core.db
      .prepare<[number], { state: string; processed: number; failed: number }>(
        'SELECT state, processed, failed FROM import_job WHERE id = ?',
      )
      .get(id) as { state: string; processed: number; failed: number };

  test('of another company of another user', async () => {
    const item = product(1, { cpfCnpjRaiz: STRANGERS_COMPANY });
    const processed = await processedWhenOver((imports) => imports.queue([item], {}, imports.stranger));
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThan(20);
  });

  test('of another company of the same user', async () => {
    const item = product(1, { cpfCnpjRaiz: OTHER_COMPANY });
    const processed = await processedWhenOver((imports) => imports.queue([item]));
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThan(20);
  });
});

describe('the failed items', () => {
  test.each([
    [3, 0],
    [5, 2],
  ])('with importacao.falhas = 3: of %i, %i are only counted', async (failing, notKept) => {
    const imports = await openImports({ failuresKept: '3', stopwatch: steppingStopwatch(2.5) });
    try {
      const items = [product(1), ...Array.from({ length: failing }, () => 1), product(2)];
      const { progress, results } = await imports.run(items);
      expect(progress).toMatchObject({ created: 2, failed: failing, failedNotKept: notKept });
      expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, failing + 1]);
    } finally {
      await imports.close();
    }
  });

  test.each([
    ['all of the first ten thousand, the rest is left aside', FIRST_ITEMS, 'failed', FIRST_ITEMS],
    ['all of them but the last, it goes on', FIRST_ITEMS - 1, 'done', FIRST_ITEMS + 2],
  ])('decide the end of the import: %s', async (_, failing, state, processed) => {
    const imports = await openImports();
    try {
      const items = [...Array.from({ length: failing }, () => 1), product(1), 1, 1];
      const { progress, results } = await imports.run(items.slice(0, FIRST_ITEMS + 2));
      expect(progress).toMatchObject({ state, processed });
      if (state === 'failed') expect(progress.error).toContain('10.000 primeiros itens');
      else expect(progress).toMatchObject({ error: null, created: 1, failedNotKept: 1 });
      expect(results).toHaveLength(state === 'failed' ? FIRST_ITEMS : FIRST_ITEMS + 1);
      expect(imports.files()).toEqual([]);
      expect(imports.faults).toEqual([]);
    } finally {
      await imports.close();
    }
  });
});

test('the order of an import, of possibly megabytes, is read once to validate it, once to apply all its slices, and for no list', async () => {
  // A slice has two items.
  const imports = await openImports({ stopwatch: steppingStopwatch(2.5, () => undefined) });
  try {
    let slices = 0;
    let reads = 0;
    const { store } = imports;
    const [addResults, findOrder] = [store.addResults.bind(store), store.findInstructions.bind(store)];
    store.addResults = (...slice) => {
      slices += 1;
      addResults(...slice);
    };
    store.findInstructions = (id) => {
      reads += 1;
      return findOrder(id);
    };
    const order = {
      tipo: 'produto',
      cpfCnpjRaiz: COMPANY,
      table: 0,
      headerRow: 1,
      columns: [{ index: 0, heading: 'NCM', target: 'ncm' }],
      others: [],
      constants: {},
      values: {},
      key: 'nenhuma',
      empty: 'manter',
      conflict: 'recusar',
      reactivate: false,
    };
    const rows = Array.from({ length: 20 }, (_, at) => ({ row: at + 2, cells: { 0: ['text', 'x'] } }));
    const request = { kind: 'planilha', company: COMPANY, pedido: JSON.stringify({ sheet: order }) } as const;
    const { id, progress } = await imports.run(rows, request);
    expect([progress.state, progress.failed]).toEqual(['done', 20]);
    expect(slices).toBeGreaterThan(5);
    expect(reads).toBe(2);
    expect(imports.service.list(imports.demo, 10).map((one) => one.id)).toEqual([id]);
    expect(reads).toBe(2);
    expect(store.find(id)).not.toHaveProperty('pedido');
    expect(store.listUnfinished()).toEqual([]);
  } finally {
    await imports.close();
  }
});
