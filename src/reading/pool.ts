/**
 * Long reads off the main thread: a few Workers, started when they are needed and ended when they are not, read lists,
 * exports and impacts for everybody, in turns.
 */
import { REAL_TIME, type RealTime, SECOND_MS, type Timer, waited } from '../clock.ts';
import { type Holder, FairShares, lackText } from '../fair-shares.ts';
import { Admission } from './admission.ts';
import { CREDIT_CHUNKS, LongRead, type ReadDesk, type ReadLimit } from './long-read.ts';
import type { ReadRequest } from './protocol.ts';
import { ReaderThread } from './thread.ts';

/** What features need of it: each asks for its own kinds. */
export interface Reads<Request extends ReadRequest> {
  read(request: Request, holder: Holder, limit?: ReadLimit): LongRead;
}

export interface ReadPoolParts {
  /** Starts one that speaks the protocol, with the kinds of reads that it knows. */
  readonly startWorker: () => Worker;
  /** The database file. */
  readonly database: string;
  /** Reads under way at most (setting `servidor.listas`). */
  readonly limit: number;
  /** How long a read waits for its place (setting `servidor.listasEspera`). */
  readonly waitMs: number;
  /** How long a reader may take nothing (setting `servidor.listasParada`). */
  readonly stallMs: number;
  readonly onStalled: (kind: string, ms: number) => void;
  /** Told of each read that failed, also of one whose answer had begun. */
  readonly onFailed?: (error: Error) => void;
  readonly realTime?: RealTime;
}

/** More would take memory, and no machine that we know of reads faster by it. */
const THREADS_MAX = 4;

/** Starting a Worker takes some ten ms and MiB: one that has nothing to do is kept for so long. */
const IDLE_MS = 10 * SECOND_MS;

/** One that reads a page after the other in one call hears of a stop only after it: the process does not wait for that. */
const LEAVE_WITHIN_MS = SECOND_MS;

export class ReadPool<Request extends ReadRequest> implements Reads<Request> {
  readonly #parts: ReadPoolParts;
  readonly #realTime: RealTime;
  readonly #admission: Admission;
  readonly #threads = new Map<ReaderThread<Request>, Timer | undefined>();
  readonly #underWay = new Map<LongRead, Holder>();
  #lastId = 0;

  constructor(parts: ReadPoolParts) {
    this.#parts = parts;
    this.#realTime = parts.realTime ?? REAL_TIME;
    this.#admission = new Admission({
      shares: new FairShares(parts.limit),
      waitMs: parts.waitMs,
      realTime: this.#realTime,
      busyText: (lack, holder) =>
        `As listas e exportações longas em andamento são ${lackText(lack, holder, 'servidor.listas')}`,
    });
  }

  /** Nothing is read before it is asked for. */
  read(request: Request, holder: Holder, limit?: ReadLimit): LongRead {
    const desk: ReadDesk = {
      begin: (read) => this.#begin(read, request, holder),
      stallMs: this.#parts.stallMs,
      realTime: this.#realTime,
      failed: (error) => this.#parts.onFailed?.(error),
      lags: () => this.#makeRoom(),
      stalled: ({ kind }, ms) => this.#parts.onStalled(kind, ms),
    };
    return new LongRead(request.kind, desk, holder.leaves, limit);
  }

  /**
   * Ends what is under way. Resolves when no Worker has the database open any more (whoever closes it last folds the log
   * into it), or does not hear.
   */
  async close(): Promise<void> {
    this.#admission.close();
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const [, ending] of threads) ending?.cancel();
    const left = Promise.all(threads.map(([thread]) => thread.end()));
    await waited(
      this.#realTime,
      LEAVE_WITHIN_MS,
      left.then(() => undefined),
    );
  }

  async #begin(read: LongRead, request: Request, holder: Holder) {
    const admitted = this.#admission.enter(holder);
    this.#makeRoom();
    await admitted;
    this.#underWay.set(read, holder);
    const id = (this.#lastId += 1);
    const thread = this.#leastLoaded();
    const { database } = this.#parts;
    thread.start({ type: 'start', id, database, request, credit: CREDIT_CHUNKS }, read);
    return {
      credit: () => thread.credit(id),
      end: () => {
        thread.stop(id);
        this.#underWay.delete(read);
        this.#admission.leave(holder);
        this.#makeRoom();
        this.#endIfIdle(thread);
      },
    };
  }

  /** Cuts off one that lags, where somebody waits for its place; when that is given back, the next. */
  #makeRoom(): void {
    for (const [read, holder] of this.#underWay)
      if (read.isLagging && this.#admission.isWaitedFor(holder)) {
        read.cutOff();
        return;
      }
  }

  /** One that has nothing to do, else a new one, else the one with the least to do. */
  #leastLoaded(): ReaderThread<Request> {
    const [first, ...others] = [...this.#threads.keys()].sort((a, b) => a.load - b.load);
    const isNewOneBetter = first === undefined || (first.load > 0 && others.length + 1 < THREADS_MAX);
    const chosen = isNewOneBetter
      ? new ReaderThread<Request>(this.#parts.startWorker(), (thread) => this.#drop(thread))
      : first;
    this.#keep(chosen);
    return chosen;
  }

  #keep(thread: ReaderThread<Request>): void {
    this.#threads.get(thread)?.cancel();
    this.#threads.set(thread, undefined);
  }

  #drop(thread: ReaderThread<Request>): void {
    this.#threads.get(thread)?.cancel();
    this.#threads.delete(thread);
  }

  #endIfIdle(thread: ReaderThread<Request>): void {
    if (!this.#threads.has(thread) || !thread.isIdle) return;
    this.#keep(thread);
    this.#threads.set(
      thread,
      this.#realTime.after(IDLE_MS, () => {
        this.#drop(thread);
        void thread.end();
      }),
    );
  }
}
