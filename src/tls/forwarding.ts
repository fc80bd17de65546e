/**
 * Forwards one client's connection to the loopback listener and back, byte by byte, with backpressure. The inner
 * side uses Bun's own socket: two Node streams cost a third of the requests per second.
 */
import type { Socket as ClientSocket } from 'node:net';
import type { Socket } from 'bun';
import { REAL_TIME, SECOND_MS } from '../clock.ts';

export const LOOPBACK = '127.0.0.1';

/** Time for a client to close after the server, in milliseconds. */
const LINGER_MS = 2 * SECOND_MS;
/** Idle timeout in milliseconds, somewhat longer than that of the HTTP server. */
const IDLE_MS = 150 * SECOND_MS;

export class Forwarding {
  readonly #outer: ClientSocket;
  /** Receives the source port before the first byte is sent from it. */
  readonly #onOpen: (sourcePort: number) => void;
  /** Receives the source port before another connection may reuse it. */
  readonly #onClose: (sourcePort: number) => void;
  #inner: Socket | undefined;
  #sourcePort = 0;
  /** Bytes that the listener has not accepted yet. */
  #pendingBytes: Uint8Array | undefined;
  #clientHasEnded = false;

  constructor(
    outer: ClientSocket,
    /** Port of the loopback listener. */
    port: number,
    onOpen: (sourcePort: number) => void,
    onClose: (sourcePort: number) => void,
  ) {
    this.#outer = outer;
    this.#onOpen = onOpen;
    this.#onClose = onClose;
    outer.setNoDelay(true);
    outer.setTimeout(IDLE_MS, () => outer.destroy());
    outer.on('error', () => outer.destroy());
    outer.on('close', () => this.#onClientClosed());
    Bun.connect({
      hostname: LOOPBACK,
      port,
      socket: {
        open: (inner) => this.#open(inner),
        data: (inner, bytes) => {
          if (!outer.write(bytes)) inner.pause();
        },
        drain: () => this.#drain(),
        close: () => this.#onServerClosed(),
        error: () => undefined, // the client side closes too
        connectError: () => this.#onServerClosed(),
      },
    }).catch(() => this.#onServerClosed());
  }

  #open(inner: Socket): void {
    if (this.#outer.destroyed) {
      inner.terminate();
      return;
    }
    this.#inner = inner;
    this.#sourcePort = inner.localPort;
    inner.setNoDelay(true);
    this.#onOpen(this.#sourcePort);
    this.#outer.on('drain', () => this.#inner?.resume());
    this.#outer.on('end', () => {
      this.#clientHasEnded = true;
      if (this.#pendingBytes === undefined) inner.shutdown();
    });
    this.#outer.on('data', (bytes: Uint8Array) => this.#send(bytes));
  }

  #send(bytes: Uint8Array): void {
    const written = Math.max(this.#inner?.write(bytes) ?? bytes.length, 0);
    this.#pendingBytes = written < bytes.length ? bytes.subarray(written) : undefined;
    if (this.#pendingBytes !== undefined) this.#outer.pause();
  }

  #drain(): void {
    if (this.#pendingBytes === undefined) return;
    this.#send(this.#pendingBytes);
    if (this.#pendingBytes !== undefined) return;
    this.#outer.resume();
    if (this.#clientHasEnded) this.#inner?.shutdown();
  }

  #onClientClosed(): void {
    const inner = this.#inner;
    this.#release();
    inner?.terminate();
  }

  /** Sends all remaining bytes to the client, and ignores the bytes that the client still sends. */
  #onServerClosed(): void {
    this.#release();
    if (this.#outer.destroyed) return;
    this.#outer.removeAllListeners('data');
    this.#outer.resume();
    this.#outer.end();
    const timeout = REAL_TIME.after(LINGER_MS, () => this.#outer.destroy());
    this.#outer.once('close', () => timeout.cancel());
  }

  #release(): void {
    if (this.#inner === undefined) return;
    this.#inner = undefined;
    this.#onClose(this.#sourcePort);
  }
}
