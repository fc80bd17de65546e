/**
 * Pool of long reads whose cost depends on content from users. Each read runs in its own process with a
 * memory limit. Few run at a time, and the active ones take turns.
 */
import { REAL_TIME, type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { type QuotaOwner, type ExceededLimit, FairShares } from '../fair-shares.ts';
import { Admission } from './admission.ts';
import { tooMuchMemory } from './costly-work.ts';
import { CREDIT_CHUNKS, LongRead, type ReadDesk, type ReadLimit } from './long-read.ts';
import type { Reads } from './pool.ts';
import type { ReadRequest } from './protocol.ts';
import type { WorkProcess, WorkProcesses } from './work-process.ts';

/** Limits of live processes, and of active ones. */
export interface WorkLimits {
  readonly atWork: number;
  readonly all: number;
  readonly ofUser: number;
  readonly ofCompany: number;
}

export interface WorkPoolOptions<Request extends ReadRequest> {
  readonly processes: WorkProcesses<Request>;
  /** The database file. */
  readonly database: string;
  readonly places: WorkLimits;
  /** Memory limit of a process in bytes (setting `trabalho.memoria`). */
  readonly memory: number;
  /** Time that a reader may take nothing (setting `servidor.listasParada`). */
  readonly stallMs: number;
  /** Returns the exhausted limit in Portuguese, as the first half of a sentence. */
  readonly busyText: (exceededLimit: ExceededLimit, quotaOwner: QuotaOwner) => string;
  readonly onStalled: (kind: string, ms: number) => void;
  readonly onFailed?: (error: Error) => void;
  readonly realTime?: RealTime;
}

/** Time that a read waits for its slot and its first turn (contract section 16). */
const WAIT_MS = 30 * SECOND_MS;

/** Time of one turn of a read that sends chunks. */
const TURN_MS = SECOND_MS;

export class WorkPool<Request extends ReadRequest> implements Reads<Request> {
  readonly #processes: WorkProcesses<Request>;
  readonly #database: string;
  readonly #places: WorkLimits;
  readonly #memory: number;
  readonly #stallMs: number;
  readonly #onStalled: (kind: string, ms: number) => void;
  readonly #onFailed: ((error: Error) => void) | undefined;
  readonly #realTime: RealTime;
  readonly #admission: Admission;
  readonly #underWay = new Map<LongRead, QuotaOwner>();
  readonly #jobs = new Set<Job<Request>>();
  readonly #waiting = new Set<Job<Request>>();
  #atWork = 0;
  #lastId = 0;

  constructor({
    processes,
    database,
    places,
    memory,
    stallMs,
    busyText,
    onStalled,
    onFailed,
    realTime,
  }: WorkPoolOptions<Request>) {
    this.#processes = processes;
    this.#database = database;
    this.#places = places;
    this.#memory = memory;
    this.#stallMs = stallMs;
    this.#onStalled = onStalled;
    this.#onFailed = onFailed;
    this.#realTime = realTime ?? REAL_TIME;
    const { all, ofUser, ofCompany } = places;
    this.#admission = new Admission(
      new FairShares(all, { user: ofUser, company: ofCompany }),
      WAIT_MS,
      this.#realTime,
      busyText,
    );
  }

  read(request: Request, quotaOwner: QuotaOwner, limit?: ReadLimit): LongRead {
    const desk: ReadDesk = {
      begin: (read) => this.#begin(read, request, quotaOwner),
      stallMs: this.#stallMs,
      realTime: this.#realTime,
      onFailed: (error) => this.#onFailed?.(error),
      onLagging: () => this.#makeRoom(),
      onStalled: ({ kind }, ms) => this.#onStalled(kind, ms),
    };
    return new LongRead(request.kind, desk, quotaOwner.signal, limit);
  }

  /** Ends all reads. Resolves when no process has the database open. */
  async close(): Promise<void> {
    this.#admission.close();
    const closed = [...this.#jobs].flatMap((job) => job.process?.kill() ?? []);
    for (const job of this.#jobs) job.receiveError('The work was ended.');
    await Promise.all(closed);
  }

  async #begin(read: LongRead, request: Request, quotaOwner: QuotaOwner) {
    const from = this.#realTime.now();
    const admitted = this.#admission.enter(quotaOwner);
    this.#makeRoom();
    await admitted;
    this.#underWay.set(read, quotaOwner);
    const job = new Job<Request>(read, this.#memory, (left) => this.#endTurn(left));
    this.#jobs.add(job);
    const end = (): void => {
      this.#jobs.delete(job);
      this.#underWay.delete(read);
      this.#endTurn(job);
      // A slot is free once the memory of its process is.
      void (job.process === undefined ? Promise.resolve() : this.#processes.giveBack(job.process)).then(
        () => {
          this.#admission.leave(quotaOwner);
          this.#makeRoom();
        },
      );
    };
    try {
      await this.#turn(job, quotaOwner, WAIT_MS - (this.#realTime.now() - from));
    } catch (error) {
      end();
      throw error;
    }
    const id = (this.#lastId += 1);
    job.start(this.#processes.take(), {
      type: 'start',
      id,
      database: this.#database,
      request,
      credit: CREDIT_CHUNKS,
      closes: true,
    });
    return { credit: () => this.#credit(job), end };
  }

  /** Resolves with the first turn. Throws `unavailable`. */
  async #turn(job: Job<Request>, quotaOwner: QuotaOwner, ms: number): Promise<void> {
    this.#waiting.add(job);
    this.#next();
    if (job.hasTurn) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const over = (): void => {
      timer.cancel();
      quotaOwner.signal?.removeEventListener('abort', leave);
    };
    const leave = (): void => {
      over();
      this.#waiting.delete(job);
      reject(new Error('The reader left.')); // the read has failed with its reason already
    };
    const timer: Timer = this.#realTime.after(ms, () => {
      over();
      this.#waiting.delete(job);
      reject(this.#admission.tooMany(quotaOwner));
    });
    quotaOwner.signal?.addEventListener('abort', leave);
    job.onTurn = () => {
      over();
      job.onTurn = undefined;
      resolve();
    };
    await promise;
  }

  #credit(job: Job<Request>): void {
    const isOverTime = this.#waiting.size > 0 && this.#realTime.now() - job.since >= TURN_MS;
    if (job.hasTurn && !isOverTime) return job.credit(1);
    job.owedCredit += 1;
    if (!job.hasTurn) {
      this.#waiting.add(job);
      this.#next();
    }
  }

  #endTurn(job: Job<Request>): void {
    this.#waiting.delete(job);
    if (job.hasTurn) {
      job.hasTurn = false;
      this.#atWork -= 1;
    }
    if (job.owedCredit > 0 && this.#jobs.has(job)) this.#waiting.add(job);
    this.#next();
  }

  /** Gives free turns to the longest waiting jobs. */
  #next(): void {
    for (const job of this.#waiting) {
      if (this.#atWork >= this.#places.atWork) return;
      this.#waiting.delete(job);
      this.#atWork += 1;
      job.hasTurn = true;
      job.since = this.#realTime.now();
      job.take();
    }
  }

  /** Cuts one stalled read when a read waits for its slot. */
  #makeRoom(): void {
    for (const [read, quotaOwner] of this.#underWay)
      if (read.isLagging && this.#admission.isWaitedFor(quotaOwner)) {
        read.cutOff();
        return;
      }
  }
}

