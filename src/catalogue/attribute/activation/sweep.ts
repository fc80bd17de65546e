/**
 * Deactivates the products that the table in force no longer admits (contract section 8). Products are
 * judged between transactions; those to deactivate are judged again and deactivated in transactions of some
 * ms. Each write also stores the progress of the sweep, so that it resumes after a crash and publishes
 * nothing twice.
 */
import { endOfTurn } from '../../../clock.ts';
import type { Transaction, Writer } from '../../../db/writer.ts';
import type { ActivationStore, Sweep, SweepOutcome, SweepProgress } from './activation-store.ts';
import type { SweepPosition } from '../../product/active-store.ts';
import { type JudgedProduct, type ProductScan, type Standard, groupOf, isProblematic } from './scan.ts';

/** Actions of the system on products; the product feature and the catalogue events implement them. */
export interface SystemActions {
  deactivate(tx: Transaction, cpfCnpjRaiz: string, codigo: number): void;
  publishDeactivated(tx: Transaction, cpfCnpjRaiz: string, ncm: string, codigos: readonly number[]): void;
}

export interface SweeperDependencies {
  readonly store: ActivationStore;
  readonly scan: ProductScan;
  readonly writer: Writer;
  readonly actions: SystemActions;
  readonly stopwatch: () => number;
}

export interface SweepResult {
  readonly deactivated: number;
  /** Events `catp-prod-desativado`; subscribers also get a `catp-prod-alterado` for each deactivation. */
  readonly events: number;
}

export interface SweepRun extends SweepResult {
  /** `false` when it was stopped before the end; a later run resumes it. */
  readonly isFinished: boolean;
}

/** Maximum number of products in one event (contract section 8). */
export const PRODUCTS_PER_EVENT = 1000;

/** Duration of a slice of judging, and of a deactivating transaction. */
const SLICE_MS = 4;

/** Number of slices without writes after which the progress is saved anyway. */
const SLICES_UNSAVED = 100;

/** Judged products whose result is not written yet. */
interface Slice {
  readonly invalid: readonly JudgedProduct[];
  readonly upTo: SweepPosition;
  readonly isEnd: boolean;
}

interface SweepState {
  readonly sweep: Sweep;
  readonly slice: Slice;
}

export class Sweeper {
  readonly #store: ActivationStore;
  readonly #scan: ProductScan;
  readonly #writer: Writer;
  readonly #actions: SystemActions;
  readonly #stopwatch: () => number;
  #isStopped = false;

  constructor({ store, scan, writer, actions, stopwatch }: SweeperDependencies) {
    this.#store = store;
    this.#scan = scan;
    this.#writer = writer;
    this.#actions = actions;
    this.#stopwatch = stopwatch;
  }

  /** Runs a sweep to its end, unless it is stopped before. */
  async run(id: number): Promise<SweepRun> {
    for (;;) {
      const { outcome, progress, ...sweep } = this.#store.getSweep(id);
      const { deactivated, events } = progress;
      if (outcome !== null || this.#isStopped) return { deactivated, events, isFinished: outcome !== null };
      await this.#advance({ ...sweep, outcome, progress });
    }
  }

  /** Ends an unfinished sweep that another one replaces; publishes the products that it deactivated. */
  supersede(tx: Transaction, sweep: Sweep): void {
    this.#save(tx, sweep, this.#publish(tx, sweep.progress), 'superseded');
  }

  /** Ends running sweeps after their current slice. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Judges and writes up to the end, until another process has written, or until this one is stopped. */
  async #advance(start: Sweep): Promise<void> {
    const products = this.#scan.judged(standardOf(start), start.progress.after);
    let state: SweepState = {
      sweep: start,
      slice: { invalid: [], upTo: start.progress.after, isEnd: false },
    };
    for (let unsaved = 0; !this.#isStopped; unsaved += 1) {
      const { sweep } = state;
      const slice = state.slice.invalid.length > 0 ? state.slice : this.#slice(products, state.slice.upTo);
      if (unsaved < SLICES_UNSAVED && !isWorthWriting(slice, sweep)) {
        state = { sweep, slice };
        await endOfTurn();
        continue;
      }
      const written = await this.#writer.write((tx) => this.#write(tx, sweep, slice));
      if (written === undefined || written.sweep.outcome !== null) return;
      state = written;
      unsaved = 0;
    }
  }

