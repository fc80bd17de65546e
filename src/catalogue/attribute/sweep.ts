/**
 * The system deactivates what the table in force no longer admits (contract section 8): products are judged between
 * transactions, and what is to be deactivated is judged again and deactivated in transactions of some ms. Whatever is
 * written carries how far the sweep has come, so that a crash resumes it and nothing is published twice.
 */
import type { Transaction, Writer } from '../../db/writer.ts';
import type { ActivationStore, Sweep, SweepOutcome, SweepProgress } from './activation-store.ts';
import type { Place } from './active-product-store.ts';
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
  /** Events `catp-prod-desativado`; each deactivation is told by a `catp-prod-alterado` besides. */
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

/** Where the judging stands, between what is written. */
interface Slice {
  readonly invalid: readonly JudgedProduct[];
  readonly upTo: Place;
  readonly isEnd: boolean;
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
    this.#save(tx, sweep.id, this.#published(tx, sweep.progress), 'superseded');
  }

  /** Running sweeps end with the slice that they are at. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Judges on until there is something to write, and writes it; nothing when another process wrote meanwhile. */
  async #advance(sweep: Sweep): Promise<void> {
    const { scan, writer } = this.#parts;
    const products = scan.judged(standardOf(sweep), sweep.progress.after);
    let place = sweep.progress.after;
    for (let slices = 1; ; slices += 1) {
      if (this.#isStopped) return;
      const slice = this.#slice(products, place);
      place = slice.upTo;
      if (slices < SLICES_UNSAVED && !isWorthWriting(slice, sweep)) await endOfTurn();
      else return writer.write((tx) => this.#write(tx, sweep, slice));
    }
  }

  #slice(products: Generator<JudgedProduct>, after: Place): Slice {
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

  #write(tx: Transaction, { id, progress: before }: Sweep, { invalid, upTo, isEnd }: Slice): void {
    const { store, scan, stopwatch } = this.#parts;
    const sweep = store.getSweep(id);
    // Another process went on with it, or ended it: what was judged here is stale.
    if (sweep.progress.step !== before.step || sweep.outcome !== null) return;
    const started = stopwatch();
    let progress = sweep.progress;
    for (const [index, product] of invalid.entries()) {
      progress = this.#reach(tx, progress, product);
      if (scan.judgeAgain(standardOf(sweep), product).length > 0)
        progress = this.#deactivate(tx, progress, product);
      const isLast = index === invalid.length - 1;
      if (!isLast && stopwatch() - started > SLICE_MS) return this.#save(tx, id, progress, null);
    }
    progress = this.#reach(tx, progress, upTo);
    if (isEnd) this.#save(tx, id, this.#published(tx, progress), 'complete');
    else this.#save(tx, id, progress, null);
  }

  /** Moves on to a place; leaving a company and NCM publishes what was deactivated there. */
  #reach(tx: Transaction, progress: SweepProgress, place: Place): SweepProgress {
    const isSameGroup = groupOf(place) === groupOf(progress.after);
    const left = isSameGroup ? progress : this.#published(tx, progress);
    const { cpfCnpjRaiz, ncm, codigo } = place;
    return { ...left, after: { cpfCnpjRaiz, ncm, codigo } };
  }

  #deactivate(tx: Transaction, progress: SweepProgress, { cpfCnpjRaiz, codigo }: Place): SweepProgress {
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

  #save(tx: Transaction, id: number, progress: SweepProgress, outcome: SweepOutcome | null): void {
    this.#parts.store.save(id, { ...progress, step: progress.step + 1 }, outcome, tx.now);
  }
}

const standardOf = ({ tableId, day, sinceTableId }: Sweep): Standard => ({ tableId, day, sinceTableId });

function isWorthWriting({ invalid, upTo, isEnd }: Slice, { progress }: Sweep): boolean {
  const leavesUnpublished = progress.unpublished.length > 0 && groupOf(upTo) !== groupOf(progress.after);
  return invalid.length > 0 || isEnd || leavesUnpublished;
}

const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
