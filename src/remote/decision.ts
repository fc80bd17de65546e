/** Computes the new state of a record in doubt after a person decided its pair or its correct content. */
import type { Counts, RecordComparison, Pair, RemoteState } from './compare/model.ts';
import type { PairRequest, StoredRecordComparison } from './model.ts';

export interface There {
  readonly key: string;
  readonly versao: string | null;
  readonly whole: number | null;
  /** The record is inactive in the remote and active locally. */
  readonly isFallen?: boolean;
  /** The record is inactive locally and active in the remote. */
  readonly isFallenHere?: boolean;
}

export const FALLEN = 'DESATIVADO';

/** Returns the side of a pair that is inactive while the other side is active. */
export function fallsIn({ differences }: StoredRecordComparison): Pick<There, 'isFallen' | 'isFallenHere'> {
  const { here: localText, there: remoteText } =
    differences.find(({ member }) => member === 'situacao') ?? {};
  return { isFallen: remoteText === FALLEN, isFallenHere: localText === FALLEN };
}

/**
 * Returns the pair and the state of the record after the decision. The base encodes the side to keep: the
 * other side counts as unchanged, so only the kept side has changed since.
 */
export function decidedOf(
  record: StoredRecordComparison,
  remoteRecord: There | null,
  keep: PairRequest['keep'],
  differences: RecordComparison['differences'],
): { readonly pair: Pair; readonly record: RecordComparison } {
  const { n: _, ...one } = record;
  const { kind, hereVersao, hereWhole } = record;
  const localKey = record.here ?? '';
  const isSame = remoteRecord !== null && remoteRecord.whole === hereWhole;
  const versao = isSame || keep === 'there' ? hereVersao : null;
  const base = {
    versao,
    here: isSame || keep === 'there' ? hereWhole : null,
    there: remoteRecord !== null && (isSame || keep === 'here') ? remoteRecord.whole : null,
  };
  const state = stateOfDecided(remoteRecord, isSame, keep);
  const is = { ...one, state, reason: null, candidates: [] };
  return {
    pair: { kind, here: localKey, there: remoteRecord?.key ?? null, base },
    record:
      remoteRecord === null
        ? {
            ...is,
            there: null,
            thereVersao: null,
            thereWhole: null,
            differences: [],
            candidates: seenWith(record),
          }
        : {
            ...is,
            there: remoteRecord.key,
            thereVersao: remoteRecord.versao,
            thereWhole: remoteRecord.whole,
            differences: isSame ? [] : remoteRecord.key === record.there ? one.differences : differences,
          },
  };
}

/** Records that the comparison already saw are never adopted as the result of a send. */
function seenWith({
  candidates: seenCandidates,
  there: remoteKey,
  thereVersao,
  thereWhole,
  name,
}: StoredRecordComparison): RecordComparison['candidates'] {
  if (remoteKey === null || thereVersao === null || thereWhole === null) return seenCandidates;
  return [
    ...seenCandidates,
    { there: remoteKey, versao: thereVersao, whole: thereWhole, name, situacao: '' },
  ];
}

function stateOfDecided(remoteRecord: There | null, isSame: boolean, keep: PairRequest['keep']): RemoteState {
  if (remoteRecord === null) return 'soAqui';
  if (isSame) return 'igual';
  if (keep === undefined) return 'mudouNosDois';
  // A deactivation has its own state: the brake counts it, and its step deactivates.
  if (keep === 'here') return remoteRecord.isFallenHere === true ? 'desativadoAqui' : 'mudouAqui';
  return remoteRecord.isFallen === true ? 'desativadoLa' : 'mudouLa';
}

/** Returns the counts after records of those states move to one state. */
export function moved(
  counts: Counts | null,
  kind: RecordComparison['kind'],
  from: readonly RemoteState[],
  to: RemoteState,
): Counts {
  const ofKind = { ...counts?.[kind] };
  for (const state of from) {
    const rest = (ofKind[state] ?? 1) - 1;
    if (rest === 0) delete ofKind[state];
    else ofKind[state] = rest;
  }
  ofKind[to] = (ofKind[to] ?? 0) + 1;
  return { ...(counts ?? { operador: {}, produto: {}, vinculo: {} }), [kind]: ofKind };
}
