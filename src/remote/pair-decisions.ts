/**
 * Records the decisions of a person about records of a comparison: the remote record of each, and the side whose
 * content is right (contract section 18).
 */
import type { QuotaOwner } from '../fair-shares.ts';
import { notFound } from '../errors.ts';
import type { FileLimits } from '../files/file-limits.ts';
import type { Reads } from '../reading/pool.ts';
import { formatValue } from '../validation/format-value.ts';
import { refuseRemote } from './codes.ts';
import type { DecidedDifferences, DecidedRead } from './compare/decided.ts';
import type { Counts, Difference, PairedKind } from './compare/model.ts';
import type { PairStore } from './compare/pair-store.ts';
import { INACTIVE, type RemoteRecord, decide, inactiveSides, withMovedCounts } from './decision.ts';
import type { ComparedRecord, Comparison, PairRequest, StoredRecordComparison } from './model.ts';
import { codeOfKey, keyOfCode, recordOf } from './forms.ts';
import type { RemoteStore } from './store.ts';

interface Exports {
  readonly store: RemoteStore;
  readonly reads: Reads<DecidedRead>;
  readonly limits: FileLimits;
  /** Returns the path of a file in the imports folder. */
  readonly pathOf: (storedFile: string) => string;
}

/** Differences by kind and key of the remote record. */
type Differences = Readonly<Record<PairedKind, DecidedDifferences>>;

const NO_DIFFERENCES: Differences = { produto: new Map(), operador: new Map() };

/**
 * Reads the differences between records and remote records that the comparison did not pair with them. Reads
 * none when the exports are deleted.
 */
export async function readDifferences(
  exports: Exports,
  quotaOwner: QuotaOwner,
  comparison: Comparison,
  requests: readonly PairRequest[],
): Promise<Differences> {
  const { store, reads, limits, pathOf } = exports;
  const { id, cpfCnpjRaiz } = comparison;
  const keptExports = store.findKept(id);
  if (keptExports === undefined) return NO_DIFFERENCES;
  const files = { operadores: pathOf(keptExports.operadores), produtos: pathOf(keptExports.produtos) };
  const read = async (recordKind: PairedKind): Promise<DecidedDifferences> => {
    const pairs = requests.flatMap(({ kind, codigo, remoteCodigo }) => {
      if (kind !== recordKind || remoteCodigo === null) return [];
      const [localKey, remoteKey] = [keyOfCode(kind, codigo), keyOfCode(kind, remoteCodigo)];
      const record = store.findByLocalKey(id, kind, localKey);
      return record === undefined || record.remoteKey === remoteKey ? [] : [{ localKey, remoteKey }];
    });
    if (pairs.length === 0) return new Map();
    let text = '';
    const request = { kind: 'decidedPairs', cpfCnpjRaiz, recordKind, pairs, files, limits } as const;
    for await (const bytes of reads.read(request, quotaOwner)) text += new TextDecoder().decode(bytes);
    return new Map(JSON.parse(text) as [string, Difference[]][]);
  };
  return { produto: await read('produto'), operador: await read('operador') };
}

/** Decisions of one transaction. `counts` holds the counts of the comparison after them. */
export class PairDecisions {
  readonly #stores: { readonly store: RemoteStore; readonly pairs: PairStore };
  readonly #comparison: Comparison;
  readonly #differences: Differences;
  #counts: Counts;

  constructor(
    stores: { readonly store: RemoteStore; readonly pairs: PairStore },
    comparison: Comparison,
    differences: Differences,
  ) {
    this.#stores = stores;
    this.#comparison = comparison;
    this.#differences = differences;
    this.#counts = comparison.counts ?? { operador: {}, produto: {}, vinculo: {} };
  }

  get counts(): Counts {
    return this.#counts;
  }

  /** Records one decision. `path`: the pointer to it in the request. Throws 404, 422. */
  decide({ kind, codigo, remoteCodigo, keep }: PairRequest, path: string): ComparedRecord {
    const { store, pairs } = this.#stores;
    const { id, remoteId, cpfCnpjRaiz } = this.#comparison;
    const record = store.findByLocalKey(id, kind, keyOfCode(kind, codigo));
    if (record === undefined)
      throw notFound(`A comparação ${id} não tem ${kind} de código ${formatValue(codigo)}.`);
    if (record.state !== 'ambiguo' && record.state !== 'mudouNosDois')
      refuseRemote(
        'notDoubtful',
        `${path}/codigo`,
        `${codigo} está em ${record.state}; só se decide o que é ambiguo ou mudouNosDois.`,
      );
    const remoteRecord =
      remoteCodigo === null ? null : this.#freeRemoteRecord(record, kind, remoteCodigo, path);
    const differences = this.#differences[kind].get(remoteRecord?.key ?? '') ?? [];
    const decided = decide(record, remoteRecord, keep, differences);
    pairs.put(remoteId, cpfCnpjRaiz, decided.pair);
    const unpairedRemote =
      remoteRecord === null ? undefined : store.findByRemoteKey(id, kind, remoteRecord.key);
    if (unpairedRemote !== undefined && unpairedRemote.n !== record.n)
      store.deleteRecord(id, unpairedRemote.n);
    store.deleteRecord(id, record.n);
    store.insertRecord(id, record.n, decided.record);
    const unpairedStates =
      unpairedRemote !== undefined && unpairedRemote.n !== record.n ? [unpairedRemote.state] : [];
    this.#counts = withMovedCounts(
      this.#counts,
      kind,
      [record.state, ...unpairedStates],
      decided.record.state,
    );
    return recordOf({ ...decided.record, n: record.n });
  }

  /** Returns the remote record, which must not belong to another pair. Throws 422. */
  #freeRemoteRecord(
    record: StoredRecordComparison,
    kind: PairedKind,
    remoteCodigo: string,
    path: string,
  ): RemoteRecord {
    const { store, pairs } = this.#stores;
    const { id, remoteId, cpfCnpjRaiz } = this.#comparison;
    const key = keyOfCode(kind, remoteCodigo);
    if (record.remoteKey === key)
      return {
        key,
        versao: record.remoteVersao,
        fingerprint: record.remoteFingerprint,
        ...inactiveSides(record),
      };
    const candidate = record.candidates.find(({ there: remoteKey }) => remoteKey === key);
    const unpairedRemote = store.findByRemoteKey(id, kind, key);
    const isFree =
      (pairs.localKeyOf(remoteId, cpfCnpjRaiz, kind, key) ?? record.localKey) === record.localKey;
    if (isFree && candidate !== undefined) {
      const { versao, whole, situacao } = candidate;
      return { key, versao, fingerprint: whole, isRemoteInactive: situacao === INACTIVE };
    }
    if (isFree && unpairedRemote !== undefined)
      return { key, versao: unpairedRemote.remoteVersao, fingerprint: unpairedRemote.remoteFingerprint };
    return refuseRemote(
      'unknownCandidate',
      `${path}/remoteCodigo`,
      `recebido ${remoteCodigo}, que não está entre os candidatos${candidates(record)} nem é ${kind} só de lá, ou já é par de outro.`,
    );
  }
}

const candidates = ({ kind, candidates: list }: StoredRecordComparison): string =>
  list.length === 0 ? '' : ` (${list.map(({ there: remoteKey }) => codeOfKey(kind, remoteKey)).join(', ')})`;
