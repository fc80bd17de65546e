/** NCMs of stored tables, ready to be checked many times. A stored table never changes, so nothing here grows stale. */
import type { AttributeDetail } from '../model.ts';
import { type PreparedNcm, prepare } from '../check/prepare.ts';
import type { AttributeTableStore } from '../table/store.ts';
import { latest } from '../../../system/latest.ts';

/** A company works with some hundred NCMs; the whole public table has 10 500 of them and 1 300 attributes. */
const REMEMBERED_NCMS = 2000;
const REMEMBERED_DETAILS = 2000;

export class PreparedTables {
  readonly #store: AttributeTableStore;
  readonly #ncms = latest<string, PreparedNcm>(REMEMBERED_NCMS);
  readonly #details = latest<string, AttributeDetail>(REMEMBERED_DETAILS);

  constructor(store: AttributeTableStore) {
    this.#store = store;
  }

  /** `undefined` for an NCM that is not in the table. */
  find(tableId: number, ncm: string): PreparedNcm | undefined {
    const key = `${tableId} ${ncm}`;
    const known = this.#ncms.get(key);
    if (known !== undefined) return known;
    const pairs = this.#store.findPairs(tableId, ncm);
    if (pairs === undefined) return undefined;
    const codes = new Set(pairs.listaAtributos.map(({ codigo }) => codigo));
    const prepared = prepare(pairs, new Map([...codes].map((code) => [code, this.#detail(tableId, code)])));
    this.#ncms.set(key, prepared);
    return prepared;
  }

  forget(): void {
    this.#ncms.clear();
    this.#details.clear();
  }

  #detail(tableId: number, codigo: string): AttributeDetail {
    const key = `${tableId} ${codigo}`;
    const detail = this.#details.get(key) ?? this.#store.getDetail(tableId, codigo);
    this.#details.set(key, detail);
    return detail;
  }
}
