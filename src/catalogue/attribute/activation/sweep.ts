/**
 * The system deactivates what the table in force no longer admits (contract section 8): products are judged between
 * transactions, and what is to be deactivated is judged again and deactivated in transactions of some ms. Whatever is
 * written carries how far the sweep has come, so that a crash resumes it and nothing is published twice.
 */
import { endOfTurn } from '../../../clock.ts';
import type { Transaction, Writer } from '../../../db/writer.ts';
import type { ActivationStore, Sweep, SweepOutcome, SweepProgress } from './activation-store.ts';
import type { SweepPosition } from '../../product/active-store.ts';
import { type JudgedProduct, type ProductScan, type Standard, groupOf, isProblematic } from './scan.ts';

/** What the system does to products; the product's own feature and the catalogue's events do it. */
export interface SystemHand {
  deactivate(tx: Transaction, cpfCnpjRaiz: string, codigo: number): void;
  publishDeactivated(tx: Transaction, cpfCnpjRaiz: string, ncm: string, codigos: readonly number[]): void;
}

export interface SweepParts {
  readonly store: ActivationStore;
  readonly scan: ProductScan;
  readonly writer: Writer;
  readonly hand: SystemHand;
  readonly stopwatch: () => number;
}

export interface SweepResult {
  readonly deactivated: number;
  /** Events `catp-prod-desativado`; each deactivation is told by a `catp-prod-alterado` besides, to who subscribes. */
  readonly events: number;
}

export interface SweepRun extends SweepResult {
  /** `false` when it was stopped on the way; a later run resumes it. */
  readonly isFinished: boolean;
}

/** Products of one event at most (contract section 8). */
export const PRODUCTS_PER_EVENT = 1000;

/** A slice of judging, and a transaction of deactivating. */
const SLICE_MS = 4;

/** Slices without anything to write after which the progress is written all the same. */
const SLICES_UNSAVED = 100;

/** What was judged, and is not written yet. */
interface Slice {
  readonly invalid: readonly JudgedProduct[];
  readonly upTo: SweepPosition;
  readonly isEnd: boolean;
}

interface Standing {
  readonly sweep: Sweep;
  readonly slice: Slice;
}

