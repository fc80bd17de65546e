/**
 * Computes the changes from one table to another: NCMs and attributes that were added, removed, or changed.
 */
import type { Pair } from '../words/model.ts';
import { compare } from './difference.ts';
import { alterationOf, pairAlterations } from './alteration.ts';
import type { ChangedNcm, PairAlteration, TableChange } from './model.ts';
import type { AttributeTableStore, StoredTable } from './store.ts';

/** Returns the change. `from` is `undefined` for the first table. Both are whole. */
export function tableChange(
  store: AttributeTableStore,
  from: StoredTable | undefined,
  to: StoredTable,
): TableChange {
  const before = from === undefined ? NO_FINGERPRINTS : store.fingerprints(from.id);
  const descriptions = from === undefined ? new Set<string>() : store.changedDetails(from.id, to.id);
  const ncms = compare(before, store.fingerprints(to.id), (ncm, previous, current) =>
    from === undefined || previous === current
      ? undefined
      : changedNcm(store, from, to, { ncm, descriptions }),
  );
  const [previousItems, currentItems] = [
    from === undefined ? NO_CODES : store.codes(from.id),
    store.codes(to.id),
  ];
  const { added, removed } = compare(previousItems, currentItems, () => undefined);
  const changed = [...descriptions].sort();
  const alterations =
    from === undefined
      ? []
      : changed.map((codigo) =>
          alterationOf(store.getDetail(from.id, codigo), store.getDetail(to.id, codigo)),
        );
  return {
    ncms,
    attributes: { added, removed, changed },
    descriptions: Object.fromEntries(alterations.map((alteration) => [alteration.codigo, alteration])),
  };
}

const NO_FINGERPRINTS: ReadonlyMap<string, string> = new Map();
const NO_CODES: ReadonlyMap<string, true> = new Map();

/** An attribute has changed if its pairs or its description differ. */
function changedNcm(
  store: AttributeTableStore,
  from: StoredTable,
  to: StoredTable,
  { ncm, descriptions }: { readonly ncm: string; readonly descriptions: ReadonlySet<string> },
): ChangedNcm {
  const pairsOf = ({ id }: StoredTable) => byCode(store.findPairs(id, ncm)?.listaAtributos ?? []);
  const [previousItems, currentItems] = [pairsOf(from), pairsOf(to)];
  const pairs: Record<string, readonly PairAlteration[]> = {};
  const codes = compare(previousItems, currentItems, (codigo, previous, current) => {
    const hasNewDescription = descriptions.has(codigo);
    if (!hasNewDescription && textOf(previous) === textOf(current)) return undefined;
    const alterations = pairAlterations(previous, current, hasNewDescription);
    if (alterations.some((pairAlteration) => Object.keys(pairAlteration).length > 0))
      pairs[codigo] = alterations;
    return codigo;
  });
  return { ncm, ...codes, pairs };
}

/** Returns the pairs of each attribute. */
function byCode(pairs: readonly Pair[]): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>();
  for (const pair of pairs) groups.set(pair.codigo, [...(groups.get(pair.codigo) ?? []), pair]);
  return groups;
}

/** Returns the pairs as one text that does not depend on their order. */
const textOf = (pairs: readonly Pair[]): string =>
  pairs
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join();
