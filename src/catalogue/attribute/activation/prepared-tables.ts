/**
 * Caches NCMs of stored tables, prepared for many checks. A stored table never changes, so no entry becomes
 * stale.
 */
import type { Activation } from './activation-store.ts';
import type { AttributeDetail, NcmPairs } from '../words/model.ts';
import { type PreparedNcm, prepare } from '../check/prepare.ts';
import type { AttributeTableStore, NcmRules } from '../table/store.ts';
import { latest } from '../../../system/latest.ts';

/** A company works with some hundred NCMs; the whole public table has 10 500. */
const REMEMBERED_NCMS = 2000;
/**
 * Descriptions cached per table: the public one has 1 300. With more tables than the cache holds, reading
 * all NCMs prepares nearly every description again for each NCM, and each NCM keeps its own copy.
 */
const REMEMBERED_DETAILS = 2000;
/** The table in force, the previous one, and two future ones. */
const TABLES = 4;

export class PreparedTables {
  readonly #store: AttributeTableStore;
  readonly #ncms = latest<string, PreparedNcm>(REMEMBERED_NCMS);
  /** Caches by fingerprint: from one table to the next the rules of nearly all NCMs are the same. */
  readonly #alike = latest<string, PreparedNcm>(REMEMBERED_NCMS);
  readonly #details: ReturnType<typeof latest<string, AttributeDetail>>;

  /** `tables`: the number of tables in use at a time. */
  constructor(store: AttributeTableStore, tables = TABLES) {
    this.#store = store;
    this.#details = latest(tables * REMEMBERED_DETAILS);
  }

  /**
   * Returns `undefined` for an NCM that is not in the table. `coming`: tables whose day is in the future.
   */
  find(tableId: number, ncm: string, coming: readonly Activation[] = []): PreparedNcm | undefined {
    const key = `${[tableId, ...coming.map(({ tableId: id, onDay }) => `${id}@${onDay}`)].join('+')} ${ncm}`;
    const cached = this.#ncms.get(key);
    if (cached !== undefined) return cached;
    const rules = this.#store.findRules(tableId, ncm);
    if (rules === undefined) return undefined;
    const prepared =
      coming.length === 0 ? this.#sameRules(tableId, ncm, rules) : this.#with(coming, tableId, rules.pairs());
    this.#ncms.set(key, prepared);
    return prepared;
  }

  #sameRules(tableId: number, ncm: string, { fingerprint, pairs }: NcmRules): PreparedNcm {
    const key = `${fingerprint} ${ncm}`;
    const prepared = this.#alike.get(key) ?? this.#with([], tableId, pairs());
    this.#alike.set(key, prepared);
    return prepared;
  }

  #with(coming: readonly Activation[], tableId: number, pairs: NcmPairs): PreparedNcm {
    const later = coming.flatMap(({ tableId: id, onDay }) => {
      const theirs = this.#store.findPairs(id, pairs.codigoNcm);
      return theirs === undefined ? [] : { from: onDay, pairs: theirs, details: this.#detailsOf(id, theirs) };
    });
    return prepare(pairs, this.#detailsOf(tableId, pairs), later);
  }

  forget(): void {
    this.#ncms.clear();
    this.#alike.clear();
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
