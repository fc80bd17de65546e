/**
 * Process of this executable that works for this one. Its memory can be limited and its work ended at any
 * time, which the runtime offers for no Worker (Bun 1.4.4 ignores `resourceLimits`).
 */
import type { Subprocess } from 'bun';
import { REAL_TIME, SECOND_MS, type Timer } from '../clock.ts';
import type { FromReader, ReadRequest, ToReader, ToWork } from './protocol.ts';

/** The exit code of a process over its memory limit. */
export const MEMORY_EXIT = 75;

/** A process whose memory exceeds this part of the limit after its work is not reused. */
const REUSABLE_MEMORY_SHARE = 1 / 3;

/**
 * `memory`: ended by its own limit, or by the kernel when the machine has no memory. `fault`: an internal
 * fault.
 */
export type WorkFailure = 'memory' | 'fault';

/** Receives the results of one work. */
export interface WorkListener {
  readonly receive: (message: FromReader) => void;
  readonly failed: (failure: WorkFailure, message: string) => void;
}

interface CurrentWork {
  readonly id: number;
  readonly memory: number;
  readonly listener: WorkListener;
}

/** Runs one work at a time. */
export class WorkProcess<Request extends ReadRequest> {
  readonly #child: Subprocess<'ignore', 'ignore', 'inherit'>;
  #work: CurrentWork | undefined;
  #hasExited = false;
  #isLarge = false;

  constructor(command: readonly string[]) {
    this.#child = Bun.spawn([...command], {
      stdio: ['ignore', 'ignore', 'inherit'],
      serialization: 'advanced',
      windowsHide: true,
      ipc: (message: FromReader) => this.#receive(message),
      onExit: (_, code, signal) => this.#handleExit(code, signal),
    });
    this.#child.unref();
  }

  get isUsable(): boolean {
    return !this.#hasExited;
  }

  /** Starts a work. The previous one must have ended. */
  start(
    message: Extract<ToReader<Request>, { type: 'start' }>,
    memory: number,
    listener: WorkListener,
  ): void {
    this.#work = { id: message.id, memory, listener };
    this.#send({ type: 'memory', bytes: memory });
    this.#send(message);
  }

  credit(id: number): void {
    this.#send({ type: 'credit', id });
  }

  /** Kills the process. Resolves when all its resources are released. */
  async kill(): Promise<void> {
    this.#work = undefined;
    this.#hasExited = true;
    this.#child.ref(); // otherwise nothing waits for its end
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  /** Returns true when the process can take another work: its own has ended and it uses little memory. */
  get isReusable(): boolean {
    return this.isUsable && this.#work === undefined && !this.#isLarge;
  }

  #receive(message: FromReader): void {
    const work = this.#work;
    if (work?.id !== message.id) return;
    if (message.type !== 'chunk') {
      this.#work = undefined;
      this.#isLarge = (message.rss ?? 0) > work.memory * REUSABLE_MEMORY_SHARE;
    }
    work.listener.receive(message);
  }

  #send(message: ToWork<Request>): void {
    if (!this.#hasExited) this.#child.send(message);
  }

  #handleExit(code: number | null, signal: number | string | null): void {
    this.#hasExited = true;
    const work = this.#work;
    this.#work = undefined;
    const isOfMemory = code === MEMORY_EXIT || signal === 'SIGKILL' || signal === SIGKILL;
    work?.listener.failed(isOfMemory ? 'memory' : 'fault', `A process at work ended (${code ?? signal}).`);
  }
}

const SIGKILL = 9;

/** Time that an idle process is kept. Its start takes some tens of ms. */
const IDLE_MS = 10 * SECOND_MS;

/** Starts processes and keeps reusable ones for a while. They hold no resource between two works. */
export class WorkProcesses<Request extends ReadRequest> {
  readonly #command: readonly string[];
  readonly #idle = new Map<WorkProcess<Request>, Timer>();

  /** `command`: starts a worker process. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  take(): WorkProcess<Request> {
    for (const [process, ending] of this.#idle) {
      ending.cancel();
      this.#idle.delete(process);
      if (process.isUsable) return process;
    }
    return new WorkProcess<Request>(this.#command);
  }

  /**
   * Takes a process back, and kills it if it cannot be reused. Resolves when its work holds no resource.
   */
  async giveBack(process: WorkProcess<Request>): Promise<void> {
    if (!process.isReusable) return process.kill();
    const ending = REAL_TIME.after(IDLE_MS, () => {
      this.#idle.delete(process);
      void process.kill();
    });
    this.#idle.set(process, ending);
  }

  /** Kills the idle processes. */
  async close(): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    for (const [, ending] of idle) ending.cancel();
    await Promise.all(idle.map(([process]) => process.kill()));
  }
}