/** One read in its process. Without credit it is idle and needs no turn. */
class Job<Request extends ReadRequest> {
  readonly #read: LongRead;
  readonly #memory: number;
  readonly #leftTurn: (job: Job<Request>) => void;
  process: WorkProcess<Request> | undefined;
  onTurn: (() => void) | undefined;
  hasTurn = false;
  since = 0;
  /** Credit for chunks that were taken while the job had no turn. */
  owedCredit = 0;
  #id = 0;
  #outstanding = 0;

  constructor(read: LongRead, memory: number, leftTurn: (job: Job<Request>) => void) {
    this.#read = read;
    this.#memory = memory;
    this.#leftTurn = leftTurn;
  }

  start(process: WorkProcess<Request>, message: Parameters<WorkProcess<Request>['start']>[0]): void {
    this.process = process;
    this.#id = message.id;
    this.#outstanding = message.credit;
    process.start(message, this.#memory, {
      receive: (received) => {
        this.#read.receive(received);
        this.#outstanding -= 1;
        if (this.#outstanding === 0 || received.type !== 'chunk') this.#leftTurn(this);
      },
      failed: (failure, text) =>
        failure === 'memory' ? this.#read.fail(tooMuchMemory(this.#memory)) : this.receiveError(text),
    });
  }

  credit(count: number): void {
    this.#outstanding += count;
    for (let n = 0; n < count; n += 1) this.process?.credit(this.#id);
  }

  /** Called when the job gets its turn. */
  take(): void {
    const { owedCredit } = this;
    this.owedCredit = 0;
    if (this.onTurn === undefined) this.credit(owedCredit);
    else this.onTurn();
  }

  receiveError(message: string): void {
    this.#read.receive({ type: 'error', id: this.#id, message });
  }
}
