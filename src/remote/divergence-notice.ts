/**
 * Notice to the company about a comparison of the job (contract section 18): it found something that the
 * previous one did not. A record is new when its state is not `igual` and the previous comparison did not
 * find it in this state or with this remote content.
 */
import type { Db } from '../db/open.ts';
import type { Transaction } from '../db/writer.ts';
import type { Reads } from '../reading/pool.ts';
import { type ComparisonTotals, type Counts, REMOTE_KINDS, REMOTE_STATES } from './compare/model.ts';
import type { Comparison, StoredRecordComparison } from './model.ts';
import { recordsIn } from './record-list-query.ts';
import { RemoteStore } from './store.ts';

export interface DivergenceRead {
  readonly kind: 'remoteNews';
  readonly comparisonId: number;
  /** The previous comparison. */
  readonly lastId: number;
}

const DIVERGENT = REMOTE_STATES.filter((state) => state !== 'igual');

export class DivergenceNotice {
  readonly #store: RemoteStore;
  readonly #reads: Reads<DivergenceRead>;
  readonly #publish: (tx: Transaction, cpfCnpjRaiz: string, remoto: string, contagens: Counts) => void;

  constructor(
    store: RemoteStore,
    reads: Reads<DivergenceRead>,
    publish: (tx: Transaction, cpfCnpjRaiz: string, remoto: string, contagens: Counts) => void,
  ) {
    this.#store = store;
    this.#reads = reads;
    this.#publish = publish;
  }

  /**
   * Returns true when there is something to report. The records are all stored, and the comparison is not
   * over yet.
   */
  async isNew(
    { id, remoteId, cpfCnpjRaiz, byJob }: Comparison,
    { counts }: ComparisonTotals,
  ): Promise<boolean> {
    if (!byJob || !isDivergent(counts)) return false;
    const lastId = this.#store.newestOf(remoteId, cpfCnpjRaiz);
    const last = lastId === undefined ? undefined : this.#store.findComparison(lastId)?.counts;
    if (lastId === undefined || last === undefined || last === null || hasGrown(last, counts)) return true;
    let text = '';
    const read = this.#reads.read(
      { kind: 'remoteNews', comparisonId: id, lastId },
      { user: '', company: cpfCnpjRaiz },
    );
    for await (const bytes of read) text += new TextDecoder().decode(bytes);
    return text === 'true';
  }

  /** Publishes the notice in the transaction that ends the comparison. */
  publish(tx: Transaction, { cpfCnpjRaiz, remote }: Comparison, { counts }: ComparisonTotals): void {
    this.#publish(tx, cpfCnpjRaiz, remote, counts);
  }
}

const isDivergent = (counts: Counts): boolean =>
  REMOTE_KINDS.some((kind) => DIVERGENT.some((state) => (counts[kind][state] ?? 0) > 0));

const hasGrown = (last: Counts, now: Counts): boolean =>
  REMOTE_KINDS.some((kind) => DIVERGENT.some((state) => (now[kind][state] ?? 0) > (last[kind][state] ?? 0)));

/** Records of one turn; then the read yields to others. */
const RECORDS_PER_TURN = 200;

/** Yields `true` or `false`. Yields an empty text before it at each point where other reads may run. */
export function* divergenceTexts(db: Db, { comparisonId, lastId }: DivergenceRead): Generator<string> {
  const store = new RemoteStore(db);
  let records = 0;
  for (const state of DIVERGENT)
    for (const record of recordsIn(db, { comparisonId, state })) {
      const before = previousRecord(store, lastId, record);
      if (before?.state !== state || before.remoteFingerprint !== record.remoteFingerprint)
        return yield 'true';
      if ((records += 1) % RECORDS_PER_TURN === 0) yield '';
    }
  yield 'false';
}

function previousRecord(
  store: RemoteStore,
  lastId: number,
  { kind, localKey, remoteKey }: StoredRecordComparison,
): StoredRecordComparison | undefined {
  if (localKey !== null) return store.findByLocalKey(lastId, kind, localKey);
  return remoteKey === null ? undefined : store.findByRemoteKey(lastId, kind, remoteKey);
}
