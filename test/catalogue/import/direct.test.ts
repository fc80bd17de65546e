/** A file that a command imports: it continues where it stopped, and no other command repeats it. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { importDirectly, lastDirect } from '../../../src/catalogue/import/direct.ts';
import { importAppliers } from '../../../src/assembly/features/import.ts';
import { importLimits } from '../../../src/catalogue/import/feed.ts';
import { ImportStore } from '../../../src/catalogue/import/store.ts';
import { openImports, products, steppingStopwatch } from './support.ts';

test('one of two commands on one import continues; the other stops and has applied nothing', async () => {
  const imports = await openImports();
  const { core, folder, demo } = imports;
  try {
    const file = join(folder, 'a.json');
    await Bun.write(file, JSON.stringify(products(8)));
    const store = new ImportStore(core.db);
    const begin = () => {
      const order = {
        ...({ kind: 'produto', mode: 'lote', dryRun: false, sha256: 'a', fileName: 'a.json' } as const),
        applier: importAppliers(core.catalogue).produto,
        caller: demo,
      };
      // A slice has two items; the test controls the pause between slices.
      const parts = {
        ...core,
        store,
        limits: importLimits(100_000),
        stopwatch: steppingStopwatch(2.5),
        clock: { ...core.clock, now: () => 0, at: callSoon },
      };
      return importDirectly(parts, file, order, lastDirect(store, order));
    };
    const first = begin();
    expect((await first.next()).value).toHaveLength(2);
    const second = begin();
    expect((await second.next()).value).toHaveLength(2);
    await expect(first.next()).rejects.toThrow('também é feita por outro comando');
    for await (const _ of second);
    expect(JSON.parse(imports.products())).toHaveLength(8);
    expect((await begin().next()).done).toBe(true);
    // No server continues the import, and no list has it.
    const visibleJobs = store.list({
      documento: demo.documento,
      listed: demo.companies.keys(),
      represented: demo.companies.keys(),
      limit: 10,
    });
    expect([store.listUnfinished(), visibleJobs]).toEqual([[], []]);
  } finally {
    await imports.close();
  }
});

function callSoon(_: number, call: () => void) {
  setImmediate(call);
  return { cancel: () => undefined };
}
