/**
 * One connection behind TLS: what the client sends goes on to the listener on the loopback, and back, byte by byte and
 * never more than the other side takes. Bun's own socket on the inner side: two streams of Node cost a third of the
 * requests per second.
 */
import type { TLSSocket } from 'node:tls';
import type { Socket } from 'bun';
import { REAL_TIME, SECOND_MS } from '../clock.ts';

export const LOOPBACK = '127.0.0.1';

/** So long a client may take to close after the server has. */
const LINGER_MS = 2 * SECOND_MS;
/** Nothing comes and nothing is taken: somewhat longer than the HTTP server itself waits. */
const IDLE_MS = 150 * SECOND_MS;

export interface ForwardingParts {
  readonly secure: TLSSocket;
  /** Of the listener on the loopback. */
  readonly port: number;
  /** The port from which it is reached, before the first byte goes there … */
  readonly onOpen: (from: number) => void;
  /** … and before that port may be somebody else's. */
  readonly onClose: (from: number) => void;
}

export class Forwarding {
  readonly #parts: ForwardingParts;
  #inner: Socket | undefined;
  #from = 0;
  /** What the listener has not taken yet. */
  #rest: Uint8Array | undefined;
  #clientHasEnded = false;

  constructor(parts: ForwardingParts) {
    this.#parts = parts;
    const { secure } = parts;
    secure.setNoDelay(true);
    secure.setTimeout(IDLE_MS, () => secure.destroy());
    secure.on('error', () => secure.destroy());
    secure.on('close', () => this.#clientIsGone());
    Bun.connect({
      hostname: LOOPBACK,
      port: parts.port,
      socket: {
        open: (inner) => this.#open(inner),
        data: (inner, bytes) => {
          if (!secure.write(bytes)) inner.pause();
        },
        drain: () => this.#drain(),
        close: () => this.#serverIsGone(),
        error: () => undefined, // it closes too
        connectError: () => this.#serverIsGone(),
      },
    }).catch(() => this.#serverIsGone());
  }

  #open(inner: Socket): void {
    const { secure, onOpen } = this.#parts;
    if (secure.destroyed) {
      inner.terminate();
      return;
    }
    this.#inner = inner;
    this.#from = inner.localPort;
    inner.setNoDelay(true);
    onOpen(this.#from);
    secure.on('drain', () => this.#inner?.resume());
    secure.on('end', () => {
      this.#clientHasEnded = true;
      if (this.#rest === undefined) inner.shutdown();
    });
    secure.on('data', (bytes: Uint8Array) => this.#send(bytes));
  }

  #send(bytes: Uint8Array): void {
    const written = Math.max(this.#inner?.write(bytes) ?? bytes.length, 0);
    this.#rest = written < bytes.length ? bytes.subarray(written) : undefined;
    if (this.#rest !== undefined) this.#parts.secure.pause();
  }

  #drain(): void {
    if (this.#rest === undefined) return;
    this.#send(this.#rest);
    if (this.#rest !== undefined) return;
    this.#parts.secure.resume();
    if (this.#clientHasEnded) this.#inner?.shutdown();
  }

  #clientIsGone(): void {
    const inner = this.#inner;
    this.#forget();
    inner?.terminate();
  }

  /** The client gets all that has been sent; what it still sends is not read. */
  #serverIsGone(): void {
    const { secure } = this.#parts;
    this.#forget();
    if (secure.destroyed) return;
    secure.removeAllListeners('data');
    secure.resume();
    secure.end();
    const late = REAL_TIME.after(LINGER_MS, () => secure.destroy());
    secure.once('close', () => late.cancel());
  }

  #forget(): void {
    if (this.#inner === undefined) return;
    this.#inner = undefined;
    this.#parts.onClose(this.#from);
  }
}
