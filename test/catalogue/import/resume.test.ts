/** Jobs that are interrupted, cancelled, or must wait. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { RETRY_MS } from '../../../src/catalogue/import/runner.ts';
import { type TestImports, openImports, products, steppingStopwatch } from './support.ts';

const ITEMS = 40;
/** File with the item of index `n` in line `n + 2`. */
const ITEM_A_LINE = JSON.stringify(products(ITEMS)).replace('[', '[\n').replaceAll('},', '},\n');
/** Step in ms with which a slice applies two items. */
const TWO_ITEMS = 2.5;

test.each([1, 7, 23, 60, 90])(
  'a job stopped at read %i of the stopwatch continues after its last item: it repeats and loses none',
  async (last) => {
    let cut: TestImports | undefined;
    const stopwatch = steppingStopwatch(TWO_ITEMS, (readNumber) => {
      if (readNumber === last) void cut?.runner.stop();
    });
    cut = await openImports({ stopwatch });
    const { folder } = cut;
    const id = await cut.queue(new TextEncoder().encode(ITEM_A_LINE));
    await cut.runner.idle();
    const before = cut.progress(id);
    expect(before.state).toBe('running');
    expect(before.processed).toBeLessThan(ITEMS);
    expect(cut.results(id)).toHaveLength(before.processed);
    await cut.stop();

    const next = await openImports({ folder });
    try {
      expect(next.progress(id)).toEqual(before);
      await next.runner.resume();
      await next.runner.idle();
      expect(next.progress(id)).toMatchObject({
        state: 'done',
        total: ITEMS,
        processed: ITEMS,
        created: ITEMS,
        failed: 0,
      });
      const results = next.results(id);
      expect(results.map(({ index }) => index)).toEqual(Array.from({ length: ITEMS }, (_, index) => index));
      expect(results.map(({ line }) => line)).toEqual(results.map(({ index }) => index + 2));
      expect(results.map(({ codigo }) => Number(codigo))).toEqual(
        Array.from({ length: ITEMS }, (_, index) => index + 1),
      );
      expect(JSON.parse(next.products())).toHaveLength(ITEMS);
      expect(next.faults).toEqual([]);
    } finally {
      await next.close();
    }
  },
);

test('applied items are not read again', async () => {
  let cut: TestImports | undefined;
  const stopwatch = steppingStopwatch(TWO_ITEMS, (readNumber) => {
    if (readNumber === 23) void cut?.runner.stop();
  });
  cut = await openImports({ stopwatch });
  const id = await cut.queue(products(ITEMS));
  await cut.runner.idle();
  const { processed } = cut.progress(id);
  expect(processed).toBeGreaterThan(5);
  const { folder } = cut;
  const [name] = cut.files();
  await cut.stop();
  const file = join(folder, 'imports', name as string);
  const text = await Bun.file(file).text();
  await Bun.write(file, text.replace(/^\[\{/, 'no'));

  const next = await openImports({ folder });
  try {
    await next.runner.resume();
    await next.runner.idle();
    expect(next.progress(id)).toMatchObject({ state: 'done', processed: ITEMS, created: ITEMS, failed: 0 });
  } finally {
    await next.close();
  }
});

test('jobs run one after another, in the order of arrival', async () => {
  const imports = await openImports();
  try {
    const ids = [
      await imports.queue(products(3)),
      await imports.queue(products(3)),
      await imports.queue(products(3)),
    ];
    await imports.runner.idle();
    const codes = ids.map((id) => imports.results(id).map(({ codigo }) => Number(codigo)));
    expect(codes).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [7, 8, 9],
    ]);
  } finally {
    await imports.close();
  }
});

