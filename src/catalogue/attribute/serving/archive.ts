/**
 * Limits the stored data of tables (contract section 19): the changes of the newest 400 tables, and the rows
 * and files of those that may still be used. A stored change is never computed again.
 */
import type { Clock, Day } from '../../../clock.ts';
import type { Writer } from '../../../db/writer.ts';
import type { Reads } from '../../../reading/pool.ts';
import { SYSTEM } from '../../../session/model.ts';
import { dayOf } from '../../../validation/calendar.ts';
import type { ActivationStore } from '../activation/activation-store.ts';
import type { TableBodyStore } from '../table/body-store.ts';
import type { TableChangeStore } from '../table/change-store.ts';
import { HISTORY_TABLES, NO_TABLE_BEFORE, type TableChange } from '../table/model.ts';
import type { TableLoader } from '../table/loader.ts';
import type { AttributeTableStore } from '../table/store.ts';
import { type TableChangesRead, startedActivations } from './history.ts';

/** Number of tables that lose their rows in one transaction; the rows are deleted in smaller steps. */
const TABLES_PER_STEP = 20;

type Step = readonly [tableId: number, sinceId: number];

export function createTableArchive({
  store,
  bodies,
  changes,
  activations,
  loader,
  reads,
  writer,
  clock,
}: {
  readonly store: AttributeTableStore;
  readonly bodies: TableBodyStore;
  readonly changes: TableChangeStore;
  readonly activations: ActivationStore;
  readonly loader: TableLoader;
  readonly reads: Reads<TableChangesRead>;
  readonly writer: Writer;
  readonly clock: Clock;
}) {
  /** Stores the changes of tables, then removes the rows and files of tables that are not used any more. */
  async function runOnce(): Promise<{ readonly storedChanges: number; readonly removedTables: number }> {
    let storedCount = 0;
    for (const [tableId, sinceId] of missingChanges(dayOf(clock.now()))) {
      const text = await Array.fromAsync(
        reads.read({ kind: 'tableChanges', tableId, sinceId, isWhole: true }, { user: SYSTEM }),
      );
      const change = JSON.parse(Buffer.concat(text).toString()) as TableChange; // written by our Worker
      await writer.write(() => changes.put(tableId, sinceId, change));
      storedCount += 1;
    }
    const removedTables = await writer.write((tx) => {
      changes.deleteOld();
      const today = dayOf(tx.now);
      // A table that was activated in the meantime has changes to store first: the next run removes it.
      const missingTables = new Set(missingChanges(today).flat());
      const old = bodies.listOld(today, TABLES_PER_STEP).filter((id) => !missingTables.has(id));
      for (const id of old) bodies.startRemoval(id);
      return old.length;
    });
    // Also finishes the removals of a run that was stopped.
    await loader.finishRemovals();
    return { storedChanges: storedCount, removedTables };
  }

  function missingChanges(today: Day): Step[] {
    return steps(today).filter(([tableId, sinceId]) => changes.counts(tableId, sinceId) === undefined);
  }

  /**
   * Returns steps from each of the newest tables to the previous one, in load order and in activation order.
   */
  function steps(today: Day): Step[] {
    const loaded = store.list().reverse();
    const newest = loaded.slice(0, HISTORY_TABLES).map(({ id }) => id);
    const activated = startedActivations(activations, today).map(({ tableId }) => tableId);
    const wholeTables = new Set([
      NO_TABLE_BEFORE,
      ...loaded.flatMap(({ id, isWhole }) => (isWhole ? [id] : [])),
    ]);
    const steps = (ids: readonly number[]): Step[] =>
      ids.map((id, index) => [id, ids[index + 1] ?? NO_TABLE_BEFORE]);
    const all = new Map(
      [...steps(loaded.map(({ id }) => id)), ...steps(activated)].map((step) => [step.join(), step]),
    );
    return [...all.values()].filter(
      ([tableId, sinceId]) =>
        newest.includes(tableId) && wholeTables.has(tableId) && wholeTables.has(sinceId),
    );
  }

  return {
    /**
     * Returns true if tables wait to be removed. Changes that are not stored yet can wait for the nightly run.
     */
    get isOverdue(): boolean {
      return bodies.listOld(dayOf(clock.now()), 1).length > 0;
    },
    runOnce,
  };
}
