/** One long read, from asking for it to its last byte. Its reader decides how fast it goes, but not to stand still. */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { unprocessable } from '../errors.ts';
import { clientLeft } from './admission.ts';
import type { FromReader } from './protocol.ts';

/** A reader who has taken nothing for so long gives way to who waits for its place (contract section 16). */
const PATIENCE_MS = 20 * SECOND_MS;

/** Chunks that may lie between the Worker and a slow reader. */
export const CREDIT_CHUNKS = 4;

export type Chunk = Uint8Array<ArrayBuffer>;

/** What a read costs is in the hands of who sent its content: it ends after so long, with this refusal. */
export interface ReadLimit {
  readonly ms: number;
  readonly refusal: () => Error;
}

/** What a read asks of the pool. */
export interface ReadDesk {
  /** Resolves when there is room and the Worker has begun. Throws `unavailable`. */
  begin(read: LongRead): Promise<{ credit(): void; end(): void }>;
  readonly stallMs: number;
  readonly realTime: RealTime;
  /** Told of what a read failed with. */
  readonly failed: (error: Error) => void;
  /** Told of a read of which nobody takes anything: it may be in the way. */
  readonly lags: () => void;
  /** Told once of a read that is cut off because nobody took anything of it for so long. */
  readonly stalled: (read: LongRead, ms: number) => void;
}

export class LongRead implements AsyncIterableIterator<Chunk, undefined, undefined> {
  readonly kind: string;
  readonly #desk: ReadDesk;
  readonly #limit: ReadLimit | undefined;
  readonly #leaves: AbortSignal | undefined;
  readonly #received: FromReader[] = [];
  readonly #cut = new AbortController();
  #begun: ReturnType<ReadDesk['begin']> | undefined;
  #wake: (() => void) | undefined;
  #stall: Timer | undefined;
  #late: Timer | undefined;
  #takenAt = 0;
  #isLagging = false;
  #isOver = false;

  /** `leaves`: whoever reads it is gone, wherever it stands. */
  constructor(kind: string, desk: ReadDesk, leaves?: AbortSignal, limit?: ReadLimit) {
    this.kind = kind;
    this.#desk = desk;
    this.#limit = limit;
    this.#leaves = leaves;
  }

  /** Aborts when the read is cut off, so that whoever sends it on can break the answer off. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Whether the Worker may go on: fewer chunks lie here than it has credit for. */
  readonly isAtWork = (): boolean => !this.#isOver && this.#received.length < CREDIT_CHUNKS;

  readonly receive = (message: FromReader): void => {
    this.#received.push(message);
    this.#wake?.();
  };

  /** Begins, where it has not begun. Throws `unavailable` where there is no room: before anything has been answered. */
  async begin(): Promise<this> {
    if (this.#begun === undefined) {
      this.#leaves?.addEventListener('abort', this.#leave);
      this.#begun = this.#desk.begin(this);
      await this.#begun.catch((error: unknown) => {
        void this.#end();
        throw error;
      });
      this.#watch();
      if (this.#limit !== undefined && !this.#isOver) {
        const { ms, refusal } = this.#limit;
        this.#late = this.#desk.realTime.after(ms, () => this.fail(refusal()));
      }
    }
    await this.#begun;
    return this;
  }

  readonly #leave = (): void => this.fail(clientLeft());

  /** Ends it: whoever reads on gets this error, as whoever sends on what was read. */
  fail(error: Error): void {
    if (this.#isOver) return;
    void this.#end();
    this.#cut.abort(error);
  }

  async next(): Promise<IteratorResult<Chunk, undefined>> {
    await this.begin();
    this.#stall?.cancel();
    this.#cut.signal.throwIfAborted();
    while (!this.#isOver) {
      const message = this.#received.shift();
      if (message === undefined) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        continue;
      }
      if (message.type === 'chunk') {
        (await this.#begun)?.credit();
        this.#watch();
        return { done: false, value: message.bytes };
      }
      await this.#end();
      if (message.type === 'error') {
        const { code, problems } = message;
        if (problems !== undefined) throw unprocessable(problems);
        const failure = Object.assign(new Error(`A read failed: ${message.message}`), code && { code });
        this.#desk.failed(failure);
        throw failure;
      }
    }
    this.#cut.signal.throwIfAborted();
    return { done: true, value: undefined };
  }

  /** Ends it early. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    await this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Whether its reader has taken nothing for so long that others go before. */
  get isLagging(): boolean {
    return this.#isLagging;
  }

  /** Nobody takes anything of it: it keeps the database's log from being emptied, and a place from others. */
  cutOff(): void {
    if (this.#isOver) return;
    const ms = this.#standsStill();
    this.#desk.stalled(this, ms);
    this.fail(new Error(`A read was cut off: nothing of it was taken for ${ms} ms.`));
  }

  #watch(): void {
    this.#isLagging = false;
    this.#takenAt = this.#desk.realTime.now();
    this.#waitUntil(Math.min(PATIENCE_MS, this.#desk.stallMs));
  }

  #waitUntil(ms: number): void {
    this.#stall?.cancel();
    if (this.#isOver) return;
    this.#stall = this.#desk.realTime.after(Math.max(ms - this.#standsStill(), 0), () => {
      if (ms >= this.#desk.stallMs) {
        this.cutOff();
        return;
      }
      this.#isLagging = true;
      this.#waitUntil(this.#desk.stallMs);
      this.#desk.lags();
    });
  }

  #standsStill(): number {
    return Math.round(this.#desk.realTime.now() - this.#takenAt);
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isLagging = false;
    this.#stall?.cancel();
    this.#late?.cancel();
    this.#leaves?.removeEventListener('abort', this.#leave);
    this.#received.length = 0;
    this.#wake?.();
    // Asked for and not begun yet: it gives its place back as soon as it has one.
    const running = await this.#begun?.catch(() => undefined);
    running?.end();
  }
}
