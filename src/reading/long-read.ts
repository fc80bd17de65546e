/** One long read, from its request to its last byte. Its reader sets the pace, but may not stall. */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { unprocessable } from '../errors.ts';
import { departure } from './admission.ts';
import type { FromReader } from './protocol.ts';

/**
 * A reader that takes nothing for this time yields to a read that waits for its slot (contract section 16).
 */
const PATIENCE_MS = 20 * SECOND_MS;

/** Chunks in flight between the Worker and a slow reader. */
export const CREDIT_CHUNKS = 4;

export type Chunk = Uint8Array<ArrayBuffer>;

/** Time limit of a read whose content comes from a user. The read then ends with `refusal`. */
export interface ReadLimit {
  readonly ms: number;
  readonly refusal: () => Error;
}

/** The part of the pool that a read uses. */
export interface ReadDesk {
  /** Resolves when there is room and the Worker has begun. Throws `unavailable`. */
  begin(read: LongRead): Promise<{ credit(): void; end(): void }>;
  readonly stallMs: number;
  readonly realTime: RealTime;
  /** Called with the error of a failed read. */
  readonly onFailed: (error: Error) => void;
  /** Called when a reader takes nothing: the read may block others. */
  readonly onLagging: () => void;
  /** Called once when a read is cut because its reader took nothing for `ms`. */
  readonly onStalled: (read: LongRead, ms: number) => void;
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
  #timeLimit: Timer | undefined;
  #lastTakenAt = 0;
  #isLagging = false;
  #isOver = false;

  /** `leaves`: aborts when the reader has left or may no longer read, at any stage. */
  constructor(kind: string, desk: ReadDesk, signal?: AbortSignal, limit?: ReadLimit) {
    this.kind = kind;
    this.#desk = desk;
    this.#limit = limit;
    this.#leaves = signal;
  }

  /** Returns a signal that aborts when the read is cut, so that its consumer can abort the answer. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Returns true while the Worker may continue: fewer chunks wait than it has credit for. */
  readonly isAtWork = (): boolean => !this.#isOver && this.#received.length < CREDIT_CHUNKS;

  readonly receive = (message: FromReader): void => {
    this.#received.push(message);
    this.#wake?.();
  };

  /** Starts the read once. Throws `unavailable` when there is no room, before anything is answered. */
  async begin(): Promise<this> {
    if (this.#begun === undefined) {
      this.#leaves?.addEventListener('abort', this.#leave);
      this.#begun = this.#desk.begin(this);
      await this.#begun.catch((error: unknown) => {
        void this.#end();
        this.#cut.signal.throwIfAborted();
        throw error;
      });
      this.#watch();
      if (this.#limit !== undefined && !this.#isOver) {
        const { ms, refusal } = this.#limit;
        this.#timeLimit = this.#desk.realTime.after(ms, () => this.fail(refusal()));
      }
    }
    await this.#begun;
    return this;
  }

  readonly #leave = (): void => this.fail(departure(this.#leaves));

  /** Ends the read with an error for its reader and for the consumer of `cut`. */
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
        this.#desk.onFailed(failure);
        throw failure;
      }
    }
    this.#cut.signal.throwIfAborted();
    return { done: true, value: undefined };
  }

  /** Ends the read early. */
  async return(): Promise<IteratorResult<Chunk, undefined>> {
    await this.#end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Returns true when its reader has taken nothing for so long that others go first. */
  get isLagging(): boolean {
    return this.#isLagging;
  }

  /**
   * Cuts a read that nobody takes from: it prevents the checkpoint of the database's log, and holds a slot.
   */
  cutOff(): void {
    if (this.#isOver) return;
    const ms = this.#idleMs();
    this.#desk.onStalled(this, ms);
    this.fail(new Error(`A read was cut off: nothing of it was taken for ${ms} ms.`));
  }

  #watch(): void {
    this.#isLagging = false;
    this.#lastTakenAt = this.#desk.realTime.now();
    this.#waitUntil(Math.min(PATIENCE_MS, this.#desk.stallMs));
  }

  #waitUntil(ms: number): void {
    this.#stall?.cancel();
    if (this.#isOver) return;
    this.#stall = this.#desk.realTime.after(Math.max(ms - this.#idleMs(), 0), () => {
      if (ms >= this.#desk.stallMs) {
        this.cutOff();
        return;
      }
      this.#isLagging = true;
      this.#waitUntil(this.#desk.stallMs);
      this.#desk.onLagging();
    });
  }

  #idleMs(): number {
    return Math.round(this.#desk.realTime.now() - this.#lastTakenAt);
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isLagging = false;
    this.#stall?.cancel();
    this.#timeLimit?.cancel();
    this.#leaves?.removeEventListener('abort', this.#leave);
    this.#received.length = 0;
    this.#wake?.();
    // The read may be requested but not begun: it releases its slot once it has one.
    const running = await this.#begun?.catch(() => undefined);
    running?.end();
  }
}
