import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openImports, products } from './support.ts';

const ITEMS = 300;
test('an import of a killed process repeats and loses no item: the next process continues after its last slice', async () => {
  const first = await openImports();
  await first.runner.stop();
  const id = await first.queue(products(ITEMS));
  await first.stop();

  let processed = 0;
  // The kills happen inside, before and after a slice.
  for (const lastRead of [60, 101, 153, 204]) {
    await killAt(first.folder, lastRead);
    const imports = await openImports({ folder: first.folder });
    const progress = imports.progress(id);
    expect(progress.processed).toBeGreaterThanOrEqual(processed);
    expect(imports.results(id)).toHaveLength(progress.processed);
    expect(JSON.parse(imports.products())).toHaveLength(progress.created);
    processed = progress.processed;
    await imports.stop();
  }
  expect(processed).toBeGreaterThan(0);
  expect(processed).toBeLessThan(ITEMS);

  const last = await openImports({ folder: first.folder });
  try {
    await last.runner.resume();
    await last.runner.idle();
    expect(last.progress(id)).toMatchObject({ state: 'done', processed: ITEMS, created: ITEMS, failed: 0 });
    expect(last.results(id).map(({ codigo }) => Number(codigo))).toEqual(
      Array.from({ length: ITEMS }, (_, index) => index + 1),
    );
  } finally {
    await last.close();
  }
});

/** Runs the imports of the folder in a process that kills itself at the given read of its stopwatch. */
async function killAt(folder: string, lastRead: number): Promise<void> {
  const main = join(import.meta.dir, 'kill-main.ts');
  const child = Bun.spawn([process.execPath, main, folder, String(lastRead)], { stderr: 'inherit' });
  await child.exited;
  expect(child.signalCode).toBe('SIGKILL');
}
