/**
 * Plans runs one after the other and sends them in parallel, so a resting run blocks no other. Only the
 * process that holds the folder works on runs (contract section 18). Runs that a stop interrupted resume at
 * the next start.
 */
import type { RealTime } from '../../clock.ts';
import type { Writer } from '../../db/writer.ts';
import { isUnavailable } from '../../errors.ts';
import type { Run } from './model.ts';
import type { RunPlanner } from './planner.ts';
import type { RunStore } from './store.ts';
import { WorkLoop, watchForEnd } from '../../jobs/work-loop.ts';

/** Worker of one run. */
export interface Worker {
  /** Processes the run. Throws `unavailable`. */
  work(): Promise<void>;
  /** Stops after the current step. */
  stop(): void;
}

export interface RunRunnerParts {
  readonly runs: RunStore;
  readonly planner: RunPlanner;
  readonly writer: Writer;
  readonly realTime: Pick<RealTime, 'after'>;
  readonly workerOf: (run: Run) => Worker;
  /** Returns false when the user who ordered the run no longer represents its company. */
  readonly mayOrder: (run: Run) => boolean;
  /** Called for an internal fault or a fault of the machine. */
  readonly onFault: (error: unknown, id: number | undefined) => void;
}

const NOT_PLANNED =
  'Os passos não puderam ser preparados por uma falha desta instância; repita, e veja o log se falhar de novo.';

const NOT_SENT = 'O envio parou por uma falha desta instância; veja o log, e continue-o.';

interface RunningWorker {
  readonly worker: Worker;
  readonly done: Promise<boolean>;
}

export class RunRunner extends WorkLoop {
  readonly #parts: RunRunnerParts;
  readonly #runningWorkers = new Map<number, RunningWorker>();

  constructor(parts: RunRunnerParts) {
    super((error) => parts.onFault(error, undefined));
    this.#parts = parts;
  }

  override async stop(): Promise<void> {
    const stopped = super.stop();
    for (const { worker } of this.#runningWorkers.values()) worker.stop();
    await stopped;
    await Promise.all([...this.#runningWorkers.values()].map(({ done }) => done));
  }

  /** Stops a run after its current step. */
  pause(id: number): void {
    this.#runningWorkers.get(id)?.worker.stop();
  }

  protected async pass(): Promise<void> {
    const { runs, mayOrder } = this.#parts;
    for (const { id } of runs.listOpen()) {
      if (this.isStopping) return;
      const run = runs.find(id); // it may have ended since
      if (run === undefined || run.state === 'paused' || this.#runningWorkers.has(id)) continue;
      if (!mayOrder(run)) await this.#endUnauthorized(run);
      else await this.#planAndStart(id);
    }
  }

  /** Ends or pauses a run whose orderer lost the right. A representative of the company may resume it. */
  async #endUnauthorized(run: Run): Promise<void> {
    const { runs, writer } = this.#parts;
    const reason = `${run.documento}, que o pediu, deixou de representar a empresa`;
    await writer.write((tx) => {
      if (run.planned) runs.setState(run.id, 'paused', `${reason}; quem a representa pode continuá-lo`);
      else runs.end(run.id, 'cancelled', reason, tx.now);
    });
  }

  /** Plans a run, and starts its worker unless it is a simulation. Throws `unavailable`. */
  async #planAndStart(id: number): Promise<void> {
    await this.plan(id);
    const run = this.#parts.runs.find(id);
    const isToSend = run?.state === 'running' || run?.state === 'resting';
    if (isToSend && !this.isStopping)
      void this.#startWorker(run).done.then((isHealthy) => {
        if (isHealthy) this.wake(); // a user may have resumed it in the meantime
      });
  }

  #startWorker(run: Run): RunningWorker {
    const worker = this.#parts.workerOf(run);
    const { runs, realTime, mayOrder } = this.#parts;
    // Another process may pause or end the run, and the next pass pauses a run whose right ended.
    const isOver = (): boolean => {
      const stored = runs.find(run.id);
      const isAtWork = stored?.state === 'running' || stored?.state === 'resting';
      return !isAtWork || !mayOrder(stored);
    };
    const watching = watchForEnd(realTime, isOver, () => worker.stop());
    const done = this.#work(run.id, worker).finally(() => {
      watching.cancel();
      this.#runningWorkers.delete(run.id);
    });
    const atWork = { worker, done };
    this.#runningWorkers.set(run.id, atWork);
    return atWork;
  }

  /**
   * Runs the worker. Returns false when the storage fails or the process ends; the next start resumes the
   * run.
   */
  async #work(id: number, worker: Worker): Promise<boolean> {
    const { runs, writer, onFault } = this.#parts;
    try {
      await worker.work();
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      onFault(error, id);
      if (writer.trouble === undefined) await writer.write(() => runs.setState(id, 'paused', NOT_SENT));
      return true;
    }
  }

  /** Writes the steps of a run that has none. Throws `unavailable`. */
  async plan(id: number): Promise<void> {
    const { runs, planner, writer, onFault } = this.#parts;
    const run = runs.find(id);
    if (run === undefined || run.planned) return;
    try {
      await planner.plan(run, () => this.isStopping);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onFault(error, id);
      await writer.write((tx) => runs.end(id, 'failed', NOT_PLANNED, tx.now));
    }
  }
}