export class Sweeper {
  readonly #parts: SweepParts;
  #isStopped = false;

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** Brings a sweep to its end, unless it is stopped on the way. */
  async run(id: number): Promise<SweepRun> {
    for (;;) {
      const { outcome, progress, ...sweep } = this.#parts.store.getSweep(id);
      const { deactivated, events } = progress;
      if (outcome !== null || this.#isStopped) return { deactivated, events, isFinished: outcome !== null };
      await this.#advance({ ...sweep, outcome, progress });
    }
  }

  /** Ends an unfinished sweep whose place another one takes; what it deactivated is published. */
  supersede(tx: Transaction, sweep: Sweep): void {
    this.#save(tx, sweep, this.#published(tx, sweep.progress), 'superseded');
  }

  /** Running sweeps end with the slice that they are at. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Judges and writes up to the end, or until another process is seen to have written or this one is stopped. */
  async #advance(begun: Sweep): Promise<void> {
    const { scan, writer } = this.#parts;
    const products = scan.judged(standardOf(begun), begun.progress.after);
    let at: Standing = { sweep: begun, slice: { invalid: [], upTo: begun.progress.after, isEnd: false } };
    for (let unsaved = 0; !this.#isStopped; unsaved += 1) {
      const { sweep } = at;
      const slice = at.slice.invalid.length > 0 ? at.slice : this.#slice(products, at.slice.upTo);
      if (unsaved < SLICES_UNSAVED && !isWorthWriting(slice, sweep)) {
        at = { sweep, slice };
        await endOfTurn();
        continue;
      }
      const written = await writer.write((tx) => this.#write(tx, sweep, slice));
      if (written === undefined || written.sweep.outcome !== null) return;
      at = written;
      unsaved = 0;
    }
  }

  #slice(products: Generator<JudgedProduct>, after: SweepPosition): Slice {
    const started = this.#parts.stopwatch();
    const invalid: JudgedProduct[] = [];
    let upTo = after;
    do {
      const { done, value } = products.next();
      if (done === true) return { invalid, upTo, isEnd: true };
      upTo = value;
      if (isProblematic(value)) invalid.push(value);
    } while (this.#parts.stopwatch() - started < SLICE_MS);
    return { invalid, upTo, isEnd: false };
  }

  /** Writes what a slice found, as far as the time of a transaction goes; `undefined` when the slice is stale. */
  #write(tx: Transaction, before: Sweep, slice: Slice): Standing | undefined {
    const { store, scan, stopwatch } = this.#parts;
    const sweep = store.getSweep(before.id);
    // Another process went on with it, or ended it.
    if (sweep.progress.step !== before.progress.step || sweep.outcome !== null) return undefined;
    const { invalid, upTo, isEnd } = slice;
    const started = stopwatch();
    let progress = sweep.progress;
    for (const [index, product] of invalid.entries()) {
      progress = this.#reach(tx, progress, product);
      if (scan.judgeAgain(standardOf(sweep), product).length > 0)
        progress = this.#deactivate(tx, progress, product);
      const isLast = index === invalid.length - 1;
      if (!isLast && stopwatch() - started > SLICE_MS) {
        const rest = { ...slice, invalid: invalid.slice(index + 1) };
        return { sweep: this.#save(tx, sweep, progress, null), slice: rest };
      }
    }
    progress = this.#reach(tx, progress, upTo);
    const saved = isEnd
      ? this.#save(tx, sweep, this.#published(tx, progress), 'complete')
      : this.#save(tx, sweep, progress, null);
    return { sweep: saved, slice: { ...slice, invalid: [] } };
  }

  /** Moves on to a place; leaving a company and NCM publishes what was deactivated there. */
  #reach(tx: Transaction, progress: SweepProgress, place: SweepPosition): SweepProgress {
    const isSameGroup = groupOf(place) === groupOf(progress.after);
    const left = isSameGroup ? progress : this.#published(tx, progress);
    const { cpfCnpjRaiz, ncm, codigo } = place;
    return { ...left, after: { cpfCnpjRaiz, ncm, codigo } };
  }

  #deactivate(
    tx: Transaction,
    progress: SweepProgress,
    { cpfCnpjRaiz, codigo }: SweepPosition,
  ): SweepProgress {
    this.#parts.hand.deactivate(tx, cpfCnpjRaiz, codigo);
    const next = {
      ...progress,
      unpublished: [...progress.unpublished, codigo],
      deactivated: progress.deactivated + 1,
    };
    return next.unpublished.length < PRODUCTS_PER_EVENT ? next : this.#published(tx, next);
  }

  #published(tx: Transaction, progress: SweepProgress): SweepProgress {
    const { after, unpublished } = progress;
    if (unpublished.length === 0) return progress;
    this.#parts.hand.publishDeactivated(tx, after.cpfCnpjRaiz, after.ncm, unpublished);
    return { ...progress, unpublished: [], events: progress.events + 1 };
  }

  #save(tx: Transaction, sweep: Sweep, reached: SweepProgress, outcome: SweepOutcome | null): Sweep {
    const progress = { ...reached, step: reached.step + 1 };
    this.#parts.store.save(sweep.id, progress, outcome, tx.now);
    return { ...sweep, progress, outcome };
  }
}

const standardOf = ({ tableId, day, sinceTableId }: Sweep): Standard => ({ tableId, day, sinceTableId });

function isWorthWriting({ invalid, upTo, isEnd }: Slice, { progress }: Sweep): boolean {
  const leavesUnpublished = progress.unpublished.length > 0 && groupOf(upTo) !== groupOf(progress.after);
  return invalid.length > 0 || isEnd || leavesUnpublished;
}
