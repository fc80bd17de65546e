/** Writes the steps of a run, a slice at a time, so that requests get their turn in between; one that was cut off begins anew. */
import type { Db } from '../../db/open.ts';
import type { Writer } from '../../db/writer.ts';
import type { RemoteKind, RemoteState } from '../compare/model.ts';
import type { PairStore } from '../compare/pair-store.ts';
import type { RemoteStore } from '../store.ts';
import { RUN_KINDS, type Run, SENDABLE_STATES } from './model.ts';
import { PHASES, isAsked, pastVersions, standingNow, statesOf, stepOf } from './plan.ts';
import type { RunStore } from './store.ts';

export interface RunPlannerParts {
  readonly db: Db;
  readonly writer: Writer;
  readonly runs: RunStore;
  readonly remotes: RemoteStore;
  readonly pairs: PairStore;
}

/** Without `states`: what a run left open waits until somebody asks for it. */
export const BY_DEFAULT: readonly RemoteState[] = ['soAqui', 'mudouAqui', 'desativadoAqui'];

const SLICE = 100;
const DELETED_AT_ONCE = 500;
const DRAFT = /^rascunho/;

interface Place {
  n: number;
  past: number;
}

export class RunPlanner {
  readonly #parts: RunPlannerParts;

  constructor(parts: RunPlannerParts) {
    this.#parts = parts;
  }

  /** `isStopping`: no further slice is begun, and the next start plans anew. */
  async plan(run: Run, isStopping: () => boolean): Promise<void> {
    const { runs, writer } = this.#parts;
    while ((await writer.write(() => runs.deleteStepsSome(run.id, DELETED_AT_ONCE))) === DELETED_AT_ONCE);
    const place: Place = { n: 0, past: 0 };
    for (const [kind, operations] of PHASES) {
      if (!(run.asked.kinds ?? RUN_KINDS).includes(kind)) continue;
      for (const state of statesOf(run.asked, BY_DEFAULT)) {
        for (let after: number | undefined = 0; after !== undefined;) {
          if (isStopping()) return;
          after = await this.#slice(run, { kind, operations, state, after }, place);
        }
      }
    }
    const drafts = await this.#countDrafts(run);
    await writer.write((tx) => {
      const isDone = run.simulated || place.n === 0;
      const concessionActs = runs.countConcessionActs(run.cpfCnpjRaiz);
      const notSent = { drafts, pastVersions: place.past, concessionActs };
      runs.endPlan(run.id, notSent, isDone ? tx.now : null);
    });
  }

  /** Where the next slice begins; `undefined` behind the last. */
  async #slice(
    run: Run,
    of: {
      readonly kind: RemoteKind;
      readonly operations: readonly string[];
      readonly state: RemoteState;
      readonly after: number;
    },
    place: Place,
  ): Promise<number | undefined> {
    const { db, runs, remotes, pairs, writer } = this.#parts;
    const { remoteId, cpfCnpjRaiz } = run;
    const { kind, state } = of;
    const page = remotes.foundBehind(run.comparisonId, state, kind, of.after, SLICE);
    const planned = await writer.write((tx) => {
      let { n, past } = place; // the work may be run twice
      for (const found of page) {
        if (!isAsked(run.asked, found)) continue;
        const here = found.here ?? '';
        const now = standingNow(db, cpfCnpjRaiz, kind, here);
        const step = stepOf(found, now, pairs.findThere(remoteId, cpfCnpjRaiz, kind, here));
        if (!of.operations.includes(step.operation)) continue;
        n += 1;
        if (step.operation === 'include') past += pastVersions(step.hereVersao);
        runs.insertStep(run.id, n, step, tx.now);
      }
      return { n, past };
    });
    Object.assign(place, planned);
    return page.length < SLICE ? undefined : page.at(-1)?.n;
  }

  async #countDrafts({ comparisonId }: Run): Promise<number> {
    const { remotes, writer } = this.#parts;
    let drafts = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const page = await writer.write(() =>
        remotes.foundBehind(comparisonId, 'naoEnviavel', 'produto', from, DELETED_AT_ONCE),
      );
      drafts += page.filter(({ reason }) => DRAFT.test(reason ?? '')).length;
      after = page.length < DELETED_AT_ONCE ? undefined : page.at(-1)?.n;
    }
    return drafts;
  }
}

/** The states that a direction knows. */
export const STATES_OF = { send: SENDABLE_STATES } as const;