  #slice(products: Generator<JudgedProduct>, after: SweepPosition): Slice {
    const started = this.#stopwatch();
    const invalid: JudgedProduct[] = [];
    let upTo = after;
    do {
      const { done, value } = products.next();
      if (done === true) return { invalid, upTo, isEnd: true };
      upTo = value;
      if (isProblematic(value)) invalid.push(value);
    } while (this.#stopwatch() - started < SLICE_MS);
    return { invalid, upTo, isEnd: false };
  }

  /**
   * Writes the result of a slice within the time limit of a transaction; returns `undefined` when the slice
   * is stale.
   */
  #write(tx: Transaction, before: Sweep, slice: Slice): SweepState | undefined {
    const sweep = this.#store.getSweep(before.id);
    // Another process continued or ended it.
    if (sweep.progress.step !== before.progress.step || sweep.outcome !== null) return undefined;
    const { invalid, upTo, isEnd } = slice;
    const started = this.#stopwatch();
    let progress = sweep.progress;
    for (const [index, product] of invalid.entries()) {
      progress = this.#moveTo(tx, progress, product);
      if (this.#scan.judgeAgain(standardOf(sweep), product).length > 0)
        progress = this.#deactivate(tx, progress, product);
      const isLast = index === invalid.length - 1;
      if (!isLast && this.#stopwatch() - started > SLICE_MS) {
        const rest = { ...slice, invalid: invalid.slice(index + 1) };
        return { sweep: this.#save(tx, sweep, progress, null), slice: rest };
      }
    }
    progress = this.#moveTo(tx, progress, upTo);
    const saved = isEnd
      ? this.#save(tx, sweep, this.#publish(tx, progress), 'complete')
      : this.#save(tx, sweep, progress, null);
    return { sweep: saved, slice: { ...slice, invalid: [] } };
  }

  /**
   * Moves the progress to a position. At a new company or NCM, publishes the deactivations of the previous
   * one.
   */
  #moveTo(tx: Transaction, progress: SweepProgress, position: SweepPosition): SweepProgress {
    const isSameGroup = groupOf(position) === groupOf(progress.after);
    const openGroup = isSameGroup ? progress : this.#publish(tx, progress);
    const { cpfCnpjRaiz, ncm, codigo } = position;
    return { ...openGroup, after: { cpfCnpjRaiz, ncm, codigo } };
  }

  #deactivate(
    tx: Transaction,
    progress: SweepProgress,
    { cpfCnpjRaiz, codigo }: SweepPosition,
  ): SweepProgress {
    this.#actions.deactivate(tx, cpfCnpjRaiz, codigo);
    const next = {
      ...progress,
      unpublished: [...progress.unpublished, codigo],
      deactivated: progress.deactivated + 1,
    };
    return next.unpublished.length < PRODUCTS_PER_EVENT ? next : this.#publish(tx, next);
  }

  #publish(tx: Transaction, progress: SweepProgress): SweepProgress {
    const { after, unpublished } = progress;
    if (unpublished.length === 0) return progress;
    this.#actions.publishDeactivated(tx, after.cpfCnpjRaiz, after.ncm, unpublished);
    return { ...progress, unpublished: [], events: progress.events + 1 };
  }

  #save(tx: Transaction, sweep: Sweep, progressBefore: SweepProgress, outcome: SweepOutcome | null): Sweep {
    const progress = { ...progressBefore, step: progressBefore.step + 1 };
    this.#store.save(sweep.id, progress, outcome, tx.now);
    return { ...sweep, progress, outcome };
  }
}

const standardOf = ({ tableId, day, sinceTableId }: Sweep): Standard => ({ tableId, day, sinceTableId });

function isWorthWriting({ invalid, upTo, isEnd }: Slice, { progress }: Sweep): boolean {
  const leavesUnpublished = progress.unpublished.length > 0 && groupOf(upTo) !== groupOf(progress.after);
  return invalid.length > 0 || isEnd || leavesUnpublished;
}
