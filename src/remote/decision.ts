/** Computes the new state of a record in doubt after a person decided its pair or its correct content. */
import type { Counts, RecordComparison, Pair, RemoteState } from './compare/model.ts';
import type { PairRequest, StoredRecordComparison } from './model.ts';

export interface RemoteRecord {
  readonly key: string;
  readonly versao: string | null;
  readonly fingerprint: number | null;
  /** The record is inactive in the remote and active locally. */
  readonly isRemoteInactive?: boolean;
  /** The record is inactive locally and active in the remote. */
  readonly isLocalInactive?: boolean;
}

export const INACTIVE = 'DESATIVADO';

/** Returns the side of a pair that is inactive while the other side is active. */
export function inactiveSides({
  differences,
}: StoredRecordComparison): Pick<RemoteRecord, 'isRemoteInactive' | 'isLocalInactive'> {
  const { here: localText, there: remoteText } =
    differences.find(({ member }) => member === 'situacao') ?? {};
  return { isRemoteInactive: remoteText === INACTIVE, isLocalInactive: localText === INACTIVE };
}

/**
 * Returns the pair and the state of the record after the decision. The base encodes the side to keep: the
 * other side counts as unchanged, so only the kept side has changed since.
 */
export function decide(
  record: StoredRecordComparison,
  remoteRecord: RemoteRecord | null,
  keep: PairRequest['keep'],
  differences: RecordComparison['differences'],
): { readonly pair: Pair; readonly record: RecordComparison } {
  const { n: _, ...comparison } = record;
  const { kind, localVersao, localFingerprint } = record;
  const localKey = record.localKey ?? '';
  const isSame = remoteRecord !== null && remoteRecord.fingerprint === localFingerprint;
  const versao = isSame || keep === 'there' ? localVersao : null;
  const base = {
    versao,
    local: isSame || keep === 'there' ? localFingerprint : null,
    remote: remoteRecord !== null && (isSame || keep === 'here') ? remoteRecord.fingerprint : null,
  };
  const state = stateAfterDecision(remoteRecord, isSame, keep);
  const decided = { ...comparison, state, reason: null, candidates: [] };
  return {
    pair: { kind, localKey, remoteKey: remoteRecord?.key ?? null, base },
    record:
      remoteRecord === null
        ? {
            ...decided,
            remoteKey: null,
            remoteVersao: null,
            remoteFingerprint: null,
            differences: [],
            candidates: knownCandidates(record),
          }
        : {
            ...decided,
            remoteKey: remoteRecord.key,
            remoteVersao: remoteRecord.versao,
            remoteFingerprint: remoteRecord.fingerprint,
            differences: isSame
              ? []
              : remoteRecord.key === record.remoteKey
                ? comparison.differences
                : differences,
          },
  };
}

/** Returns the remote records that the comparison saw. A send must not adopt them as its result. */
function knownCandidates({
  candidates: seenCandidates,
  remoteKey,
  remoteVersao,
  remoteFingerprint,
  name,
}: StoredRecordComparison): RecordComparison['candidates'] {
  if (remoteKey === null || remoteVersao === null || remoteFingerprint === null) return seenCandidates;
  return [
    ...seenCandidates,
    { there: remoteKey, versao: remoteVersao, whole: remoteFingerprint, name, situacao: '' },
  ];
}

function stateAfterDecision(
  remoteRecord: RemoteRecord | null,
  isSame: boolean,
  keep: PairRequest['keep'],
): RemoteState {
  if (remoteRecord === null) return 'soAqui';
  if (isSame) return 'igual';
  if (keep === undefined) return 'mudouNosDois';
  // A deactivation has its own state: the brake counts it, and its step deactivates.
  if (keep === 'here') return remoteRecord.isLocalInactive === true ? 'desativadoAqui' : 'mudouAqui';
  return remoteRecord.isRemoteInactive === true ? 'desativadoLa' : 'mudouLa';
}

/** Returns the counts after records of those states move to one state. */
export function withMovedCounts(
  counts: Counts,
  kind: RecordComparison['kind'],
  from: readonly RemoteState[],
  to: RemoteState,
): Counts {
  const ofKind = { ...counts[kind] };
  for (const state of from) {
    const rest = (ofKind[state] ?? 1) - 1;
    if (rest === 0) delete ofKind[state];
    else ofKind[state] = rest;
  }
  ofKind[to] = (ofKind[to] ?? 0) + 1;
  return { ...counts, [kind]: ofKind };
}
