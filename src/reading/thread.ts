/** One reading Worker, as the main thread sees it. */
import { dismiss } from '../system/worker.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';

/** Who is told what comes of a read. */
export interface Listener {
  /** Whether the Worker has something to do for it: a read whose reader is slow has not. */
  readonly isAtWork: () => boolean;
  readonly receive: (message: FromReader) => void;
}

export class ReaderThread<Request extends ReadRequest> {
  readonly #worker: Worker;
  readonly #listeners = new Map<number, Listener>();

  /** `failed`: the Worker is of no use any more; its reads have been told. */
  constructor(worker: Worker, failed: (thread: ReaderThread<Request>) => void) {
    this.#worker = worker;
    this.#worker.onmessage = ({ data }: MessageEvent<FromReader>) =>
      this.#listeners.get(data.id)?.receive(data);
    this.#worker.onerror = ({ message }) => {
      failed(this);
      this.#endAll(message);
    };
  }

  get isIdle(): boolean {
    return this.#listeners.size === 0;
  }

  /** How many reads it is at work for. */
  get load(): number {
    let load = 0;
    for (const { isAtWork } of this.#listeners.values()) if (isAtWork()) load += 1;
    return load;
  }

  start(message: Extract<ToReader<Request>, { type: 'start' }>, listener: Listener): void {
    this.#listeners.set(message.id, listener);
    this.#worker.postMessage(message);
  }

  credit(id: number): void {
    this.#worker.postMessage({ type: 'credit', id } satisfies ToReader<Request>);
  }

  stop(id: number): void {
    if (this.#listeners.delete(id))
      this.#worker.postMessage({ type: 'stop', id } satisfies ToReader<Request>);
  }

  /** Has the Worker leave. Resolves when it has let go of the database. */
  end(): Promise<void> {
    this.#endAll('The reading was ended.');
    return dismiss(this.#worker);
  }

  #endAll(message: string): void {
    for (const [id, { receive }] of this.#listeners) receive({ type: 'error', id, message });
    this.#listeners.clear();
  }
}
