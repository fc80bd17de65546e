/** Finds what NCMs will require, from the stored tables and the nomenclature; caches the result per NCM. */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { NomenclatureStore } from '../../../nomenclature/store.ts';
import { type Activation, ActivationStore } from '../activation/activation-store.ts';
import { PreparedTables } from '../activation/prepared-tables.ts';
import { AttributeTableStore } from '../table/store.ts';
import { type Ask, type Terms, asksOf, endAsk, unconfirmedAsks } from './asks.ts';
import type { DeadlineFilter } from './model.ts';

export interface AskedByNcm {
  of(ncm: string): readonly Ask[];
  /** Returns true if the result is already cached; computing it is work. */
  knows(ncm: string): boolean;
}

/** Finds only the requirements that match the filter. */
export function askedByNcm(
  db: Db,
  { today, until, on, codigo, modalidade, unconfirmed }: DeadlineFilter,
): AskedByNcm {
  const store = new AttributeTableStore(db);
  const list = new ActivationStore(db).list();
  const named = ({ past, terms }: ReturnType<typeof tablesOf>) => ({
    past,
    terms: terms.map((term) => ({ ...term, versao: store.find(term.tableId)?.versao ?? '' })),
  });
  const now = named(tablesOf(list, today));
  const before = named(tablesOf(now.past === undefined ? [] : list.slice(list.indexOf(now.past)), today));
  const prepared = new PreparedTables(store, Math.max(1, tablesIn(now, before).size));
  const termsOf = ({ terms, past }: typeof now, ncm: string): Terms => ({
    terms: terms.map(({ tableId, ...term }) => ({ ...term, ncm: prepared.find(tableId, ncm) })),
    past: () => past && prepared.find(past.tableId, ncm),
  });
  const lastDays = new NomenclatureStore(db).lastDays(today);
  const cache = new Map<string, readonly Ask[]>();
  const isWanted = (ask: Ask): boolean =>
    ask.on <= (until ?? ask.on) &&
    ask.on === (on ?? ask.on) &&
    ask.codigo === (codigo ?? ask.codigo) &&
    ask.modalidade === (modalidade ?? ask.modalidade);
  const of = (ncm: string): readonly Ask[] => {
    const cachedAsks = cache.get(ncm);
    if (cachedAsks !== undefined) return cachedAsks;
    const all =
      unconfirmed === true
        ? unconfirmedAsks(termsOf(before, ncm), termsOf(now, ncm), today)
        : [...asksOf(termsOf(now, ncm), today), ...endOf(lastDays.get(ncm))];
    const asks = all.filter(isWanted);
    cache.set(ncm, asks);
    return asks;
  };
  return { of, knows: (ncm) => cache.has(ncm) };
}

const endOf = (lastDay: Day | undefined): readonly Ask[] => (lastDay === undefined ? [] : [endAsk(lastDay)]);

const tablesIn = (
  ...all: readonly Pick<ReturnType<typeof tablesOf>, 'terms' | 'past'>[]
): ReadonlySet<number> =>
  new Set(
    all.flatMap(({ terms, past }) => [...terms, ...(past ? [past] : [])].map(({ tableId }) => tableId)),
  );

/**
 * Returns the table in force and the future ones, in the order of their days, and the previous one. `list`:
 * latest day first.
 */
function tablesOf(list: readonly Activation[], today: Day) {
  const begun = list.filter(({ onDay }) => onDay <= today);
  const [inForce] = begun;
  // The newest activation of a day counts.
  const coming = list.filter(({ onDay }, index) => onDay > today && list[index - 1]?.onDay !== onDay);
  const inOrder = [...coming, ...(inForce === undefined ? [] : [inForce])].reverse();
  return {
    past: begun.find(({ tableId }) => tableId !== inForce?.tableId),
    terms: inOrder.map(({ tableId, onDay }, index) => ({
      tableId,
      from: onDay,
      before: inOrder[index + 1]?.onDay,
    })),
  };
}
