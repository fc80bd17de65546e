/** The ways to all remotes. */
import { HttpWire, type WiresParts } from './client.ts';
import type { Wires } from './model.ts';

/** One a remote, so that runs, comparisons and tries of it take turns. */
export class HttpWires implements Wires {
  readonly #parts: WiresParts;
  readonly #wires = new Map<number, HttpWire>();
  #stopping = new AbortController();

  constructor(parts: WiresParts) {
    this.#parts = parts;
  }

  open(remoteId: number): HttpWire {
    const known = this.#wires.get(remoteId);
    if (known !== undefined) return known;
    const wire = new HttpWire(this.#parts, remoteId, this.#stopping.signal);
    this.#wires.set(remoteId, wire);
    return wire;
  }

  /** Again after a stop: behind the numbers of remotes there may be others meanwhile, at which nobody has signed in. */
  start(): void {
    this.#wires.clear();
    this.#stopping = new AbortController();
  }

  /** What is under way has no answer that anybody waits for. */
  stop(): void {
    this.#stopping.abort();
  }

  /** It is reached another way now. */
  forget(remoteId: number): void {
    this.#wires.delete(remoteId);
  }
}
