/** Computes what changes from one table to another (contract section 8): plain JSON, codes in order. */
import type { AttributeDetail, AttributeTable, NcmPairs, Pair, PairModalidade } from '../words/model.ts';

/** Required pair of an NCM, on some days. */
export interface RequiredPair {
  /** Eight digits. */
  readonly ncm: string;
  readonly atributo: string;
  readonly modalidade: PairModalidade;
}

export interface ChangedAttribute {
  readonly atributo: string;
  /** Members of the description that differ. */
  readonly members: readonly string[];
}

interface Change<Item, Changed = Item> {
  readonly added: readonly Item[];
  readonly removed: readonly Item[];
  readonly changed: readonly Changed[];
}

export interface TableDifference {
  /** Versions; `null` if no table was in force. */
  readonly from: string | null;
  readonly to: string;
  /** `changed`: NCMs of both tables with different pairs. */
  readonly ncms: Change<string>;
  readonly attributes: Change<string, ChangedAttribute>;
  /** `changed`: required in both tables, on other days or with another `multivalorado`. */
  readonly requiredPairs: Change<RequiredPair>;
}

const NO_TABLE: AttributeTable = { versao: '', listaNcm: [], detalhesAtributos: [] };

export function difference(from: AttributeTable | undefined, to: AttributeTable): TableDifference {
  const before = from ?? NO_TABLE;
  const ncmsBefore = new Map(before.listaNcm.map((ncm) => [ncm.codigoNcm, ncm]));
  const ncmsAfter = new Map(to.listaNcm.map((ncm) => [ncm.codigoNcm, ncm]));
  return {
    from: from?.versao ?? null,
    to: to.versao,
    ncms: compare(ncmsBefore, ncmsAfter, (code, a, b) => (samePairs(a, b) ? undefined : code)),
    attributes: compare(byCode(before), byCode(to), changedAttribute),
    requiredPairs: requiredPairs(before, to),
  };
}

/** Compares items before and after, by code. */
export function compare<Value, Changed>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  changeOf: (code: string, a: Value, b: Value) => Changed | undefined,
): Change<string, Changed> {
  const changed: Changed[] = [];
  for (const code of [...after.keys()].sort()) {
    const a = before.get(code);
    const b = after.get(code);
    const change = a === undefined || b === undefined ? undefined : changeOf(code, a, b);
    if (change !== undefined) changed.push(change);
  }
  return {
    added: [...after.keys()].filter((code) => !before.has(code)).sort(),
    removed: [...before.keys()].filter((code) => !after.has(code)).sort(),
    changed,
  };
}

const byCode = (table: AttributeTable): Map<string, AttributeDetail> =>
  new Map(table.detalhesAtributos.map((detail) => [detail.codigo, detail]));

function changedAttribute(
  atributo: string,
  a: AttributeDetail,
  b: AttributeDetail,
): ChangedAttribute | undefined {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof AttributeDetail>;
  const members = [...names].filter((name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]));
  return members.length === 0 ? undefined : { atributo, members };
}

/** Returns one line per pair, in order: a file may list the same pairs in another order. */
const sortedText = (pairs: readonly Pair[]): string =>
  pairs
    .map((pair) => JSON.stringify(pair))
    .sort()
    .join('\n');

const samePairs = (a: NcmPairs, b: NcmPairs): boolean =>
  sortedText(a.listaAtributos) === sortedText(b.listaAtributos);

function requiredPairs(before: AttributeTable, after: AttributeTable): Change<RequiredPair> {
  const [previousPairs, currentPairs] = [requiredOf(before), requiredOf(after)];
  const { added, removed, changed } = compare(previousPairs, currentPairs, (key, previous, current) =>
    sortedText(previous) === sortedText(current) ? undefined : key,
  );
  return { added: added.map(pairOfKey), removed: removed.map(pairOfKey), changed: changed.map(pairOfKey) };
}

function pairOfKey(key: string): RequiredPair {
  const [ncm = '', atributo = '', modalidade] = key.split(' ');
  return { ncm, atributo, modalidade: modalidade as PairModalidade };
}

/**
 * Returns the required pairs by NCM, attribute and modality; one attribute may be required in several
 * periods.
 */
function requiredOf({ listaNcm }: AttributeTable): ReadonlyMap<string, readonly Pair[]> {
  const pairsByKey = new Map<string, Pair[]>();
  for (const { codigoNcm, listaAtributos } of listaNcm)
    for (const pair of listaAtributos) {
      if (!pair.obrigatorio) continue;
      const key = `${codigoNcm} ${pair.codigo} ${pair.modalidade}`;
      pairsByKey.set(key, [...(pairsByKey.get(key) ?? []), pair]);
    }
  return pairsByKey;
}
