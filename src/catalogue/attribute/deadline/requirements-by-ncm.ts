/** Finds the future requirements of NCMs in the stored tables and the nomenclature; caches them per NCM. */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { NomenclatureStore } from '../../../nomenclature/store.ts';
import { type Activation, ActivationStore } from '../activation/activation-store.ts';
import { PreparedTables } from '../activation/prepared-tables.ts';
import { changedBetween } from '../table/boundary.ts';
import { AttributeTableStore } from '../table/store.ts';
import {
  type Requirement,
  type Terms,
  ncmEndRequirement,
  requirementsOf,
  unconfirmedRequirements,
} from './requirements.ts';
import type { DeadlineFilter } from './model.ts';

export interface RequirementsByNcm {
  find(ncm: string): readonly Requirement[];
  /** Returns true if the result is already cached, so that no computation is needed. */
  isCached(ncm: string): boolean;
  /** Returns all NCMs that may have a requirement, in order; some of them have none. Yields to let other reads run. */
  candidates(): Generator<undefined, readonly string[]>;
}

const LAST_DAY: Day = '9999-12-31';

/** Finds only the requirements that match the filter. */
export function requirementsByNcm(
  db: Db,
  { today, until, on, codigo, modalidade, unconfirmed }: DeadlineFilter,
): RequirementsByNcm {
  const store = new AttributeTableStore(db);
  const list = new ActivationStore(db).list();
  const withVersions = ({ past, terms }: ReturnType<typeof tablesOf>) => ({
    past,
    terms: terms.map((term) => ({ ...term, versao: store.find(term.tableId)?.versao ?? '' })),
  });
  const current = withVersions(tablesOf(list, today));
  const previous = withVersions(
    tablesOf(current.past === undefined ? [] : list.slice(list.indexOf(current.past)), today),
  );
  const prepared = new PreparedTables(store, Math.max(1, tablesIn(current, previous).size));
  const termsOf = ({ terms, past }: typeof current, ncm: string): Terms => ({
    terms: terms.map(({ tableId, ...term }) => ({ ...term, ncm: prepared.find(tableId, ncm) })),
    previous: () => past && prepared.find(past.tableId, ncm),
  });
  const lastDays = new NomenclatureStore(db).lastDays(today);
  const cache = new Map<string, readonly Requirement[]>();
  const matchesFilter = (requirement: Requirement): boolean =>
    requirement.on <= (until ?? requirement.on) &&
    requirement.on === (on ?? requirement.on) &&
    requirement.codigo === (codigo ?? requirement.codigo) &&
    requirement.modalidade === (modalidade ?? requirement.modalidade);
  const find = (ncm: string): readonly Requirement[] => {
    const cachedRequirements = cache.get(ncm);
    if (cachedRequirements !== undefined) return cachedRequirements;
    const all =
      unconfirmed === true
        ? unconfirmedRequirements(termsOf(previous, ncm), termsOf(current, ncm), today)
        : [...requirementsOf(termsOf(current, ncm), today), ...endOf(lastDays.get(ncm))];
    const requirements = all.filter(matchesFilter);
    cache.set(ncm, requirements);
    return requirements;
  };
  let cachedCandidates: readonly string[] | undefined;
  const candidates = function* (): Generator<undefined, readonly string[]> {
    if (cachedCandidates !== undefined) return cachedCandidates;
    const days = { today, until: on ?? until ?? LAST_DAY };
    const ncms = new Set<string>();
    const terms = unconfirmed === true ? previous.terms.slice(0, 1) : current.terms;
    for (const some of ncmsWithRequirements(store, terms, days)) {
      for (const ncm of some) ncms.add(ncm);
      yield undefined;
    }
    if (unconfirmed !== true) for (const [ncm, lastDay] of lastDays) if (lastDay < days.until) ncms.add(ncm);
    return (cachedCandidates = [...ncms].sort());
  };
  return { find: find, isCached: (ncm) => cache.has(ncm), candidates };
}

interface TableTerm {
  readonly tableId: number;
  readonly from: Day;
}

/**
 * Yields the NCMs that may have a requirement in a table up to a day: by the end of a pair of the first table,
 * by a start in any table, or by a difference between a future table and the one before it.
 */
function* ncmsWithRequirements(
  store: AttributeTableStore,
  terms: readonly TableTerm[],
  { today, until }: { readonly today: Day; readonly until: Day },
): Generator<readonly string[]> {
  for (const [index, { tableId, from }] of terms.entries()) {
    const before = terms[index - 1];
    if (before === undefined) yield* store.ncmsWithEnds(tableId, until);
    else if (from > until) return;
    else {
      const fingerprints = store.fingerprints(before.tableId);
      const rules = [...store.fingerprints(tableId)];
      yield rules.flatMap(([ncm, fingerprint]) => (fingerprints.get(ncm) === fingerprint ? [] : [ncm]));
    }
    if (changedBetween(store.find(tableId)?.boundaries ?? [], today, until))
      yield store.ncmsWithStarts(tableId, today, until);
  }
}

const endOf = (lastDay: Day | undefined): readonly Requirement[] =>
  lastDay === undefined ? [] : [ncmEndRequirement(lastDay)];

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
  const startedActivations = list.filter(({ onDay }) => onDay <= today);
  const [inForce] = startedActivations;
  // The newest activation of a day counts.
  const future = list.filter(({ onDay }, index) => onDay > today && list[index - 1]?.onDay !== onDay);
  const inOrder = [...future, ...(inForce === undefined ? [] : [inForce])].reverse();
  return {
    past: startedActivations.find(({ tableId }) => tableId !== inForce?.tableId),
    terms: inOrder.map(({ tableId, onDay }, index) => ({
      tableId,
      from: onDay,
      before: inOrder[index + 1]?.onDay,
    })),
  };
}
