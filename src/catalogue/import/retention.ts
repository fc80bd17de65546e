/** Removes finished imports and their results after the retention time. */
import { type Clock, DAY_MS } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { SYSTEM } from '../../session/model.ts';
import type { ImportFolder } from './folder.ts';
import { membersChanged } from '../../change.ts';
import { importChange, importMembers } from './trail.ts';
import type { ImportStore } from './store.ts';

export interface ImportRetentionParts {
  readonly store: ImportStore;
  readonly writer: Writer;
  readonly clock: Clock;
  /** Setting `importacao.dias`. */
  readonly days: number;
  readonly folder: ImportFolder;
}

/** Maximum rows that one transaction removes, so that requests can run between transactions. */
export const IMPORT_RETENTION_SLICE = 500;

export class ImportRetention {
  readonly #parts: ImportRetentionParts;

  constructor(parts: ImportRetentionParts) {
    this.#parts = parts;
  }

  /** Removes the imports that finished `days` or more ago. Keeps an unfinished import of any age. */
  async runOnce(): Promise<{ readonly imports: number }> {
    const { store, writer, clock, days, folder } = this.#parts;
    // A stop interrupted these removals.
    for (let id = store.findForgetting(); id !== undefined; id = store.findForgetting())
      await this.forget(id);
    const before = clock.now() - days * DAY_MS;
    let imports = 0;
    // Usually nothing is due, which costs one look-up.
    while (store.findFinishedBefore(before) !== undefined) {
      const storedFile = await writer.write((tx) => {
        const id = store.findFinishedBefore(before);
        if (id === undefined) return undefined;
        const job = store.find(id);
        if (!store.deleteSome(id, IMPORT_RETENTION_SLICE)) return undefined;
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
  async forget(id: number): Promise<void> {
    const { store, writer, folder } = this.#parts;
    while (!(await writer.write(() => store.forgetSome(id, IMPORT_RETENTION_SLICE))));
    const { storedFile } = store.find(id) ?? {};
    if (storedFile !== undefined) await folder.remove(storedFile);
  }
}
