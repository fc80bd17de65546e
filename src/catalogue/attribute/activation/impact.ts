/**
 * Computes the impact of putting a table in force (contract section 8): the difference to the table in force,
 * and the active products that would become invalid, by company and NCM. The result can be long, so it is
 * text in chunks.
 */
import type { Day } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';
import { messageAlone } from '../../../errors.ts';
import { type Cell, csvOf } from '../../../files/csv.ts';
import type { DeactivationCount } from '../../brake.ts';
import { ActiveProductStore, BEFORE_ALL } from '../../product/active-store.ts';
import { type TableDifference, difference } from '../table/difference.ts';
import { ActivationStore } from './activation-store.ts';
import { PreparedTables } from './prepared-tables.ts';
import { type JudgedProduct, ProductScan, isProblematic } from './scan.ts';
import { AttributeTableStore, type StoredTable } from '../table/store.ts';
import type { AttributeTable } from '../words/model.ts';

export interface ImpactRequest {
  readonly tableId: number;
  /** The table in force. */
  readonly currentId: number | null;
  /** Skips NCMs that are the same in this table (activation.ts). */
  readonly sinceTableId: number | null;
  readonly day: Day;
  /** Reports only products of these companies; `null`: of all. */
  readonly companies: readonly string[] | null;
}

/**
 * `total`: only the count of products that would become invalid. `deactivations`: this count and the count of
 * active products, by company.
 */
export type ImpactForm = 'json' | 'csv' | 'total' | 'deactivations';

/** Message to the reading Worker. */
export interface ImpactRead {
  readonly kind: 'impact';
  readonly impact: ImpactRequest;
  readonly form: ImpactForm;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Products judged without output before an empty chunk is yielded, which lets other reads run. */
const JUDGED_PER_TURN = 500;

export class Impact {
  readonly #store: AttributeTableStore;
  readonly #scan: ProductScan;
  readonly #products: ActiveProductStore;
  readonly #request: ImpactRequest;

  constructor(db: Db, request: ImpactRequest) {
    const tables = new AttributeTableStore(db);
    this.#store = tables;
    this.#products = new ActiveProductStore(db);
    this.#scan = new ProductScan(tables, new ActivationStore(db), new PreparedTables(tables), this.#products);
    this.#request = request;
  }

  difference(): TableDifference {
    const { tableId, currentId } = this.#request;
    const current = currentId === null ? undefined : this.#store.find(currentId);
    const table = this.#store.find(tableId);
    if (table === undefined) throw new Error(`There is no attribute table ${tableId}.`);
    return difference(current && fullTable(this.#store, current), fullTable(this.#store, table));
  }

  *invalidProducts(): Generator<JudgedProduct> {
    for (const product of this.#scan.judged(this.#request, BEFORE_ALL))
      if (this.#isReported(product)) yield product;
  }

  #isReported(product: JudgedProduct): boolean {
    const { companies } = this.#request;
    return isProblematic(product) && (companies === null || companies.includes(product.cpfCnpjRaiz));
  }

  text(form: ImpactForm): AsyncGenerator<string> | Generator<string> {
    if (form === 'total') return this.#total();
    if (form === 'deactivations') return this.#deactivationCounts();
    return form === 'csv' ? csvOf(CSV_HEADER, this.#csvRows()) : this.#json();
  }

  async *#json(): AsyncGenerator<string> {
    let chunk = `{"difference":${JSON.stringify(this.difference())},"invalid":[`;
    let total = 0;
    let judged = 0;
    for (const product of this.#scan.judged(this.#request, BEFORE_ALL)) {
      judged += 1;
      if (judged % JUDGED_PER_TURN === 0) yield '';
      if (!this.#isReported(product)) continue;
      const { cpfCnpjRaiz, codigo, ncm, problems } = product;
      chunk += (total === 0 ? '' : ',') + JSON.stringify({ cpfCnpjRaiz, codigo, ncm, problems });
      total += 1;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = '';
    }
    yield `${chunk}],"total":${total}}`;
  }

  *#total(): Generator<string> {
    let [total, judged] = [0, 0];
    for (const product of this.#scan.judged(this.#request, BEFORE_ALL)) {
      if (this.#isReported(product)) total += 1;
      judged += 1;
      if (judged % JUDGED_PER_TURN === 0) yield '';
    }
    yield String(total);
  }

  /** Yields JSON: one `DeactivationCount` for each company with a product that would become invalid. */
  *#deactivationCounts(): Generator<string> {
    const byCompany = new Map<string, number>();
    let judged = 0;
    for (const product of this.#scan.judged(this.#request, BEFORE_ALL)) {
      const { cpfCnpjRaiz } = product;
      if (isProblematic(product)) byCompany.set(cpfCnpjRaiz, (byCompany.get(cpfCnpjRaiz) ?? 0) + 1);
      judged += 1;
      if (judged % JUDGED_PER_TURN === 0) yield '';
    }
    const companies = [...byCompany].map(([cpfCnpjRaiz, deactivations]): DeactivationCount => ({
      deactivations,
      active: this.#products.countActive(cpfCnpjRaiz),
    }));
    yield JSON.stringify(companies);
  }

  /** Yields one row for each problem. */
  *#csvRows(): Generator<readonly Cell[]> {
    for (const { cpfCnpjRaiz, codigo, ncm, problems } of this.invalidProducts())
      for (const problem of problems)
        yield [cpfCnpjRaiz, ncm, codigo, problem.code, problem.path, messageAlone(problem)];
  }
}

const CSV_HEADER = ['cpfCnpjRaiz', 'ncm', 'codigo', 'regra', 'caminho', 'mensagem'] as const;

function fullTable(store: AttributeTableStore, { id, versao }: StoredTable): AttributeTable {
  return {
    versao,
    listaNcm: [...store.iteratePairs(id)],
    detalhesAtributos: [...store.iterateDetails(id)],
  };
}
