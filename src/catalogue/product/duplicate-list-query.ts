/**
 * Finds active products of an NCM that are identical or have the same name (contract section 17): a report,
 * in pages.
 */
import type { Db } from '../../db/open.ts';
import { NO_COMPANY, companyIdOf } from '../list-query.ts';
import type { PageEnd } from '../paging/model.ts';
import { contentSelected } from '../members/member.ts';
import { PRODUCT } from '../members/product.ts';
import { placeOf } from '../versioned/model.ts';
import { LOOKED_THROUGH } from './list-query.ts';
import type { DuplicateGroup, ProductColumns } from './model.ts';

/** Reads products by NCM and code, so that only one NCM at a time is in memory. */
export const BY_NCM = `SELECT p.id, p.situacao = 'ATIVADO' AS isActive, p.denominacao_folded AS denominacaoFolded,
    ${contentSelected(PRODUCT, 'p')}
  FROM product p INDEXED BY product_by_ncm WHERE p.company_id = ? AND p.ncm >= ? ORDER BY p.ncm, p.id`;

export interface ComparedProduct extends ProductColumns {
  readonly id: number;
  readonly ncm: string;
  readonly isActive: 0 | 1;
  readonly denominacaoFolded: string;
}

export interface Duplicates {
  readonly cpfCnpjRaiz: string;
  readonly after: PageEnd | undefined;
  readonly limit: number;
  /** Products with the same key are duplicates. */
  readonly keyOf: (product: ComparedProduct) => string | number;
}

/**
 * Yields groups in the order of NCM, then of their first codes; one more than the limit. Yields `undefined`
 * to let other reads run.
 */
export function* duplicatesOf(
  db: Db,
  { cpfCnpjRaiz, after, limit, keyOf }: Duplicates,
): Generator<undefined, DuplicateGroup[]> {
  const companyId = companyIdOf(db, cpfCnpjRaiz) ?? NO_COMPANY;
  const [ncmBefore = '', codigoBefore = 0] = after ?? [];
  const products = db.prepare<[number, string], ComparedProduct>(BY_NCM);
  const groups: DuplicateGroup[] = [];
  let group = new Group(keyOf);
  let looked = 0;
  for (const product of products.iterate(companyId, String(ncmBefore))) {
    if (product.ncm !== group.ncm) {
      groups.push(...group.behind(ncmBefore, codigoBefore));
      if (groups.length > limit) return groups.slice(0, limit + 1);
      group = new Group(keyOf, product.ncm);
    }
    if (product.isActive === 1) group.add(product);
    looked += 1;
    if (looked % LOOKED_THROUGH === 0) yield undefined;
  }
  groups.push(...group.behind(ncmBefore, codigoBefore));
  return groups.slice(0, limit + 1);
}

/** Products of one NCM: a product without duplicates keeps only its position. */
class Group {
  readonly ncm: string | undefined;
  readonly #keyOf: Duplicates['keyOf'];
  readonly #first = new Map<string | number, number>();
  readonly #groups = new Map<string | number, { denominacao: string; codigos: number[] }>();

  constructor(keyOf: Duplicates['keyOf'], ncm?: string) {
    this.#keyOf = keyOf;
    this.ncm = ncm;
  }

  add(product: ComparedProduct): void {
    const key = this.#keyOf(product);
    const codigo = placeOf(product.id);
    const first = this.#first.get(key);
    if (first === undefined) {
      this.#first.set(key, codigo);
      return;
    }
    const group = this.#groups.get(key);
    if (group === undefined)
      this.#groups.set(key, { denominacao: product.denominacao, codigos: [first, codigo] });
    else group.codigos.push(codigo);
  }

  /** Returns the groups after the end of the previous page. */
  behind(ncmBefore: string | number, codigoBefore: string | number): DuplicateGroup[] {
    const { ncm } = this;
    if (ncm === undefined) return [];
    return [...this.#groups.values()]
      .map((group) => ({ ncm, ...group }))
      .filter(({ codigos: [first = 0] }) => ncm !== ncmBefore || first > Number(codigoBefore))
      .sort(({ codigos: [a = 0] }, { codigos: [b = 0] }) => a - b);
  }
}
