/** Stores the activations of tables, each with its first day, and the sweeps of products that they cause. */
import type { Day, EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import type { SweepPosition } from '../../product/active-store.ts';

export interface Activation {
  readonly id: number;
  readonly tableId: number;
  readonly onDay: Day;
}

/** Check of all active products against the table in force on a day. */
export interface Sweep {
  readonly id: number;
  readonly activationId: number;
  readonly tableId: number;
  readonly day: Day;
  /** Skips NCMs that are the same in this table; `null`: checks all. */
  readonly sinceTableId: number | null;
  readonly progress: SweepProgress;
  readonly outcome: SweepOutcome | null;
}

export type SweepOutcome = 'complete' | 'superseded';

export interface SweepProgress {
  /** Counts the writes of this sweep. */
  readonly step: number;
  /** Last product that was judged. */
  readonly after: SweepPosition;
  /** Codes deactivated in the company and NCM of `after` that no event contains yet. */
  readonly unpublished: readonly number[];
  readonly deactivated: number;
  readonly events: number;
}

/** Table that deactivated products, and the day on which it came into force. */
export interface DeactivatingTable {
  readonly id: number;
  readonly versao: string;
  readonly inForceOn: Day;
  /** False once only its difference is stored: no product can be checked by it any more. */
  readonly isWhole: boolean;
}

interface SweepRow extends Omit<Sweep, 'progress'> {
  readonly step: number;
  readonly cpfCnpjRaiz: string;
  readonly ncm: string;
  readonly codigo: number;
  readonly unpublished: string;
  readonly deactivated: number;
  readonly events: number;
}

const SWEEP = `SELECT s.id, s.activation_id AS activationId, a.table_id AS tableId, s.day,
    s.since_table_id AS sinceTableId, s.step, s.after_raiz AS cpfCnpjRaiz, s.after_ncm AS ncm, s.after_codigo AS codigo,
    s.unpublished, s.deactivated, s.events, s.outcome
  FROM attribute_sweep s JOIN attribute_activation a ON a.id = s.activation_id`;

export class ActivationStore extends Store {
  /** Returns all activations that were not cancelled: latest day first; within a day, newest first. */
  readonly list = this.many<[], Activation>(
    `SELECT id, table_id AS tableId, on_day AS onDay FROM attribute_activation
     WHERE cancelled_at IS NULL ORDER BY on_day DESC, id DESC`,
  );
  /** Returns true if the table was ever activated, also if the activation was cancelled. */
  readonly wasEverActivated = this.exists<[tableId: number]>(
    'SELECT 1 FROM attribute_activation WHERE table_id = ? LIMIT 1',
  );
  readonly #insert = this.inserts(
    'INSERT INTO attribute_activation (table_id, on_day, requested_at, requested_by) VALUES (?, ?, ?, ?)',
  );
  readonly cancel = this.runs(
    'UPDATE attribute_activation SET cancelled_at = ? WHERE id = ?',
    ({ id }: Activation, now: EpochMs) => [now, id],
  );
  readonly insertSweep = this.inserts<
    [activationId: number, day: Day, sinceTableId: number | null, now: EpochMs]
  >('INSERT INTO attribute_sweep (activation_id, day, since_table_id, begun_at) VALUES (?, ?, ?, ?)');
  readonly #findSweep = this.one<[number], SweepRow>(`${SWEEP} WHERE s.id = ?`);
  readonly findLatestSweep = this.one<[activationId: number], Sweep>(
    `${SWEEP} WHERE s.activation_id = ? ORDER BY s.id DESC LIMIT 1`,
    toSweep,
  );
  /**
   * Returns the table by which the system deactivated a product at that time: only one sweep at a time
   * deactivates, so it is the last one that had started.
   */
  readonly findTableThatDeactivated = this.one<[at: EpochMs], DeactivatingTable>(
    `SELECT t.id, t.versao, a.on_day AS inForceOn, t.body = 'whole' AS isWhole
     FROM attribute_sweep s INDEXED BY attribute_sweep_that_deactivated
     JOIN attribute_activation a ON a.id = s.activation_id JOIN attribute_table t ON t.id = a.table_id
     WHERE s.deactivated > 0 AND s.begun_at <= ? ORDER BY s.begun_at DESC, s.id DESC LIMIT 1`,
    (table: Omit<DeactivatingTable, 'isWhole'> & { isWhole: 0 | 1 }) => ({
      ...table,
      isWhole: table.isWhole === 1,
    }),
  );
  /** Returns the sweep that was started last, for any activation. */
  readonly findNewestSweep = this.one<[], Sweep>(`${SWEEP} ORDER BY s.id DESC LIMIT 1`, toSweep);
  readonly listUnfinishedSweeps = this.many<[], Sweep>(
    `${SWEEP} WHERE s.outcome IS NULL ORDER BY s.id`,
    toSweep,
  );
  readonly #save = this.runs(
    `UPDATE attribute_sweep SET step = ?, after_raiz = ?, after_ncm = ?, after_codigo = ?, unpublished = ?,
     deactivated = ?, events = ?, outcome = ?, finished_at = ? WHERE id = ?`,
  );

  insert(tableId: number, onDay: Day, requestedBy: string, now: EpochMs): Activation {
    const id = this.#insert(tableId, onDay, now, requestedBy);
    return { id, tableId, onDay };
  }

  getSweep(id: number): Sweep {
    const sweep = this.#findSweep(id);
    if (sweep === undefined) throw new Error(`There is no attribute sweep ${id}.`);
    return toSweep(sweep);
  }

  save(id: number, progress: SweepProgress, outcome: SweepOutcome | null, now: EpochMs): void {
    const { step, after, unpublished, deactivated, events } = progress;
    this.#save(
      step,
      after.cpfCnpjRaiz,
      after.ncm,
      after.codigo,
      JSON.stringify(unpublished),
      deactivated,
      events,
      outcome,
      outcome === null ? null : now,
      id,
    );
  }
}

function toSweep(row: SweepRow): Sweep {
  const { id, activationId, tableId, day, sinceTableId, outcome } = row;
  const { step, cpfCnpjRaiz, ncm, codigo, unpublished, deactivated, events } = row;
  return {
    id,
    activationId,
    tableId,
    day,
    sinceTableId,
    outcome,
    progress: {
      step,
      after: { cpfCnpjRaiz, ncm, codigo },
      unpublished: JSON.parse(unpublished) as number[],
      deactivated,
      events,
    },
  };
}
