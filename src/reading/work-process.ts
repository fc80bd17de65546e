/**
 * A process of this executable that works for this one: the memory that its work takes can be limited and its work ended at
 * any moment, which the runtime offers for no Worker (`resourceLimits` is ignored by Bun 1.4.4).
 */
import type { Subprocess } from 'bun';
import { REAL_TIME, SECOND_MS, type Timer } from '../clock.ts';
import type { FromReader, ReadRequest, ToReader, ToWork } from './protocol.ts';

/** The exit code of a process that took more memory than it may. */
export const MEMORY_EXIT = 75;

/** A process that has worked keeps memory: from this part of the limit on it does not serve again. */
const REUSED_BELOW = 1 / 3;

/** Ended by its memory, or by the kernel for everybody's; `fault`: by a fault of ours. */
export type WorkFailure = 'memory' | 'fault';

/** What becomes of one work. */
export interface WorkListener {
  readonly receive: (message: FromReader) => void;
  readonly failed: (failure: WorkFailure, message: string) => void;
}

interface CurrentWork {
  readonly id: number;
  readonly memory: number;
  readonly listener: WorkListener;
}

/** One work at a time. */
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
      onExit: (_, code, signal) => this.#exited(code, signal),
    });
    this.#child.unref();
  }

  get isUsable(): boolean {
    return !this.#hasExited;
  }

  /** Begins; what it had at hand before has ended. */
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

  /** Ends it, whatever it is at. Resolves when it has let go of everything. */
  async kill(): Promise<void> {
    this.#work = undefined;
    this.#hasExited = true;
    this.#child.ref(); // else nothing waits for its end
    this.#child.kill('SIGKILL');
    await this.#child.exited;
  }

  /** Whether it may take another work: it has ended its own and keeps little memory. */
  get mayServeAgain(): boolean {
    return this.isUsable && this.#work === undefined && !this.#isLarge;
  }

  #receive(message: FromReader): void {
    const work = this.#work;
    if (work?.id !== message.id) return;
    if (message.type !== 'chunk') {
      this.#work = undefined;
      this.#isLarge = (message.rss ?? 0) > work.memory * REUSED_BELOW;
    }
    work.listener.receive(message);
  }

  #send(message: ToWork<Request>): void {
    if (!this.#hasExited) this.#child.send(message);
  }

  #exited(code: number | null, signal: number | string | null): void {
    this.#hasExited = true;
    const work = this.#work;
    this.#work = undefined;
    const isOfMemory = code === MEMORY_EXIT || signal === 'SIGKILL' || signal === SIGKILL;
    work?.listener.failed(isOfMemory ? 'memory' : 'fault', `A process at work ended (${code ?? signal}).`);
  }
}

const SIGKILL = 9;

/** Starting one takes some tens of ms: one that has nothing to do is kept for so long. */
const IDLE_MS = 10 * SECOND_MS;

/** Starts processes, and keeps for a while those that may serve again. They hold nothing open between two works. */
export class WorkProcesses<Request extends ReadRequest> {
  readonly #command: readonly string[];
  readonly #idle = new Map<WorkProcess<Request>, Timer>();

  /** `command`: starts one that works for another process. */
  constructor(command: readonly string[]) {
    this.#command = command;
  }

  take(): WorkProcess<Request> {
    for (const [one, ending] of this.#idle) {
      ending.cancel();
      this.#idle.delete(one);
      if (one.isUsable) return one;
    }
    return new WorkProcess<Request>(this.#command);
  }

  /** Ends one whose work was broken off. Resolves when it holds nothing any more. */
  async giveBack(one: WorkProcess<Request>): Promise<void> {
    if (!one.mayServeAgain) return one.kill();
    const ending = REAL_TIME.after(IDLE_MS, () => {
      this.#idle.delete(one);
      void one.kill();
    });
    this.#idle.set(one, ending);
  }

  /** Ends those that have nothing to do. */
  async close(): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    for (const [, ending] of idle) ending.cancel();
    await Promise.all(idle.map(([one]) => one.kill()));
  }
}
