/**
 * Writes the steps of a run in slices, so that requests run in between. An interrupted plan restarts from
 * the beginning.
 */
import { numeroMadeHere } from '../../catalogue/foreign-operator/codigo.ts';
import type { Db } from '../../db/open.ts';
import { deleteInSlices } from '../../db/delete-in-slices.ts';
import type { Writer } from '../../db/writer.ts';
import type { LastCodes, RemoteKind, RemoteState } from '../compare/model.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { RemoteStore } from '../store.ts';
import type { StoredRecordComparison } from '../model.ts';
import { PHASES, FETCHABLE_STATES, type PlannedStep, RUN_KINDS, type Run, SENDABLE_STATES } from './model.ts';
import { isRequested, pastVersions, currentRecord, statesOf, stepOf } from './plan.ts';
import type { RunStore } from './store.ts';

/** Planner of the steps of a run that fetches. */
export interface FetchSteps {
  /** Returns the last codes. New local codes continue after them. */
  lastCodes(run: Run): LastCodes;
  stepOf(run: Run, record: StoredRecordComparison, lastCodes: LastCodes): PlannedStep;
}

/** Default states of each direction. Steps that a run left open are sent only on request. */
export const DEFAULT_STATES: Readonly<Record<Run['direction'], readonly RemoteState[]>> = {
  send: ['soAqui', 'mudouAqui', 'desativadoAqui'],
  fetch: FETCHABLE_STATES,
};

const SLICE = 100;
const READ_AT_ONCE = 500;

interface PlanProgress {
  n: number;
  past: number;
  last: LastCodes;
}

export type RunPlanner = ReturnType<typeof createRunPlanner>;

export function createRunPlanner({
  db,
  writer,
  runs,
  remotes,
  pairs,
  fetching,
}: {
  readonly db: Db;
  readonly writer: Writer;
  readonly runs: RunStore;
  readonly remotes: RemoteStore;
  readonly pairs: PairStore;
  readonly fetching: FetchSteps;
}) {
  /**
   * Plans a run. When `isStopping` returns true, no further slice begins, and the next start plans again.
   */
  async function plan(run: Run, isStopping: () => boolean): Promise<void> {
    const { direction } = run;
    const isFetch = direction === 'fetch';
    await deleteInSlices(writer, (limit) => runs.deleteStepsSome(run.id, limit));
    const last = isFetch ? fetching.lastCodes(run) : { operador: 0, produto: 0 };
    const progress: PlanProgress = { n: 0, past: 0, last };
    for (const [kind, operations] of PHASES) {
      if (!(run.asked.kinds ?? RUN_KINDS).includes(kind)) continue;
      for (const state of statesOf(run.asked, DEFAULT_STATES[direction])) {
        for (let after: number | undefined = 0; after !== undefined;) {
          if (isStopping()) return;
          after = await slice(run, { kind, operations, state, after }, progress);
        }
      }
    }
    const drafts = isFetch ? 0 : await countDrafts(run);
    await writer.write((tx) => {
      const isDone = run.simulated || progress.n === 0;
      const concessionActs = runs.countConcessionActs(run.cpfCnpjRaiz);
      const notSent = isFetch ? null : { drafts, pastVersions: progress.past, concessionActs };
      runs.endPlan(run.id, notSent, isDone ? tx.now : null);
    });
  }

  /** Writes a slice. Returns the position of the next one. `undefined`: it was the last. */
  async function slice(
    run: Run,
    choice: {
      readonly kind: RemoteKind;
      readonly operations: readonly string[];
      readonly state: RemoteState;
      readonly after: number;
    },
    progress: PlanProgress,
  ): Promise<number | undefined> {
    const { kind, state } = choice;
    const page = remotes.recordsAfter(run.comparisonId, state, kind, choice.after, SLICE);
    const planned = await writer.write((tx) => {
      let { n, past, last } = progress; // the write may run twice
      for (const record of page) {
        if (!isRequested(run.asked, record)) continue;
        const step = planStep(run, record, last);
        if (!choice.operations.includes(step.operation)) continue;
        n += 1;
        if (step.operation === 'include')
          [past, last] = [past + pastVersions(step.localVersao), withCodeOf(last, step)];
        runs.insertStep(run.id, n, step, tx.now);
      }
      return { n, past, last };
    });
    Object.assign(progress, planned);
    return page.length < SLICE ? undefined : page.at(-1)?.n;
  }

  function planStep(run: Run, record: StoredRecordComparison, last: LastCodes): PlannedStep {
    if (run.direction === 'fetch') return fetching.stepOf(run, record, last);
    const { kind, localKey } = record;
    const now = currentRecord(db, run.cpfCnpjRaiz, kind, localKey ?? '');
    return stepOf(record, now, pairs.remoteKeyOf(run.remoteId, run.cpfCnpjRaiz, kind, localKey ?? ''));
  }

  async function countDrafts({ comparisonId, cpfCnpjRaiz }: Run): Promise<number> {
    const isDraft = ({ localKey }: StoredRecordComparison): boolean =>
      localKey !== null && currentRecord(db, cpfCnpjRaiz, 'produto', localKey)?.situacao === 'RASCUNHO';
    let drafts = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const page = await writer.write(() =>
        remotes.recordsAfter(comparisonId, 'naoEnviavel', 'produto', from, READ_AT_ONCE),
      );
      drafts += page.filter(isDraft).length;
      after = page.length < READ_AT_ONCE ? undefined : page.at(-1)?.n;
    }
    return drafts;
  }

  return { plan };
}

/** The states that each direction accepts. */
export const ACCEPTED_STATES = { send: SENDABLE_STATES, fetch: FETCHABLE_STATES } as const;

/** Returns the last codes after a step got its own. */
function withCodeOf(last: LastCodes, { kind, localKey }: PlannedStep): LastCodes {
  if (kind === 'vinculo') return last;
  const numero = kind === 'produto' ? Number(localKey) : (numeroMadeHere(localKey) ?? 0);
  return { ...last, [kind]: Math.max(last[kind], numero) };
}
