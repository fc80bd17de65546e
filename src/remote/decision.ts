/** Computes the new state of a record in doubt after a person decided its pair or its correct content. */
import type { Counts, Found, Pair, RemoteState } from './compare/model.ts';
import type { PairRequest, StoredFound } from './model.ts';

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
export function fallsIn({ differences }: StoredFound): Pick<There, 'isFallen' | 'isFallenHere'> {
  const { here, there } = differences.find(({ member }) => member === 'situacao') ?? {};
  return { isFallen: there === FALLEN, isFallenHere: here === FALLEN };
}

/**
 * Returns the pair and the state of the record after the decision. The base encodes the side to keep: the
 * other side counts as unchanged, so only the kept side has changed since.
 */
export function decidedOf(
  found: StoredFound,
  there: There | null,
  keep: PairRequest['keep'],
  differences: Found['differences'],
): { readonly pair: Pair; readonly found: Found } {
  const { n: _, ...one } = found;
  const { kind, hereVersao, hereWhole } = found;
  const here = found.here ?? '';
  const isSame = there !== null && there.whole === hereWhole;
  const versao = isSame || keep === 'there' ? hereVersao : null;
  const base = {
    versao,
    here: isSame || keep === 'there' ? hereWhole : null,
    there: there !== null && (isSame || keep === 'here') ? there.whole : null,
  };
  const state = stateOfDecided(there, isSame, keep);
  const is = { ...one, state, reason: null, candidates: [] };
  return {
    pair: { kind, here, there: there?.key ?? null, base },
    found:
      there === null
        ? {
            ...is,
            there: null,
            thereVersao: null,
            thereWhole: null,
            differences: [],
            candidates: seenWith(found),
          }
        : {
            ...is,
            there: there.key,
            thereVersao: there.versao,
            thereWhole: there.whole,
            differences: isSame ? [] : there.key === found.there ? one.differences : differences,
          },
  };
}

/** Records that the comparison already saw are never adopted as the result of a send. */
function seenWith({
  candidates: seen,
  there,
  thereVersao,
  thereWhole,
  name,
}: StoredFound): Found['candidates'] {
  if (there === null || thereVersao === null || thereWhole === null) return seen;
  return [...seen, { there, versao: thereVersao, whole: thereWhole, name, situacao: '' }];
}

function stateOfDecided(there: There | null, isSame: boolean, keep: PairRequest['keep']): RemoteState {
  if (there === null) return 'soAqui';
  if (isSame) return 'igual';
  if (keep === undefined) return 'mudouNosDois';
  // A deactivation has its own state: the brake counts it, and its step deactivates.
  if (keep === 'here') return there.isFallenHere === true ? 'desativadoAqui' : 'mudouAqui';
  return there.isFallen === true ? 'desativadoLa' : 'mudouLa';
}

/** Returns the counts after records of those states move to one state. */
export function moved(
  counts: Counts | null,
  kind: Found['kind'],
  from: readonly RemoteState[],
  to: RemoteState,
): Counts {
  const ofKind = { ...counts?.[kind] };
  for (const state of from) {
    const left = (ofKind[state] ?? 1) - 1;
    if (left === 0) delete ofKind[state];
    else ofKind[state] = left;
  }
  ofKind[to] = (ofKind[to] ?? 0) + 1;
  return { ...(counts ?? { operador: {}, produto: {}, vinculo: {} }), [kind]: ofKind };
}
