/** Runs one backup task in its own Worker, which ends with the task. */
import { OperatorError } from '../errors.ts';
import { dismiss } from '../system/worker.ts';
import type { BackupAnswer, BackupTask } from './messages.ts';

type Done = Exclude<BackupAnswer, { type: 'failed' }>;

export class WorkerTask {
  readonly done: Promise<Done>;
  readonly #worker: Worker;
  readonly #fail: (error: Error) => void;

  constructor(task: BackupTask) {
    const { promise, resolve, reject } = Promise.withResolvers<Done>();
    this.#worker = new Worker(new URL('./backup.worker.ts', import.meta.url).href);
    this.#fail = reject;
    this.done = this.#dismissedAfter(promise);
    this.#worker.onmessage = ({ data }: MessageEvent<BackupAnswer>) => {
      if (data.type === 'failed')
        reject(data.isForPeople ? new OperatorError(data.message) : new Error(data.message));
      else resolve(data);
    };
    this.#worker.onerror = ({ message }) => reject(new Error(message));
    this.#worker.postMessage(task);
  }

  async #dismissedAfter(answer: Promise<Done>): Promise<Done> {
    try {
      return await answer;
    } finally {
      await dismiss(this.#worker);
    }
  }

  /** Ends the task at its next check. */
  end(): void {
    this.#fail(new OperatorError('A tarefa foi interrompida; nada dela ficou gravado.'));
  }
}
