/** Main-thread side of one reading Worker. */
import { dismiss } from '../system/worker.ts';
import type { FromReader, ReadRequest, ToReader } from './protocol.ts';

/** Receives the messages of a read. */
export interface Listener {
  /** Returns true when the Worker has work for the read. It has none while the reader is slow. */
  readonly isAtWork: () => boolean;
  readonly receive: (message: FromReader) => void;
}

export class ReaderThread<Request extends ReadRequest> {
  readonly #worker: Worker;
  readonly #listeners = new Map<number, Listener>();

  /** `failed`: called when the Worker has failed, before its reads receive the error. */
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

  /** Returns the number of reads with work. */
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

  /** Ends the Worker. Resolves when it has closed the database. */
  end(): Promise<void> {
    this.#endAll('The reading was ended.');
    return dismiss(this.#worker);
  }

  #endAll(message: string): void {
    for (const [id, { receive }] of this.#listeners) receive({ type: 'error', id, message });
    this.#listeners.clear();
  }
}
