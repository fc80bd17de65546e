/** NCMs of stored tables, ready to be checked many times. A stored table never changes, so nothing here grows stale. */
import type { Activation } from './activation-store.ts';
import type { AttributeDetail, NcmPairs } from '../words/model.ts';
import { type PreparedNcm, prepare } from '../check/prepare.ts';
import type { AttributeTableStore } from '../table/store.ts';
import { latest } from '../../../system/latest.ts';

/** A company works with some hundred NCMs; the whole public table has 10 500 of them. */
const REMEMBERED_NCMS = 2000;
/**
 * Of each table: the public one has 1 300. Who goes through all NCMs of more tables than there is room for reads and prepares
 * nearly every description anew with each NCM, and each NCM keeps its own.
 */
const REMEMBERED_DETAILS = 2000;
/** The one in force, the one in whose place it came, and two that are to come. */
const TABLES = 4;

export class PreparedTables {
  readonly #store: AttributeTableStore;
  readonly #ncms = latest<string, PreparedNcm>(REMEMBERED_NCMS);
  readonly #details: ReturnType<typeof latest<string, AttributeDetail>>;

  /** `tables`: of how many it is asked at a time. */
  constructor(store: AttributeTableStore, tables = TABLES) {
    this.#store = store;
    this.#details = latest(tables * REMEMBERED_DETAILS);
  }

  /** `undefined` for an NCM that is not in the table. `coming`: tables whose day is still to come. */
  find(tableId: number, ncm: string, coming: readonly Activation[] = []): PreparedNcm | undefined {
    const key = `${[tableId, ...coming.map(({ tableId: id, onDay }) => `${id}@${onDay}`)].join('+')} ${ncm}`;
    const known = this.#ncms.get(key);
    if (known !== undefined) return known;
    const pairs = this.#store.findPairs(tableId, ncm);
    if (pairs === undefined) return undefined;
    const later = coming.flatMap(({ tableId: id, onDay }) => {
      const theirs = this.#store.findPairs(id, ncm);
      return theirs === undefined ? [] : { from: onDay, pairs: theirs, details: this.#detailsOf(id, theirs) };
    });
    const prepared = prepare(pairs, this.#detailsOf(tableId, pairs), later);
    this.#ncms.set(key, prepared);
    return prepared;
  }

  forget(): void {
    this.#ncms.clear();
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
