/** One connection to a receiver, over which requests go one after another. */
import type { Socket } from 'node:net';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { nodeNet, nodeTls } from '../../../system/builtin.ts';
import type { Deadline } from './deadline.ts';
import type { Phase } from './outcome.ts';

/** Where to connect, and what must be proved there. */
export interface Dial {
  /** The checked address itself. */
  readonly address: string;
  readonly port: number;
  /** Name or address literal that the certificate must prove. */
  readonly host: string;
  /** Absent: without TLS, to a receiver on this machine. */
  readonly tls?: TlsOptions;
}

/** What came in the way, and how far it had come. */
export interface Broken {
  readonly kind: 'broken';
  readonly phase: Phase;
  readonly code: string;
}

export interface ConnectionListener {
  readonly onBytes: (bytes: Buffer) => void;
  /** The other side ends it, or it broke (`code`). Told once. */
  readonly onEnd: (code?: string) => void;
}

export class Connection {
  /** Whether it has lain idle: the other side may have closed it without our knowing yet. */
  hasRested = false;
  readonly #socket: Socket;
  #listener: ConnectionListener | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    const end = (code?: string): void => {
      const listener = this.#listener;
      this.destroy();
      listener?.onEnd(code);
    };
    socket.on('data', (bytes: Buffer) => this.#listener?.onBytes(bytes));
    socket.on('end', () => end());
    socket.on('error', (error) => end(codeOf(error)));
    socket.on('close', () => end());
    socket.on('timeout', () => end());
  }

  /** Whether all that was written has left: an answer may come before that. */
  get hasSent(): boolean {
    return this.#socket.writableLength === 0;
  }

  /** From now on it is `listener` who is told. */
  use(listener: ConnectionListener): void {
    this.#listener = listener;
    this.#socket.setTimeout(0);
  }

  /** Lies idle, for so long at most: `onEnd` is told then, and of whatever comes that nobody asked for. */
  rest(ms: number, onEnd: () => void): void {
    const end = (): void => {
      this.destroy();
      onEnd();
    };
    this.hasRested = true;
    this.#listener = { onBytes: end, onEnd };
    this.#socket.setTimeout(ms);
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Nobody is told. */
  destroy(): void {
    this.#listener = undefined;
    this.#socket.destroy();
  }
}

/** Connects, and with TLS comes as far as the other side's proof. Never rejects. */
export function connect(
  { address, port, tls }: Dial,
  deadline: Pick<Deadline, 'hasEnded' | 'setUnderWay'>,
  onPhase: (phase: Phase) => void,
): Promise<Connection | Broken> {
  const { promise, resolve } = Promise.withResolvers<Connection | Broken>();
  let phase: Phase = 'connection';
  // Already over, or withdrawn, while the name was looked up: not even a connection is made.
  if (deadline.hasEnded) return Promise.resolve({ kind: 'broken', phase, code: 'ECONNABORTED' });
  const enter = (next: Phase): void => onPhase((phase = next));
  enter(phase);
  const there = { host: address, port };
  const socket = tls === undefined ? nodeNet().connect(there) : nodeTls().connect({ ...there, ...tls });
  const fail = (error?: Error): void => resolve({ kind: 'broken', phase, code: codeOf(error) });
  const isReady = (): void => {
    enter('answer');
    resolve(new Connection(socket));
  };
  socket.setNoDelay(true);
  socket.once('error', fail);
  socket.once('close', () => fail());
  socket.once('connect', tls === undefined ? isReady : () => enter('tls'));
  socket.once('secureConnect', isReady);
  deadline.setUnderWay(() => void socket.destroy());
  return promise;
}

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'ECONNRESET';
}
