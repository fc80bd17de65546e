/** Runs and steps, as they are told. */
import { type EpochMs, HOUR_MS, SECOND_MS } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { codeOfKey } from '../shown.ts';
import type { Asked, KeptOutcome, Run, RunForm, Step, StepForm, StepOutcome } from './model.ts';
import type { OutcomeCount } from './store.ts';

/** Of an operation in a clock hour, where nothing else is said (contract section 18). */
const PER_HOUR = 900;
/** What a request takes, more or less. */
const PER_REQUEST_MS = SECOND_MS;

/**
 * When what is left will have been sent: each operation has its own count of the hour, and all of them one way. `counts` of a
 * simulation tell when it would end if it began now.
 */
function estimatedEnd(counts: readonly OutcomeCount[], now: EpochMs): EpochMs | null {
  const left = counts.filter(({ open }) => open === 1);
  const total = left.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const hours = Math.max(...left.map(({ count }) => Math.floor((count - 1) / PER_HOUR)));
  const inLastHour = Math.min(total, PER_HOUR) * PER_REQUEST_MS;
  return hours === 0 ? now + inLastHour : now + hours * HOUR_MS + inLastHour;
}

export function runOf(run: Run, counts: readonly OutcomeCount[], now: EpochMs): RunForm {
  const {
    id,
    remote,
    cpfCnpjRaiz,
    comparisonId,
    direction,
    asked,
    simulated,
    state,
    reason,
    restsUntil,
    restsFor,
    notSent,
    at,
  } = run;
  const sum = (wanted: (one: OutcomeCount) => boolean): number =>
    counts.reduce((total, one) => (wanted(one) ? total + one.count : total), 0);
  const outcome = (name: OutcomeCount['outcome']): number => sum((one) => one.outcome === name);
  const isOver = (state === 'done' && !simulated) || state === 'failed' || state === 'cancelled';
  const ends = isOver || direction === 'fetch' ? null : estimatedEnd(counts, now);
  return {
    ...{ id, remote, cpfCnpjRaiz, comparison: comparisonId, direction, simulated, state, reason },
    restsUntil: restsUntil === null ? null : momentText(restsUntil),
    restsFor,
    total: sum(() => true),
    done: sum(({ open }) => open === 0),
    sent: outcome('sent'),
    adopted: outcome('adopted'),
    skipped: outcome('skipped'),
    refused: outcome('refused'),
    uncertain: outcome('uncertain'),
    estimatedEnd: ends === null ? null : momentText(ends),
    asked: askedOf(asked),
    operations: operationsOf(counts),
    notSent: notSent && { ...notSent },
    imports: [...run.imports],
    at: momentText(at),
  };
}

const askedOf = ({ kinds, states, codigos }: Asked): RunForm['asked'] => ({
  ...(kinds !== undefined && { kinds: [...kinds] }),
  ...(states !== undefined && { states: [...states] }),
  ...(codigos !== undefined && { codigos: [...codigos] }),
});

const toldOutcome = (outcome: KeptOutcome): StepOutcome => (outcome === 'intent' ? 'pending' : outcome);

/** Whether they are still to be done is told by the outcome alone. */
function operationsOf(counts: readonly OutcomeCount[]): RunForm['operations'] {
  const told = new Map<string, RunForm['operations'][number]>();
  for (const { kind, operation, outcome: kept, count } of counts) {
    const outcome = toldOutcome(kept);
    const key = `${kind} ${operation} ${outcome}`;
    told.set(key, { kind, operation, outcome, count: (told.get(key)?.count ?? 0) + count });
  }
  return [...told.values()];
}

export function stepFormOf(step: Step): StepForm {
  const { n, kind, here, there, name, operation, outcome, thereVersao, status, code, message, attempts } =
    step;
  return {
    ...{ n, kind, codigo: codeOfKey(kind, here), name, operation },
    outcome: toldOutcome(outcome),
    remoteCodigo: there === null ? null : codeOfKey(kind, there),
    ...{ remoteVersao: thereVersao, status, code, message },
    candidates: step.candidates.map((one) => ({
      remoteCodigo: codeOfKey(kind, one.there),
      name: one.name,
      situacao: one.situacao,
    })),
    at: step.at === null ? null : momentText(step.at),
    attempts,
  };
}
