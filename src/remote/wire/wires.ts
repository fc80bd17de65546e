/** Connections to all remotes. */
import { HttpWire, type WiresParts } from './client.ts';
import type { Wires } from './model.ts';

/** Keeps one connection per remote, so that its runs, comparisons and tests take turns. */
export class HttpWires implements Wires {
  readonly #parts: WiresParts;
  readonly #wires = new Map<number, HttpWire>();
  #stopping = new AbortController();

  constructor(parts: WiresParts) {
    this.#parts = parts;
  }

  open(remoteId: number): HttpWire {
    const openWire = this.#wires.get(remoteId);
    if (openWire !== undefined) return openWire;
    const wire = new HttpWire(this.#parts, remoteId, this.#stopping.signal);
    this.#wires.set(remoteId, wire);
    return wire;
  }

  /** Starts again after a stop. Drops all sessions, because the numbers may belong to other remotes now. */
  start(): void {
    this.#wires.clear();
    this.#stopping = new AbortController();
  }

  /** Aborts the requests under way. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Drops the connection after its settings changed. */
  forget(remoteId: number): void {
    this.#wires.delete(remoteId);
  }
}
