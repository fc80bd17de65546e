/**
 * Plans runs one after the other, and sends them beside one another: one that rests holds nobody. What a stop cut off goes on at
 * the next start.
 */
import type { Writer } from '../../db/writer.ts';
import { isUnavailable } from '../../errors.ts';
import type { Run } from './model.ts';
import type { RunPlanner } from './planner.ts';
import type { RunStore } from './store.ts';
import { WorkLoop } from '../work-loop.ts';

/** Works off one run. */
export interface Worker {
  /** Throws `unavailable`. */
  work(): Promise<void>;
  /** The step under way is ended, and no other begun. */
  stop(): void;
}

export interface RunRunnerParts {
  readonly runs: RunStore;
  readonly planner: RunPlanner;
  readonly writer: Writer;
  readonly workerOf: (run: Run) => Worker;
  /** Told of a fault of ours or of the machine. */
  readonly onFault: (error: unknown, id: number | undefined) => void;
}

const NOT_PLANNED =
  'Os passos não puderam ser preparados por uma falha desta instância; repita, e veja o log se falhar de novo.';

const NOT_SENT = 'O envio parou por uma falha desta instância; veja o log, e continue-o.';

interface AtWork {
  readonly worker: Worker;
  readonly done: Promise<void>;
}

export class RunRunner {
  readonly #parts: RunRunnerParts;
  readonly #loop = new WorkLoop(
    () => this.#pass(),
    (error) => this.#parts.onFault(error, undefined),
  );
  readonly #atWork = new Map<number, AtWork>();

  constructor(parts: RunRunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop.start();
  }

  /** There may be something to do. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#loop.idle();
  }

  async stop(): Promise<void> {
    const stopped = this.#loop.stop();
    for (const { worker } of this.#atWork.values()) worker.stop();
    await stopped;
    await Promise.all([...this.#atWork.values()].map(({ done }) => done));
  }

  /** Its step under way is ended, and no other begun. */
  pause(id: number): void {
    this.#atWork.get(id)?.worker.stop();
  }

  async #pass(): Promise<void> {
    const { runs } = this.#parts;
    for (const id of runs.listOpen()) {
      if (this.#loop.isStopping) return;
      if (runs.find(id)?.documento === '') continue; // a command is at work on it
      await this.plan(id);
      this.#send(id);
    }
  }

  #send(id: number): void {
    const run = this.#parts.runs.find(id);
    const isToSend =
      run !== undefined && !run.simulated && (run.state === 'running' || run.state === 'resting');
    if (!isToSend || this.#loop.isStopping || this.#atWork.has(id)) return;
    const worker = this.#parts.workerOf(run);
    this.#atWork.set(id, { worker, done: this.#work(id, worker) });
  }

  async #work(id: number, worker: Worker): Promise<void> {
    const { runs, writer, onFault } = this.#parts;
    try {
      await worker.work();
    } catch (error) {
      if (isUnavailable(error)) return; // the next start goes on
      onFault(error, id);
      if (writer.trouble === undefined) await writer.write(() => runs.setState(id, 'paused', NOT_SENT));
    } finally {
      this.#atWork.delete(id);
    }
    this.wake(); // it may have been told to go on meanwhile
  }

  /** Writes the steps of a run that has none. Throws `unavailable`. */
  async plan(id: number): Promise<void> {
    const { runs, planner, writer, onFault } = this.#parts;
    const run = runs.find(id);
    if (run === undefined || run.planned) return;
    try {
      await planner.plan(run, () => this.#loop.isStopping);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onFault(error, id);
      await writer.write((tx) => runs.end(id, 'failed', NOT_PLANNED, tx.now));
    }
  }
}
