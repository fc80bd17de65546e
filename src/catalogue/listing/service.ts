/** Lists and exports as streams of JSON text, read by a Worker so that a GET beside them stays fast. */
import type { FromListingWorker, ToListingWorker } from './messages.ts';
import type { ListingRequest } from './request.ts';

/** Chunks that may lie between the Worker and a slow reader. */
const CREDIT_CHUNKS = 4;

interface Listener {
  readonly receive: (message: FromListingWorker) => void;
}

export class Listings {
  readonly #file: string;
  readonly #listeners = new Map<number, Listener>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** `file`: the database. The Worker starts with the first listing. */
  constructor(file: string) {
    this.#file = file;
  }

  /** The bytes of a listing: a JSON array, or nothing for an empty list. Stops reading when its consumer does. */
  async *stream(request: ListingRequest): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    const id = (this.#lastId += 1);
    const received: FromListingWorker[] = [];
    let wake: (() => void) | undefined;
    this.#listeners.set(id, {
      receive: (message) => {
        received.push(message);
        wake?.();
      },
    });
    this.#post({ type: 'start', id, file: this.#file, request, credit: CREDIT_CHUNKS });
    try {
      for (;;) {
        const message = received.shift();
        if (message === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if (message.type === 'end') return;
        else if (message.type === 'error') throw new Error(`A listing failed: ${message.message}`);
        else {
          yield message.bytes;
          this.#post({ type: 'credit', id });
        }
      }
    } finally {
      this.#listeners.delete(id);
      this.#post({ type: 'stop', id });
    }
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #post(message: ToListingWorker): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(message);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./listing.worker.ts', import.meta.url).href);
    worker.onmessage = ({ data }: MessageEvent<FromListingWorker>) =>
      this.#listeners.get(data.id)?.receive(data);
    worker.onerror = (event) => {
      for (const [id, { receive }] of this.#listeners) receive({ type: 'error', id, message: event.message });
      this.#worker = undefined;
    };
    return worker;
  }
}
