/**
 * Assigns the codes of a company's products (contract section 5). The next code follows the last product, so
 * that an inclusion needs no counter row: products are never removed. A mirrored catalogue may have codes far above the others: these lie above the company's ceiling, and the
 * numbering does not continue after them.
 */
import type { Db } from '../../db/open.ts';
import { Store } from '../../db/prepared.ts';
import { LARGEST_LEAP } from '../version.ts';
import { KEYS_OF_COMPANY, type ReservedKey, keyIn, numberInCompany } from '../versioned/model.ts';
import { CODIGO_MAX } from './model.ts';

interface Numbering {
  readonly companyId: number;
  /** First code that must not be assigned; `null`: no limit. */
  readonly ceiling: number | null;
  /** Key of the last product below the ceiling. */
  readonly lastId: number | null;
}

export class ProductCodeStore extends Store {
  readonly #max: number;
  readonly #numbering;
  readonly #isTaken = this.exists<[number]>('SELECT 1 FROM product WHERE id = ?');
  readonly #endOfRun = this.value<[number], number>(
    `SELECT p.id FROM product p WHERE p.id >= ? AND NOT EXISTS (SELECT 1 FROM product q WHERE q.id = p.id + 1)
     ORDER BY p.id LIMIT 1`,
  );
  readonly #nextTaken = this.value<[number, number], number>(
    'SELECT id FROM product WHERE id > ? AND id <= ? ORDER BY id LIMIT 1',
  );
  readonly #setCeiling = this.runs<[number | null, number]>(
    'UPDATE company SET product_ceiling = ? WHERE id = ?',
  );

  /** `max`: the last code. */
  constructor(db: Db, max = CODIGO_MAX) {
    super(db);
    this.#max = max;
    this.#numbering = this.db.prepare<[string], Numbering>(
      `SELECT c.id AS companyId, c.product_ceiling AS ceiling, (SELECT max(p.id) FROM product p
         WHERE p.id > c.id * ${KEYS_OF_COMPANY} AND p.id < c.id * ${KEYS_OF_COMPANY} + ifnull(c.product_ceiling, ${max + 1})
       ) AS lastId
       FROM company c WHERE c.cpf_cnpj_raiz = ?`,
    );
  }

  /**
   * Returns the key of the next product. After the last code it uses codes that a mirrored catalogue left free.
   * `undefined`: no code is free.
   */
  next(cpfCnpjRaiz: string): ReservedKey | undefined {
    const { companyId, ceiling, lastId } = this.#numberingOf(cpfCnpjRaiz);
    const next = (lastId ?? keyIn(companyId, 0)) + 1;
    if (next < keyIn(companyId, ceiling ?? this.#max + 1)) return { companyId, id: next };
    const last = keyIn(companyId, this.#max);
    const free = this.#firstFree(next, last) ?? this.#firstFree(keyIn(companyId, 1), last);
    if (free === undefined) return undefined;
    const nextUsed = this.#nextTaken(free, last);
    this.#setCeiling(nextUsed === undefined ? null : numberInCompany(nextUsed), companyId);
    return { companyId, id: free };
  }

  /**
   * Returns the key of a product that has its own code. Numbering continues after it, unless it is so distant
   * that the numbers would run out.
   */
  reserve(cpfCnpjRaiz: string, codigo: number): ReservedKey {
    const { companyId, ceiling, lastId } = this.#numberingOf(cpfCnpjRaiz);
    const isDistant = codigo - (lastId === null ? 0 : numberInCompany(lastId)) > LARGEST_LEAP;
    if (isDistant && (ceiling === null || codigo < ceiling)) this.#setCeiling(codigo, companyId);
    return { companyId, id: keyIn(companyId, codigo) };
  }

  #numberingOf(cpfCnpjRaiz: string): Numbering {
    const numbering = this.#numbering.get(cpfCnpjRaiz);
    if (numbering === undefined) throw new Error('A company without a record has no codes.');
    return numbering;
  }

  #firstFree(from: number, last: number): number | undefined {
    const free = this.#isTaken(from) ? (this.#endOfRun(from) as number) + 1 : from;
    return free <= last ? free : undefined;
  }
}
