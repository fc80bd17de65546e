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
  active: `SELECT p.id, p.id % ${KEYS_OF_COMPANY} AS codigo, p.ncm, modalidade, ${ATTRIBUTES}
    FROM json_each(?) n CROSS JOIN product p INDEXED BY product_by_ncm
    WHERE p.company_id = +? AND p.ncm = n.value AND situacao = 'ATIVADO'`,
} as const;

/** Page size: some ms of work at most. */
const PAGE_PRODUCTS = 64;

/** Active product as it is read; `id` is its key. */
export interface ActiveProduct extends StoredAttributes {
  readonly id: number;
  readonly codigo: number;
  readonly ncm: string;
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
  /** Yields the active products of a company in a JSON list of NCMs, in its order, then by code. */
  readonly activeIn = this.iterates<[ncms: string, companyId: number], ActiveProduct>(VISIT.active);
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
}
