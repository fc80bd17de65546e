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

export interface RunRunnerDependencies {
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
  readonly #runs: RunStore;
  readonly #planner: RunPlanner;
  readonly #writer: Writer;
  readonly #realTime: Pick<RealTime, 'after'>;
  readonly #workerOf: (run: Run) => Worker;
  readonly #mayOrder: (run: Run) => boolean;
  readonly #onFault: (error: unknown, id: number | undefined) => void;
  readonly #runningWorkers = new Map<number, RunningWorker>();

  constructor({ runs, planner, writer, realTime, workerOf, mayOrder, onFault }: RunRunnerDependencies) {
    super((error) => onFault(error, undefined));
    this.#runs = runs;
    this.#planner = planner;
    this.#writer = writer;
    this.#realTime = realTime;
    this.#workerOf = workerOf;
    this.#mayOrder = mayOrder;
    this.#onFault = onFault;
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
    for (const { id } of this.#runs.listOpen()) {
      if (this.isStopping) return;
      const run = this.#runs.find(id); // it may have ended since
      if (run === undefined || run.state === 'paused' || this.#runningWorkers.has(id)) continue;
      if (!this.#mayOrder(run)) await this.#endUnauthorized(run);
      else await this.#planAndStart(id);
    }
  }

  /** Ends or pauses a run whose orderer lost the right. A representative of the company may resume it. */
  async #endUnauthorized(run: Run): Promise<void> {
    const reason = `${run.documento}, que o pediu, deixou de representar a empresa`;
    await this.#writer.write((tx) => {
      if (run.planned) this.#runs.setState(run.id, 'paused', `${reason}; quem a representa pode continuá-lo`);
      else this.#runs.end(run.id, 'cancelled', reason, tx.now);
    });
  }

  /** Plans a run, and starts its worker unless it is a simulation. Throws `unavailable`. */
  async #planAndStart(id: number): Promise<void> {
    await this.plan(id);
    const run = this.#runs.find(id);
    const isToSend = run?.state === 'running' || run?.state === 'resting';
    if (isToSend && !this.isStopping)
      void this.#startWorker(run).done.then((isHealthy) => {
        if (isHealthy) this.wake(); // a user may have resumed it in the meantime
      });
  }

  #startWorker(run: Run): RunningWorker {
    const worker = this.#workerOf(run);
    // Another process may pause or end the run, and the next pass pauses a run whose right ended.
    const isOver = (): boolean => {
      const stored = this.#runs.find(run.id);
      const isAtWork = stored?.state === 'running' || stored?.state === 'resting';
      return !isAtWork || !this.#mayOrder(stored);
    };
    const watching = watchForEnd(this.#realTime, isOver, () => worker.stop());
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
    try {
      await worker.work();
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      this.#onFault(error, id);
      if (this.#writer.trouble === undefined)
        await this.#writer.write(() => this.#runs.setState(id, 'paused', NOT_SENT));
      return true;
    }
  }

  /** Writes the steps of a run that has none. Throws `unavailable`. */
  async plan(id: number): Promise<void> {
    const run = this.#runs.find(id);
    if (run === undefined || run.planned) return;
    try {
      await this.#planner.plan(run, () => this.isStopping);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      this.#onFault(error, id);
      await this.#writer.write((tx) => this.#runs.end(id, 'failed', NOT_PLANNED, tx.now));
    }
  }
}
