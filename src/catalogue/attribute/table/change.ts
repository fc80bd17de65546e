/** What a table changed since another one: which NCMs and attributes came, went, or are asked for in another way. */
import type { Pair } from '../words/model.ts';
import { compare } from './difference.ts';
import type { ChangedNcm, TableChange } from './model.ts';
import type { AttributeTableStore, StoredTable } from './store.ts';

/** `from` is `undefined` of the first table. Both are whole. */
export function tableChange(
  store: AttributeTableStore,
  from: StoredTable | undefined,
  to: StoredTable,
): TableChange {
  const before = from === undefined ? NOTHING : store.fingerprints(from.id);
  const descriptions = from === undefined ? new Set<string>() : store.changedDetails(from.id, to.id);
  const ncms = compare(before, store.fingerprints(to.id), (ncm, was, is) =>
    from === undefined || was === is ? undefined : changedNcm(store, from, to, { ncm, descriptions }),
  );
  const [were, are] = [from === undefined ? NONE : store.codes(from.id), store.codes(to.id)];
  const { added, removed } = compare(were, are, () => undefined);
  return { ncms, attributes: { added, removed, changed: [...descriptions].sort() } };
}

const NOTHING: ReadonlyMap<string, string> = new Map();
const NONE: ReadonlyMap<string, true> = new Map();

/** An attribute has changed where its pairs differ, or its description does. */
function changedNcm(
  store: AttributeTableStore,
  from: StoredTable,
  to: StoredTable,
  { ncm, descriptions }: { readonly ncm: string; readonly descriptions: ReadonlySet<string> },
): ChangedNcm {
  const pairsOf = ({ id }: StoredTable) => byCode(store.findPairs(id, ncm)?.listaAtributos ?? []);
  const codes = compare(pairsOf(from), pairsOf(to), (codigo, was, is) =>
    descriptions.has(codigo) || was !== is ? codigo : undefined,
  );
  return { ncm, ...codes };
}

/** The pairs of each attribute as one text, whatever their order. */
function byCode(pairs: readonly Pair[]): Map<string, string> {
  const texts = new Map<string, string[]>();
  for (const pair of pairs) texts.set(pair.codigo, [...(texts.get(pair.codigo) ?? []), JSON.stringify(pair)]);
  return new Map([...texts].map(([codigo, some]) => [codigo, some.sort().join()]));
}
