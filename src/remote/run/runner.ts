/** Works runs off, one after the other; what a stop cut off is planned anew at the next start. */
import type { Writer } from '../../db/writer.ts';
import { isUnavailable } from '../../errors.ts';
import type { RunPlanner } from './planner.ts';
import type { RunStore } from './store.ts';

export interface RunRunnerParts {
  readonly runs: RunStore;
  readonly planner: RunPlanner;
  readonly writer: Writer;
  /** Told of a fault of ours or of the machine. */
  readonly onFault: (error: unknown, id: number | undefined) => void;
}

const NOT_PLANNED =
  'Os passos não puderam ser preparados por uma falha desta instância; repita, e veja o log se falhar de novo.';

export class RunRunner {
  readonly #parts: RunRunnerParts;
  #isStopping = false;
  #isWanted = false;
  #isAtWork = false;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: RunRunnerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopping = false;
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isStopping || this.#isAtWork) return;
    this.#isAtWork = true;
    this.#working = this.#workOff();
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.#working;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#working;
  }

  async #workOff(): Promise<void> {
    const { runs, onFault } = this.#parts;
    try {
      while (this.#isWanted && !this.#isStopping) {
        this.#isWanted = false;
        for (const id of runs.listOpen()) {
          if (this.#isStopping) return;
          if (runs.find(id)?.documento === '') continue; // a command is at work on it
          await this.plan(id);
        }
      }
    } catch (error) {
      // The storage refused, or the process ends: the next start goes on.
      if (!isUnavailable(error)) onFault(error, undefined);
    } finally {
      this.#isAtWork = false;
    }
  }

  /** Writes the steps of a run that has none. Throws `unavailable`. */
  async plan(id: number): Promise<void> {
    const { runs, planner, writer, onFault } = this.#parts;
    const run = runs.find(id);
    if (run === undefined || run.planned) return;
    try {
      await planner.plan(run, () => this.#isStopping);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      onFault(error, id);
      await writer.write((tx) => runs.end(id, 'failed', NOT_PLANNED, tx.now));
    }
  }
}
