/**
 * Reads active products in the order of a sweep: company, NCM, code. Used to judge products by another
 * table.
 */
import { Store } from '../../db/prepared.ts';
import { KEYS_OF_COMPANY, numberInCompany } from '../versioned/model.ts';
import { countActiveSql } from '../versioned/store.ts';
import type { Modalidade, StoredAttributes } from './model.ts';

/** Position in that order. */
export interface SweepPosition {
  readonly cpfCnpjRaiz: string;
  readonly ncm: string;
  readonly codigo: number;
}

/** Product at its position. */
export interface VisitedProduct extends SweepPosition, StoredAttributes {
  readonly isActive: boolean;
  readonly modalidade: Modalidade | null;
}

/** Position before the first product. */
export const BEFORE_ALL: SweepPosition = { cpfCnpjRaiz: '', ncm: '', codigo: 0 };

/** Returns the position after the last product of a company and NCM. */
export const afterGroup = ({ cpfCnpjRaiz, ncm }: SweepPosition): SweepPosition => ({
  cpfCnpjRaiz,
  ncm,
  codigo: KEYS_OF_COMPANY,
});

const ATTRIBUTES = `atributos, atributos_multivalorados AS atributosMultivalorados, atributos_compostos AS atributosCompostos,
  atributos_compostos_multivalorados AS atributosCompostosMultivalorados`;

const VISITED = `p.id, c.cpf_cnpj_raiz AS cpfCnpjRaiz, p.ncm, p.situacao = 'ATIVADO' AS isActive, p.modalidade, ${ATTRIBUTES}`;

const COMPANY_ID = '(SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

/**
 * Selects the rest of a company and NCM, and what comes after it. Drafts without an NCM are skipped inside
 * the index.
 */
export const VISIT = {
  rest: `SELECT ${VISITED} FROM (SELECT id FROM product INDEXED BY product_by_ncm
      WHERE company_id = ${COMPANY_ID} AND ncm = ? AND id > ${COMPANY_ID} * ${KEYS_OF_COMPANY} + ? ORDER BY id LIMIT ?) q
    CROSS JOIN product p ON p.id = q.id CROSS JOIN company c ON c.id = p.company_id`,
  next: `SELECT ${VISITED} FROM (SELECT id FROM product INDEXED BY product_by_ncm
      WHERE (company_id, ncm) > (ifnull(${COMPANY_ID}, 0), ?) AND ncm IS NOT NULL
      ORDER BY company_id, ncm, id LIMIT ?) q
    CROSS JOIN product p ON p.id = q.id CROSS JOIN company c ON c.id = p.company_id`,
  ncms: "SELECT DISTINCT ncm FROM product INDEXED BY product_by_ncm WHERE company_id = ? AND ncm > ''",
  active: `SELECT id, id % ${KEYS_OF_COMPANY} AS codigo, modalidade, ${ATTRIBUTES} FROM product INDEXED BY product_by_ncm
    WHERE company_id = ? AND ncm = ? AND id > ? AND situacao = 'ATIVADO' ORDER BY id LIMIT ?`,
} as const;

/** Page size: some ms of work at most. */
const PAGE_PRODUCTS = 64;
/** Page size for products that are only read, not judged by all rules. */
const ACTIVE_PRODUCTS = 500;

/** Active product as it is read; `id` is its key. */
export interface ActiveProduct extends StoredAttributes {
  readonly id: number;
  readonly codigo: number;
  readonly modalidade: Modalidade | null;
}

interface Row extends Omit<VisitedProduct, 'codigo' | 'isActive'> {
  readonly id: number;
  readonly isActive: 0 | 1;
}

const toVisited = ({ id, isActive, ...row }: Row): VisitedProduct => ({
  ...row,
  codigo: numberInCompany(id),
  isActive: isActive === 1,
});

export class ActiveProductStore extends Store {
  readonly #rest = this.many<[string, string, string, number, number], Row>(VISIT.rest);
  readonly #next = this.many<[string, string, number], Row>(VISIT.next);
  readonly #ncms = this.db.prepare<[number], string>(VISIT.ncms).pluck();
  readonly #active = this.many<[number, string, number, number], ActiveProduct>(VISIT.active);
  /** Returns all companies, in order. */
  readonly companies = this.values<[], string>('SELECT cpf_cnpj_raiz FROM company ORDER BY cpf_cnpj_raiz');
  readonly #countActive = this.number<[string, string]>(countActiveSql('product'));
  /** Returns a product if it is active. */
  readonly findActive = this.one<[cpfCnpjRaiz: string, codigo: number], VisitedProduct>(
    `SELECT ${VISITED} FROM product p CROSS JOIN company c ON c.id = p.company_id
     WHERE p.id = ${COMPANY_ID} * ${KEYS_OF_COMPANY} + ? AND p.situacao = 'ATIVADO'`,
    toVisited,
  );

  /**
   * Returns the next products after a position, active or not; none at the end. It also returns products
   * that are not active: the work per page is then bounded for any number of them.
   */
  visit({ cpfCnpjRaiz, ncm, codigo }: SweepPosition): VisitedProduct[] {
    const rest = this.#rest(cpfCnpjRaiz, ncm, cpfCnpjRaiz, codigo, PAGE_PRODUCTS);
    const rows = rest.length > 0 ? rest : this.#next(cpfCnpjRaiz, ncm, PAGE_PRODUCTS);
    return rows.map(toVisited);
  }

  countActive(cpfCnpjRaiz: string): number {
    return this.#countActive(cpfCnpjRaiz, cpfCnpjRaiz);
  }

  /** Yields the NCMs of a company's products, in order. */
  ncmsOf(companyId: number): Iterable<string> {
    return this.#ncms.iterate(companyId);
  }

  /** Yields the active products of a company and NCM, page by page. */
  *activeOf(companyId: number, ncm: string): Generator<readonly ActiveProduct[]> {
    for (let after = 0; ;) {
      const page = this.#active(companyId, ncm, after, ACTIVE_PRODUCTS);
      yield page;
      const last = page[ACTIVE_PRODUCTS - 1];
      if (last === undefined) return;
      after = last.id;
    }
  }
}
