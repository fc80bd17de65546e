/** Response form of runs and steps. */
import type { EpochMs } from '../../clock.ts';
import { momentText } from '../../validation/calendar.ts';
import { codeOfKey } from '../forms.ts';
import type { RunFilter, KeptOutcome, Run, Step, StepOutcome } from './model.ts';
import type { RunForm, StepForm } from './schemas.ts';
import type { OutcomeCount } from './store.ts';

/** `ends`: the estimated end if the run continued now. */
export function runOf(run: Run, counts: readonly OutcomeCount[], ends: EpochMs | null): RunForm {
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
  const sum = (matches: (outcomeCount: OutcomeCount) => boolean): number =>
    counts.reduce((total, outcomeCount) => (matches(outcomeCount) ? total + outcomeCount.count : total), 0);
  const outcome = (name: OutcomeCount['outcome']): number =>
    sum((outcomeCount) => outcomeCount.outcome === name);
  return {
    id,
    remote,
    cpfCnpjRaiz,
    comparison: comparisonId,
    direction,
    simulated,
    state,
    reason,
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
    asked: filterOf(asked),
    operations: operationsOf(counts),
    notSent: notSent && { ...notSent },
    imports: [...run.imports],
    at: momentText(at),
  };
}

const filterOf = ({ kinds, states, codigos }: RunFilter): RunForm['asked'] => ({
  ...(kinds !== undefined && { kinds: [...kinds] }),
  ...(states !== undefined && { states: [...states] }),
  ...(codigos !== undefined && { codigos: [...codigos] }),
});

const reportedOutcome = (outcome: KeptOutcome): StepOutcome => (outcome === 'intent' ? 'pending' : outcome);

/** Sums the counts by operation. Only the outcome shows if steps are still open. */
function operationsOf(counts: readonly OutcomeCount[]): RunForm['operations'] {
  const sums = new Map<string, RunForm['operations'][number]>();
  for (const { kind, operation, outcome: storedOutcome, count } of counts) {
    const outcome = reportedOutcome(storedOutcome);
    const key = `${kind} ${operation} ${outcome}`;
    sums.set(key, { kind, operation, outcome, count: (sums.get(key)?.count ?? 0) + count });
  }
  return [...sums.values()];
}

export function stepFormOf(step: Step): StepForm {
  const {
    n,
    kind,
    localKey,
    remoteKey,
    name,
    operation,
    outcome,
    remoteVersao,
    status,
    code,
    message,
    attempts,
  } = step;
  return {
    n,
    kind,
    codigo: codeOfKey(kind, localKey),
    name,
    operation,
    outcome: reportedOutcome(outcome),
    remoteCodigo: remoteKey === null ? null : codeOfKey(kind, remoteKey),
    remoteVersao,
    status,
    code,
    message,
    candidates: step.candidates.map((stepCandidate) => ({
      remoteCodigo: codeOfKey(kind, stepCandidate.there),
      name: stepCandidate.name,
      situacao: stepCandidate.situacao,
    })),
    at: step.at === null ? null : momentText(step.at),
    attempts,
  };
}
