/** One connection to a receiver, which carries requests one after another. */
import type { Socket } from 'node:net';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { nodeNet, nodeTls } from '../../../system/builtin.ts';
import type { Deadline } from './deadline.ts';
import type { Phase } from './outcome.ts';

/** The address to connect to, and the identity that the receiver must prove. */
export interface Dial {
  /** The checked address itself. */
  readonly address: string;
  readonly port: number;
  /** The name or address literal that the certificate must prove. */
  readonly host: string;
  /** Absent: without TLS, to a receiver on this machine. */
  readonly tls?: TlsOptions;
}

/** An error, and the phase in which it occurred. */
export interface Broken {
  readonly kind: 'broken';
  readonly phase: Phase;
  readonly code: string;
}

export interface ConnectionListener {
  readonly onBytes: (bytes: Buffer) => void;
  /** Called once, when the receiver closes the connection or it breaks (`code`). */
  readonly onEnd: (code?: string) => void;
}

export class Connection {
  /**
   * True when the connection has been idle: the receiver may have closed it, and the close may not have
   * arrived yet.
   */
  wasIdle = false;
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

  /** Returns true when all written bytes have left. A response may arrive before that. */
  get hasSent(): boolean {
    return this.#socket.writableLength === 0;
  }

  /** Makes `listener` the receiver of all further events. */
  use(listener: ConnectionListener): void {
    this.#listener = listener;
    this.#socket.setTimeout(0);
  }

  /**
   * Marks the connection as idle, for at most `ms`. Calls `onEnd` after that time, or when unrequested bytes
   * arrive.
   */
  startIdle(ms: number, onEnd: () => void): void {
    const end = (): void => {
      this.destroy();
      onEnd();
    };
    this.wasIdle = true;
    this.#listener = { onBytes: end, onEnd };
    this.#socket.setTimeout(ms);
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** Destroys the connection without calling the listener. */
  destroy(): void {
    this.#listener = undefined;
    this.#socket.destroy();
  }
}

/** Connects; with TLS, completes the handshake. Never rejects. */
export function connect(
  { address, port, tls }: Dial,
  deadline: Pick<Deadline, 'hasEnded' | 'setCurrentStep'>,
  onPhase: (phase: Phase) => void,
): Promise<Connection | Broken> {
  const { promise, resolve } = Promise.withResolvers<Connection | Broken>();
  let phase: Phase = 'connection';
  // The request ended or was withdrawn during the name look-up: no connection is opened.
  if (deadline.hasEnded) return Promise.resolve({ kind: 'broken', phase, code: 'ECONNABORTED' });
  const enter = (next: Phase): void => onPhase((phase = next));
  enter(phase);
  const target = { host: address, port };
  const socket = tls === undefined ? nodeNet().connect(target) : nodeTls().connect({ ...target, ...tls });
  const fail = (error?: Error): void => resolve({ kind: 'broken', phase, code: codeOf(error) });
  const onReady = (): void => {
    enter('answer');
    resolve(new Connection(socket));
  };
  socket.setNoDelay(true);
  socket.once('error', fail);
  socket.once('close', () => fail());
  socket.once('connect', tls === undefined ? onReady : () => enter('tls'));
  socket.once('secureConnect', onReady);
  deadline.setCurrentStep(() => void socket.destroy());
  return promise;
}

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'ECONNRESET';
}
