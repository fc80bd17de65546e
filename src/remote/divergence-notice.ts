/**
 * What a comparison that the job made tells the company (contract section 18): that it found what the last one did not. New is a
 * record in a state other than `igual` in which the last one did not find it, or with another content there.
 */
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import type { Reads } from '../reading/pool.ts';
import { type Counted, type Counts, REMOTE_KINDS, REMOTE_STATES } from './compare/model.ts';
import type { Comparison, StoredFound } from './model.ts';
import { foundOf } from './record-list-query.ts';
import { RemoteStore } from './store.ts';

export interface DivergenceRead {
  readonly kind: 'remoteNews';
  readonly comparisonId: number;
  /** The last one. */
  readonly lastId: number;
}

export interface DivergenceNoticeParts {
  readonly store: RemoteStore;
  readonly reads: Reads<DivergenceRead>;
  readonly publish: (tx: Transaction, cpfCnpjRaiz: string, remoto: string, contagens: Counts) => void;
}

const DIVERGENT = REMOTE_STATES.filter((state) => state !== 'igual');

export class DivergenceNotice {
  readonly #parts: DivergenceNoticeParts;

  constructor(parts: DivergenceNoticeParts) {
    this.#parts = parts;
  }

  /** Whether one whose records are all kept, and which has not ended yet, has something to tell. */
  async isNew({ id, remoteId, cpfCnpjRaiz, byJob }: Comparison, { counts }: Counted): Promise<boolean> {
    const { store, reads } = this.#parts;
    if (!byJob || !isDivergent(counts)) return false;
    const lastId = store.newestOf(remoteId, cpfCnpjRaiz);
    const last = lastId === undefined ? undefined : store.findComparison(lastId)?.counts;
    if (lastId === undefined || last === undefined || last === null || hasGrown(last, counts)) return true;
    let text = '';
    const read = reads.read(
      { kind: 'remoteNews', comparisonId: id, lastId },
      { user: '', company: cpfCnpjRaiz },
    );
    for await (const bytes of read) text += new TextDecoder().decode(bytes);
    return text === 'true';
  }

  /** In the transaction in which it ends. */
  tell(tx: Transaction, { cpfCnpjRaiz, remote }: Comparison, { counts }: Counted): void {
    this.#parts.publish(tx, cpfCnpjRaiz, remote, counts);
  }
}

const isDivergent = (counts: Counts): boolean =>
  REMOTE_KINDS.some((kind) => DIVERGENT.some((state) => (counts[kind][state] ?? 0) > 0));

const hasGrown = (last: Counts, now: Counts): boolean =>
  REMOTE_KINDS.some((kind) => DIVERGENT.some((state) => (now[kind][state] ?? 0) > (last[kind][state] ?? 0)));

/** After so many records others may have their turn. */
const RECORDS_PER_TURN = 200;

/** `true` or `false`; an empty text before it wherever others may have their turn. */
export function* divergenceTexts(db: Db, { comparisonId, lastId }: DivergenceRead): Generator<string> {
  const store = new RemoteStore(db);
  let records = 0;
  for (const state of DIVERGENT)
    for (const found of foundOf(db, { comparisonId, state })) {
      const before = lastOf(store, lastId, found);
      if (before?.state !== state || before.thereWhole !== found.thereWhole) return yield 'true';
      if ((records += 1) % RECORDS_PER_TURN === 0) yield '';
    }
  yield 'false';
}

function lastOf(
  store: RemoteStore,
  lastId: number,
  { kind, here, there }: StoredFound,
): StoredFound | undefined {
  if (here !== null) return store.findOfHere(lastId, kind, here);
  return there === null ? undefined : store.findOfThere(lastId, kind, there);
}
