/** Connections to all remotes. */
import type { HttpWire } from './client.ts';
import type { Wires } from './model.ts';

/** Keeps one connection per remote, so that its runs, comparisons and tests take turns. */
export class HttpWires implements Wires {
  readonly #create: (remoteId: number, stopping: AbortSignal) => HttpWire;
  readonly #wires = new Map<number, HttpWire>();
  #stopping = new AbortController();

  constructor(create: (remoteId: number, stopping: AbortSignal) => HttpWire) {
    this.#create = create;
  }

  open(remoteId: number): HttpWire {
    const openWire = this.#wires.get(remoteId);
    if (openWire !== undefined) return openWire;
    const wire = this.#create(remoteId, this.#stopping.signal);
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