test('a cancelled job keeps the applied items and applies no more', async () => {
  let imports: TestImports | undefined;
  let id = 0;
  const cancelled: Promise<void>[] = [];
  const stopwatch = steppingStopwatch(TWO_ITEMS, (readNumber) => {
    if (readNumber === 20) cancelled.push(imports?.service.cancel(imports.demo, id) ?? Promise.resolve());
  });
  imports = await openImports({ stopwatch });
  try {
    id = await imports.queue(products(ITEMS));
    await imports.runner.idle();
    await Promise.all(cancelled);
    const { state, processed, created, finishedAt } = imports.progress(id);
    expect(state).toBe('cancelled');
    expect(finishedAt).not.toBeNull();
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThan(ITEMS);
    expect(JSON.parse(imports.products())).toHaveLength(created);
    expect(imports.files()).toEqual([]);
    await imports.service.cancel(imports.demo, id);
    expect(imports.progress(id).state).toBe('cancelled');
  } finally {
    await imports.close();
  }
});

test('a job cancelled in the queue never starts, and its file is deleted at once', async () => {
  const imports = await openImports();
  try {
    const first = await imports.queue(products(200));
    const second = await imports.queue(products(2));
    await imports.service.cancel(imports.demo, second);
    expect(imports.progress(second)).toMatchObject({ state: 'cancelled', total: null, processed: 0 });
    await imports.runner.idle();
    expect(imports.progress(first).state).toBe('done');
    expect(imports.progress(second)).toMatchObject({ state: 'cancelled', processed: 0 });
    expect(imports.files()).toEqual([]);
  } finally {
    await imports.close();
  }
});

test('a job that has ended cannot be cancelled', async () => {
  const imports = await openImports();
  try {
    const { id } = await imports.run(products(1));
    await imports.service.cancel(imports.demo, id);
    expect(imports.progress(id).state).toBe('done');
  } finally {
    await imports.close();
  }
});

test('a start deletes files without a job, and keeps the others', async () => {
  const cut = await openImports();
  await cut.runner.stop();
  await cut.queue(products(1));
  const [storedFile] = cut.files();
  const { handle } = await cut.upload.folder.create();
  await handle.close();
  expect(cut.files()).toHaveLength(2);
  await cut.stop();
  const next = await openImports({ folder: cut.folder });
  try {
    const started = next.runner.resume();
    await started;
    expect(next.files().filter((name) => name !== storedFile)).toEqual([]);
    await next.runner.idle();
    expect(JSON.parse(next.products())).toHaveLength(1);
  } finally {
    await next.close();
  }
});

test('a job waits while the storage refuses it, and continues automatically', async () => {
  const imports = await openImports();
  try {
    const id = await imports.queue(products(600));
    const { db } = imports.core;
    const pages = db.pragma('page_count', { simple: true }) as number;
    db.pragma(`max_page_count = ${pages + 8}`);
    await imports.runner.idle();
    const before = imports.progress(id);
    expect(before).toMatchObject({ state: 'running', failed: 0 });
    expect(before.processed).toBeLessThan(600);
    db.pragma('max_page_count = 1000000');
    imports.clock.moveTo(imports.clock.now() + RETRY_MS - 1);
    await imports.runner.idle();
    expect(imports.progress(id)).toEqual(before);
    imports.clock.moveTo(imports.clock.now() + 1);
    await imports.runner.idle();
    expect(imports.progress(id)).toMatchObject({ state: 'done', created: 600, failed: 0 });
    expect(imports.faults).toEqual([]);
  } finally {
    await imports.close();
  }
});

test('an internal fault ends the job with the number of the item, and keeps the items before', async () => {
  const imports = await openImports({ stopwatch: steppingStopwatch(5) });
  try {
    const { db } = imports.core;
    db.exec(
      `CREATE TRIGGER fault BEFORE INSERT ON product WHEN NEW.id % 10 = 3 BEGIN SELECT raise(ABORT, 'fault'); END`,
    );
    const { progress } = await imports.run(products(5));
    expect(progress).toMatchObject({ state: 'failed', processed: 2, created: 2 });
    expect(progress.error).toContain('item 3');
    expect(imports.faults).toHaveLength(1);
    expect(JSON.parse(imports.products())).toHaveLength(2);
  } finally {
    await imports.close();
  }
});
