/**
 * What is kept of the tables (contract section 19): what each changed, of the newest 400; rows and file only of those that
 * may still be asked for. What was kept once is worked out no more.
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
import { type TableChangesRead, begunUntil } from './history.ts';

export interface TableArchiveParts {
  readonly store: AttributeTableStore;
  readonly bodies: TableBodyStore;
  readonly changes: TableChangeStore;
  readonly activations: ActivationStore;
  readonly loader: TableLoader;
  readonly reads: Reads<TableChangesRead>;
  readonly writer: Writer;
  readonly clock: Clock;
}

/** Tables that cease to be whole in one transaction; their rows go in smaller steps. */
const TABLES_A_STEP = 20;

type Step = readonly [tableId: number, sinceId: number];

export class TableArchive {
  readonly #parts: TableArchiveParts;

  constructor(parts: TableArchiveParts) {
    this.#parts = parts;
  }

  /** Whether there is something to let go of: what only was not kept yet can wait for its night. */
  get isOverdue(): boolean {
    return this.#parts.bodies.listOld(dayOf(this.#parts.clock.now()), 1).length > 0;
  }

  /** Keeps what changed, then lets go of what nobody asks for any more. */
  async runOnce(): Promise<{ readonly kept: number; readonly letGo: number }> {
    let kept = 0;
    const { changes, bodies, loader, writer } = this.#parts;
    for (const [tableId, sinceId] of this.#unkept(dayOf(this.#parts.clock.now()))) {
      const text = await Array.fromAsync(
        this.#parts.reads.read({ kind: 'tableChanges', tableId, sinceId, isWhole: true }, { user: SYSTEM }),
      );
      const change = JSON.parse(Buffer.concat(text).toString()) as TableChange; // our Worker wrote it
      await writer.write(() => changes.put(tableId, sinceId, change));
      kept += 1;
    }
    const letGo = await writer.write((tx) => {
      changes.forgetOld();
      const today = dayOf(tx.now);
      // Those of which something came into force meanwhile have their turn the next time.
      const unkept = new Set(this.#unkept(today).flat());
      const old = bodies.listOld(today, TABLES_A_STEP).filter((id) => !unkept.has(id));
      for (const id of old) bodies.beginToGo(id);
      return old.length;
    });
    // Also what a stop left of the last time.
    await loader.removeGone();
    return { kept, letGo };
  }

  #unkept(today: Day): Step[] {
    const { changes } = this.#parts;
    return this.#steps(today).filter(([tableId, sinceId]) => changes.counts(tableId, sinceId) === undefined);
  }

  /** From each of the newest tables to the one before: as they were loaded, and as they were in force. */
  #steps(today: Day): Step[] {
    const loaded = this.#parts.store.list().reverse();
    const newest = loaded.slice(0, HISTORY_TABLES).map(({ id }) => id);
    const begun = begunUntil(this.#parts.activations, today).map(({ tableId }) => tableId);
    const whole = new Set([NO_TABLE_BEFORE, ...loaded.flatMap(({ id, isWhole }) => (isWhole ? [id] : []))]);
    const since = (ids: readonly number[]): Step[] =>
      ids.map((id, index) => [id, ids[index + 1] ?? NO_TABLE_BEFORE]);
    const all = new Map(
      [...since(loaded.map(({ id }) => id)), ...since(begun)].map((step) => [step.join(), step]),
    );
    return [...all.values()].filter(
      ([tableId, sinceId]) => newest.includes(tableId) && whole.has(tableId) && whole.has(sinceId),
    );
  }
}
