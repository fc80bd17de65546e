/**
 * Caches NCMs of stored tables, prepared for many checks. A stored table never changes, so no entry becomes
 * stale.
 */
import type { Activation } from './activation-store.ts';
import type { AttributeDetail, NcmPairs } from '../words/model.ts';
import { type PreparedNcm, prepare } from '../check/prepare.ts';
import type { AttributeTableStore, NcmRules } from '../table/store.ts';
import { lruCache } from '../../../system/lru-cache.ts';

/** Maximum number of cached NCMs: a company works with some hundred, the public table has 10 500. */
const CACHED_NCMS = 2000;
/**
 * Number of descriptions cached per table: the public table has 1 300. When the tables in use have more
 * descriptions than the cache holds, a read of all NCMs prepares nearly every description again for each NCM,
 * and each NCM keeps its own copy.
 */
const CACHED_DETAILS = 2000;
/** Number of tables in use: the table in force, the previous one, and two future ones. */
const TABLES_IN_USE = 4;

export class PreparedTables {
  readonly #store: AttributeTableStore;
  readonly #ncms = lruCache<string, PreparedNcm>(CACHED_NCMS);
  /** NCMs by the fingerprint of their rules: nearly all NCMs have the same rules in the next table. */
  readonly #ncmsByFingerprint = lruCache<string, PreparedNcm>(CACHED_NCMS);
  readonly #details: ReturnType<typeof lruCache<string, AttributeDetail>>;

  /** `tables`: the number of tables in use at a time. */
  constructor(store: AttributeTableStore, tables = TABLES_IN_USE) {
    this.#store = store;
    this.#details = lruCache(tables * CACHED_DETAILS);
  }

  /**
   * Returns the prepared NCM; `undefined` if the table does not have it.
   * `futureActivations`: activations whose rules the result also contains.
   */
  find(tableId: number, ncm: string, futureActivations: readonly Activation[] = []): PreparedNcm | undefined {
    let key = `${tableId} ${ncm}`;
    for (const { tableId: id, onDay } of futureActivations) key += `+${id}@${onDay}`;
    const cached = this.#ncms.get(key);
    if (cached !== undefined) return cached;
    const rules = this.#store.findRules(tableId, ncm);
    if (rules === undefined) return undefined;
    const prepared =
      futureActivations.length === 0
        ? this.#findByFingerprint(tableId, ncm, rules)
        : this.#prepare(futureActivations, tableId, rules.pairs());
    this.#ncms.set(key, prepared);
    return prepared;
  }

  #findByFingerprint(tableId: number, ncm: string, { fingerprint, pairs }: NcmRules): PreparedNcm {
    const key = `${fingerprint} ${ncm}`;
    const prepared = this.#ncmsByFingerprint.get(key) ?? this.#prepare([], tableId, pairs());
    this.#ncmsByFingerprint.set(key, prepared);
    return prepared;
  }

  #prepare(futureActivations: readonly Activation[], tableId: number, pairs: NcmPairs): PreparedNcm {
    const futureRules = futureActivations.flatMap(({ tableId: id, onDay }) => {
      const futurePairs = this.#store.findPairs(id, pairs.codigoNcm);
      return futurePairs === undefined
        ? []
        : { from: onDay, pairs: futurePairs, details: this.#detailsOf(id, futurePairs) };
    });
    return prepare(pairs, this.#detailsOf(tableId, pairs), futureRules);
  }

  clear(): void {
    this.#ncms.clear();
    this.#ncmsByFingerprint.clear();
    this.#details.clear();
  }

  #detailsOf(tableId: number, { listaAtributos }: NcmPairs): ReadonlyMap<string, AttributeDetail> {
    return new Map(listaAtributos.map(({ codigo }) => [codigo, this.#detail(tableId, codigo)]));
  }

  #detail(tableId: number, codigo: string): AttributeDetail {
    const key = `${tableId} ${codigo}`;
    const detail = this.#details.get(key) ?? this.#store.getDetail(tableId, codigo);
    this.#details.set(key, detail);
    return detail;
  }
}
