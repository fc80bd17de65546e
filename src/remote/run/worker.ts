/**
 * Processes the steps of a run: first the steps that a crash left, then due uncertain steps, then pending
 * steps in the order of the phases. A resting operation lets the others continue. The run ends when no step
 * is left, or pauses when a person must act.
 */
import { type Clock, type EpochMs, type RealTime, endOfTurn } from '../../clock.ts';
import type { Transaction, Writer } from '../../db/writer.ts';
import { watchForEnd } from '../../jobs/work-loop.ts';
import type { Wire } from '../wire/model.ts';
import { PHASES, type Run, type Step } from './model.ts';
import { LOOKUP_AFTER_MS, type Sender } from './sender.ts';
import type { StepStore } from './step-store.ts';
import type { RunStore } from './store.ts';
import { Interrupted, listOf, operationOf } from './wire-words.ts';

export interface RunWorkerDependencies {
  readonly runs: RunStore;
  readonly steps: StepStore;
  readonly sender: Sender;
  readonly writer: Writer;
  readonly clock: Clock;
  readonly realTime: Pick<RealTime, 'after'>;
  /** Receives a run that waits for a person, in the transaction of its pause. */
  readonly paused?: (tx: Transaction, run: Run, reason: string) => void;
}

/** Refusals in a row after which a person must check the cause before more is sent. */
export const REFUSALS_MAX = 50;

const MANY_REFUSED = `${REFUSALS_MAX} recusas seguidas; veja os passos recusados, corrija a causa e continue`;

interface Rest {
  readonly until: EpochMs;
  readonly reason: string;
}

export class RunWorker {
  readonly #runs: RunStore;
  readonly #steps: StepStore;
  readonly #sender: Sender;
  readonly #writer: Writer;
  readonly #clock: Clock;
  readonly #realTime: Pick<RealTime, 'after'>;
  readonly #paused: ((tx: Transaction, run: Run, reason: string) => void) | undefined;
  readonly #run: number;
  readonly #wire: Wire;
  readonly #abandon = new AbortController();
  /** Rests by operation, and `all`. */
  readonly #rests = new Map<string, Rest>();
  #isStopping = false;
  #wakeUp: (() => void) | undefined;

  constructor(
    { runs, steps, sender, writer, clock, realTime, paused }: RunWorkerDependencies,
    run: number,
    wire: Wire,
  ) {
    this.#runs = runs;
    this.#steps = steps;
    this.#sender = sender;
    this.#writer = writer;
    this.#clock = clock;
    this.#realTime = realTime;
    this.#paused = paused;
    this.#run = run;
    const { signal } = this.#abandon;
    // Requests under way are awaited: after an abort their result would be unknown.
    this.#wire = {
      ask: (request) => wire.ask(request, request.method === 'GET' ? signal : undefined),
      download: (request, file) => wire.download(request, file, signal),
    };
  }

  /** Stops after the current step. */
  stop(): void {
    this.#isStopping = true;
    this.#abandon.abort();
    this.#wakeUp?.();
  }

  /** Processes the run. Throws `unavailable`. */
  work(): Promise<void> {
    return this.#workOff().finally(() => this.#sender.links.forget(this.#run));
  }

  async #workOff(): Promise<void> {
    const recovered = this.#runs.find(this.#run);
    if (recovered === undefined) return;
    await this.#writer.write(() => this.#steps.recover(recovered, LOOKUP_AFTER_MS));
    for (;;) {
      const run = this.#runs.find(this.#run);
      if (this.#isStopping || run === undefined || (run.state !== 'running' && run.state !== 'resting'))
        return;
      if (run.refusedInRow >= REFUSALS_MAX) {
        await this.#pause(run, MANY_REFUSED);
        return;
      }
      const now = this.#clock.now();
      const [due, pending] = this.#isResting('all', now)
        ? []
        : [this.#nextDue(run, now), this.#nextPending(run, now)];
      const step = due ?? pending;
      if (step !== undefined) await this.#process(run, step);
      else if (!(await this.#restOrEnd(run, now))) return;
      await endOfTurn(); // lets requests run
    }
  }

  async #process(run: Run, step: Step): Promise<void> {
    if (run.state === 'resting') await this.#writer.write(() => this.#runs.setRest(run.id, null));
    try {
      await (step.outcome === 'uncertain'
        ? this.#sender.lookUp(run, this.#wire, step)
        : this.#sender.send(run, this.#wire, step));
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const { answer } = error;
      if (answer.kind === 'tooLarge')
        await this.#writer.write((tx) => this.#runs.end(run.id, 'failed', answer.reason, tx.now));
      else if (answer.kind === 'stopped') await this.#pause(run, answer.reason);
      else this.#rests.set(answer.operation, answer);
    }
  }

  async #pause(run: Run, reason: string): Promise<void> {
    await this.#writer.write((tx) => {
      this.#runs.setState(run.id, 'paused', reason);
      this.#paused?.(tx, run, reason);
    });
  }

  #isResting(operation: string, now: EpochMs): boolean {
    return (this.#rests.get(operation)?.until ?? 0) > now;
  }

  #nextDue(run: Run, now: EpochMs): Step | undefined {
    const step = this.#steps.firstDue(run.id, now);
    return step !== undefined && this.#isResting(listOf(step.kind), now) ? undefined : step;
  }

  #nextPending(run: Run, now: EpochMs): Step | undefined {
    for (const [kind, operations] of PHASES)
      for (const operation of operations) {
        const operationsOfStep = [
          operationOf({ kind, operation }),
          ...(kind === 'vinculo' ? [] : [listOf(kind)]),
        ];
        if (operationsOfStep.some((operationOfStep) => this.#isResting(operationOfStep, now))) continue;
        const step = this.#steps.firstPending(run.id, kind, operation);
        if (step !== undefined) return step;
      }
    return undefined;
  }

  /** Waits for the next step or ends the run. Returns false when the run has ended. */
  async #restOrEnd(run: Run, now: EpochMs): Promise<boolean> {
    const rests = [...this.#rests].filter(([, { until }]) => until > now);
    const [first] = rests.toSorted(([, a], [, b]) => a.until - b.until);
    const due = this.#steps.nextDue(run.id, now);
    if (!this.#runs.hasOpen(run.id)) {
      const again = run.again ? 0 : await this.#writer.write(() => this.#steps.tryAgain(run));
      if (again > 0) return true;
      await this.#writer.write((tx) => this.#runs.end(run.id, 'done', null, tx.now));
      return false;
    }
    const all = rests.find(([operation]) => operation === 'all')?.[1];
    const until = all?.until ?? Math.min(due ?? Infinity, first?.[1].until ?? Infinity);
    const [restsFor, rest] = all
      ? ['all', all]
      : (first ?? ['all', { reason: 'espera para perguntar pelo que ficou incerto' }]);
    await this.#writer.write(() => this.#runs.setRest(run.id, { until, restsFor, reason: rest.reason }));
    if (this.#isStopping) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.at(until, resolve);
    // Another process may pause and resume the run in the meantime.
    const watching = watchForEnd(this.#realTime, () => this.#runs.find(run.id)?.state !== 'resting', resolve);
    this.#wakeUp = resolve;
    await promise;
    this.#wakeUp = undefined;
    watching.cancel();
    timer.cancel();
    return true;
  }
}
