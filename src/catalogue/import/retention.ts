/** Removes finished imports and their results after the retention time. */
import { type Clock, DAY_MS } from '../../clock.ts';
import { DELETED_AT_ONCE } from '../../db/delete-in-slices.ts';
import type { Writer } from '../../db/writer.ts';
import { SYSTEM } from '../../session/model.ts';
import type { ImportFolder } from './folder.ts';
import { membersChanged } from '../../change.ts';
import { importChange, importMembers } from './trail.ts';
import type { ImportStore } from './store.ts';

export type ImportRetention = ReturnType<typeof createImportRetention>;

export function createImportRetention({
  store,
  writer,
  clock,
  days,
  folder,
}: {
  readonly store: ImportStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Setting `importacao.dias`. */
  readonly days: number;
  readonly folder: ImportFolder;
}) {
  /** Removes the imports that finished `days` or more ago. Keeps an unfinished import of any age. */
  async function runOnce(): Promise<{ readonly imports: number }> {
    // A stop interrupted these removals.
    for (let id = store.findForgetting(); id !== undefined; id = store.findForgetting()) await forget(id);
    const before = clock.now() - days * DAY_MS;
    let imports = 0;
    // Usually nothing is due, which costs one look-up.
    while (store.findFinishedBefore(before) !== undefined) {
      const storedFile = await writer.write((tx) => {
        const id = store.findFinishedBefore(before);
        if (id === undefined) return undefined;
        const job = store.find(id);
        if (!store.deleteSome(id, DELETED_AT_ONCE)) return undefined;
        const members = membersChanged(job && importMembers(job), undefined);
        tx.record(importChange(id, 'EXCLUSAO', SYSTEM, members));
        return job?.storedFile;
      });
      if (storedFile === undefined) continue;
      imports += 1;
      await folder.remove(storedFile); // only sheets still have a file
    }
    return { imports };
  }

  /** Removes the results of an import that is marked to forget them. */
  async function forget(id: number): Promise<void> {
    while (!(await writer.write(() => store.forgetSome(id, DELETED_AT_ONCE))));
    const { storedFile } = store.find(id) ?? {};
    if (storedFile !== undefined) await folder.remove(storedFile);
  }

  return { runOnce, forget };
}
