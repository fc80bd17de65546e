/** What becomes of a record in doubt once a person has decided who is who, or whose content is right. */
import type { Counts, Found, Pair, RemoteState } from './compare/model.ts';
import type { PairRequest, StoredFound } from './model.ts';

export interface There {
  readonly key: string;
  readonly versao: string | null;
  readonly whole: number | null;
  /** Deactivated there, and not here. */
  readonly isFallen?: boolean;
  /** Deactivated here, and not there. */
  readonly isFallenHere?: boolean;
}

export const FALLEN = 'DESATIVADO';

/** On which side of a pair one is deactivated that is not on the other. */
export function fallsIn({ differences }: StoredFound): Pick<There, 'isFallen' | 'isFallenHere'> {
  const { here, there } = differences.find(({ member }) => member === 'situacao') ?? {};
  return { isFallen: there === FALLEN, isFallenHere: here === FALLEN };
}

/**
 * The pair, and how the record stands by it. Whose content is kept is told by the base: the other side is taken to have been as
 * it is, so that only this one has changed since.
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

/** They were there before: none of them is ever taken for what is sent. */
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
  // What falls is told so: it is under the brake, and its step deactivates.
  if (keep === 'here') return there.isFallenHere === true ? 'desativadoAqui' : 'mudouAqui';
  return there.isFallen === true ? 'desativadoLa' : 'mudouLa';
}

/** The counts once records of those states are one of that state. */
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
