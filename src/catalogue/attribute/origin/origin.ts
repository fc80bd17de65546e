/** Fetches a list automatically (contract section 19): each day, and each hour while that fails. */
import type { Actor } from '../../../change.ts';
import { type Clock, DAY_MS, type EpochMs, HOUR_MS, MINUTE_MS } from '../../../clock.ts';
import { FolderMarks, ORIGINS } from '../../../db/folder-mark.ts';
import type { Db } from '../../../db/open.ts';
import type { Writer } from '../../../db/writer.ts';
import { DomainError, OperatorError } from '../../../errors.ts';
import type { Download } from '../../../outgoing/download.ts';
import { SYSTEM } from '../../../session/model.ts';
import { atWallClock, wallClock } from '../../../validation/calendar.ts';
import { type FetchResult, type OriginState, originStateOf } from './model.ts';

/** Time of day in Brasília at which the list is fetched. */
interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

export interface OriginOptions {
  /** Name of the list. */
  readonly name: keyof typeof ORIGINS;
  /** Setting that names the list, for the message when it is not set. */
  readonly setting: string;
  /** Name of the content at the start of a sentence: `A tabela de atributos`. */
  readonly subject: string;
  readonly isSet: boolean;
  readonly time: TimeOfDay | undefined;
  readonly db: Db;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly fetch: (stopping: AbortSignal) => Promise<Download>;
  /** Throws a refusal of the file. */
  readonly process: (file: Uint8Array, by: Actor) => Promise<FetchResult>;
}

export class Origin {
  readonly #name: keyof typeof ORIGINS;
  readonly #setting: string;
  readonly #subject: string;
  readonly #isSet: boolean;
  readonly #time: TimeOfDay | undefined;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #fetch: (stopping: AbortSignal) => Promise<Download>;
  readonly #process: (file: Uint8Array, by: Actor) => Promise<FetchResult>;
  readonly #marks: FolderMarks;
  readonly #stopping = new AbortController();
  #running: Promise<FetchResult> | undefined;

  constructor({ name, setting, subject, isSet, time, db, writer, clock, fetch, process }: OriginOptions) {
    this.#name = name;
    this.#setting = setting;
    this.#subject = subject;
    this.#isSet = isSet;
    this.#time = time;
    this.#writer = writer;
    this.#clock = clock;
    this.#fetch = fetch;
    this.#process = process;
    this.#marks = new FolderMarks(db);
  }

  get isSet(): boolean {
    return this.#isSet;
  }

  /** Returns `null` also when no origin is set: earlier fetches are then irrelevant. */
  state(): OriginState | null {
    return this.#isSet ? this.#storedState() : null;
  }

  #storedState(): OriginState | null {
    return originStateOf(this.#marks.find(ORIGINS[this.#name]));
  }

  /** Cron pattern, every hour at the configured minute; `isDue` decides if a fetch is due. */
  get pattern(): string | undefined {
    return this.#isSet && this.#time !== undefined ? `${this.#time.minute} * * * *` : undefined;
  }

  /** Returns true if a scheduled time has passed since the last fetch, or if the last fetch must be retried. */
  get isDue(): boolean {
    const last = this.state();
    if (this.#time === undefined || !this.isSet) return false;
    return (
      last === null ||
      this.#needsRetry(last) ||
      last.at < lastScheduledTime(this.#clock.now(), this.#time, DAY_MS)
    );
  }

  /**
   * Returns true for an hourly retry: the last fetch failed, or a clock that was ahead has stored a future
   * moment.
   */
  #needsRetry({ ok, at }: OriginState): boolean {
    return !ok || at > this.#clock.now();
  }

  /** Returns the time of the next fetch; `undefined`: never on a schedule. */
  nextAt(): EpochMs | undefined {
    if (this.#time === undefined || !this.isSet) return undefined;
    const last = this.state();
    const step = last === null || this.#needsRetry(last) ? HOUR_MS : DAY_MS;
    return atWallClock(wallClock(lastScheduledTime(this.#clock.now(), this.#time, step)) + step);
  }

  /** Fetches once for all concurrent callers, and stores the result. Throws `OperatorError` on failure. */
  runOnce(by: Actor = SYSTEM): Promise<FetchResult> {
    return (this.#running ??= this.#fetchAndProcess(by).finally(() => (this.#running = undefined)));
  }

  /** Ends the running fetch. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running?.catch(() => undefined); // its caller has received the error
  }

  async #fetchAndProcess(by: Actor): Promise<FetchResult> {
    if (!this.#isSet)
      throw new OperatorError(
        `${this.#setting} está vazia: grave nela o endereço de onde a lista é baixada.`,
      );
    try {
      const download = await this.#fetch(this.#stopping.signal);
      if (!download.ok) throw new OperatorError(`${this.#subject} não foi buscada: ${download.message}.`);
      const result = await this.#unlessStopped(this.#process(download.file, by));
      const { message, asks, tableId } = result;
      await this.#saveState({ ok: true, message, asks, tableId });
      return result;
    } catch (error) {
      // The end of the process does not count as a failure of the origin.
      if (this.#stopping.signal.aborted) throw error;
      const message = refusalOf(error, this.#subject);
      await this.#saveState({
        ok: false,
        asks: 'attention',
        tableId: null,
        message:
          message ??
          `${this.#subject} foi baixada, e uma falha interna impediu que fosse guardada; veja o log.`,
      });
      throw message === undefined ? error : new OperatorError(message);
    }
  }

  /**
   * Rejects when the process stops. The owners of the work end it; this method does not wait for it.
   */
  #unlessStopped<Result>(work: Promise<Result>): Promise<Result> {
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(new OperatorError('O serviço está sendo encerrado.'));
    this.#stopping.signal.addEventListener('abort', stop);
    return Promise.race([work, stopped]).finally(() =>
      this.#stopping.signal.removeEventListener('abort', stop),
    );
  }

  async #saveState(state: Omit<OriginState, 'at' | 'succeededAt'>): Promise<void> {
    await this.#writer.write((tx) => {
      const succeededAt = state.ok ? tx.now : (this.#storedState()?.succeededAt ?? null);
      this.#marks.put(
        ORIGINS[this.#name],
        JSON.stringify({ ...state, at: tx.now, succeededAt } satisfies OriginState),
      );
    });
  }
}

/** Returns `undefined` for an internal fault. */
function refusalOf(error: unknown, subject: string): string | undefined {
  if (error instanceof OperatorError) return error.message;
  if (!(error instanceof DomainError)) return undefined;
  const [first] = error.problems;
  return `${subject} foi buscada e recusada, e nada mudou: ${first?.message ?? error.message}`;
}

/** Returns the last moment, up to now, at that time of day, or with `HOUR_MS` at that minute of an hour. */
function lastScheduledTime(now: EpochMs, { hour, minute }: TimeOfDay, interval: number): EpochMs {
  const wall = wallClock(now);
  const offset = (hour * HOUR_MS + minute * MINUTE_MS) % interval;
  return atWallClock(Math.floor((wall - offset) / interval) * interval + offset);
}
