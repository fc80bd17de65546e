/** Active products in the order of a sweep: company, NCM, code. */
import type { Db } from '../../db/open.ts';
import type { Modalidade } from './model.ts';

/** A place in that order. */
export interface Place {
  readonly cpfCnpjRaiz: string;
  readonly ncm: string;
  readonly codigo: number;
}

/** A product at its place; `lists` only where it is active. */
export interface VisitedProduct extends Place {
  readonly modalidade: Modalidade | null;
  /** JSON object with the four attribute lists. */
  readonly lists: string | null;
}

/** Before the first product. */
export const BEFORE_ALL: Place = { cpfCnpjRaiz: '', ncm: '', codigo: 0 };

/** Behind the last product of a company and NCM. */
export const behindGroup = ({ cpfCnpjRaiz, ncm }: Place): Place => ({
  cpfCnpjRaiz,
  ncm,
  codigo: Number.MAX_SAFE_INTEGER,
});

/**
 * Products that are not active are visited too, without their texts: a page is bounded work however many they are.
 * Drafts without an NCM are passed over inside the index.
 */
export const VISIT_SQL = `SELECT q.cpf_cnpj_raiz AS cpfCnpjRaiz, q.ncm, q.codigo, v.modalidade, v.lists
  FROM (SELECT p.cpf_cnpj_raiz, p.ncm, p.codigo, p.situacao, p.current_version FROM product p INDEXED BY product_by_ncm
        WHERE (p.cpf_cnpj_raiz, p.ncm, p.codigo) > (?, ?, ?) AND p.ncm IS NOT NULL
        ORDER BY p.cpf_cnpj_raiz, p.ncm, p.codigo LIMIT ?) q
  LEFT JOIN product_version v ON v.id = q.current_version AND q.situacao = 'ATIVADO'
  ORDER BY q.cpf_cnpj_raiz, q.ncm, q.codigo`;

/** A page is some ms of work at most. */
const PAGE_PRODUCTS = 64;

export class ActiveProductStore {
  readonly #visit;
  readonly #find;

  constructor(db: Db) {
    this.#visit = db.prepare<[string, string, number, number], VisitedProduct>(VISIT_SQL);
    this.#find = db.prepare<[string, number], VisitedProduct>(
      `SELECT p.cpf_cnpj_raiz AS cpfCnpjRaiz, p.ncm, p.codigo, v.modalidade, v.lists
       FROM product p JOIN product_version v ON v.id = p.current_version
       WHERE p.cpf_cnpj_raiz = ? AND p.codigo = ? AND p.situacao = 'ATIVADO'`,
    );
  }

  /** The next products after a place; fewer than a page when there are no more. */
  visit({ cpfCnpjRaiz, ncm, codigo }: Place): VisitedProduct[] {
    return this.#visit.all(cpfCnpjRaiz, ncm, codigo, PAGE_PRODUCTS);
  }

  /** A product that is active. */
  findActive(cpfCnpjRaiz: string, codigo: number): VisitedProduct | undefined {
    return this.#find.get(cpfCnpjRaiz, codigo);
  }
}
