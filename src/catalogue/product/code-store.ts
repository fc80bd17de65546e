/** The codes of a company's products on disk: which one the next product gets (contract section 5). */
import type { Db } from '../../db/open.ts';
import { LARGEST_LEAP } from '../version.ts';
import { CODIGO_MAX } from './model.ts';

interface NextCode {
  readonly codigo: number;
  readonly isTaken: 0 | 1;
}

export class ProductCodeStore {
  readonly #max: number;
  readonly #next;
  readonly #isTaken;
  readonly #endOfRun;
  readonly #goOn;
  readonly #reserve;

  /** `max`: the last code. */
  constructor(db: Db, max = CODIGO_MAX) {
    this.#max = max;
    this.#next = db.prepare<[string], NextCode>(
      `UPDATE company SET product_sequence = product_sequence + 1 WHERE cpf_cnpj_raiz = ?
       RETURNING product_sequence AS codigo, EXISTS (
         SELECT 1 FROM product p WHERE p.cpf_cnpj_raiz = company.cpf_cnpj_raiz AND p.codigo = product_sequence
       ) AS isTaken`,
    );
    this.#isTaken = db
      .prepare<[string, number], 1>('SELECT 1 FROM product WHERE cpf_cnpj_raiz = ? AND codigo = ?')
      .pluck();
    this.#endOfRun = db
      .prepare<[string, number], number>(
        `SELECT p.codigo FROM product p WHERE p.cpf_cnpj_raiz = ? AND p.codigo >= ? AND NOT EXISTS (
           SELECT 1 FROM product q WHERE q.cpf_cnpj_raiz = p.cpf_cnpj_raiz AND q.codigo = p.codigo + 1
         ) ORDER BY p.codigo LIMIT 1`,
      )
      .pluck();
    this.#goOn = db.prepare<[number, string]>(
      'UPDATE company SET product_sequence = ? WHERE cpf_cnpj_raiz = ?',
    );
    this.#reserve = db.prepare<[{ codigo: number; cpfCnpjRaiz: string }]>(
      `UPDATE company SET product_sequence = max(product_sequence, @codigo)
       WHERE cpf_cnpj_raiz = @cpfCnpjRaiz AND @codigo - product_sequence <= ${LARGEST_LEAP}`,
    );
  }

  /**
   * The next code that no product has or ever had: products are never removed. After the last one the numbers go on with
   * those that a moved catalogue left out; `undefined` when there are none.
   */
  next(cpfCnpjRaiz: string): number | undefined {
    const next = this.#next.get(cpfCnpjRaiz);
    if (next === undefined) throw new Error('A company without a record has no codes.');
    if (next.codigo <= this.#max && next.isTaken === 0) return next.codigo;
    const free = this.#firstFree(cpfCnpjRaiz, next.codigo) ?? this.#firstFree(cpfCnpjRaiz, 1);
    if (free !== undefined) this.#goOn.run(free, cpfCnpjRaiz);
    return free;
  }

  /** Lets numbers go on after a code that came from elsewhere, unless it lies so far off that they would run out. */
  reserve(cpfCnpjRaiz: string, codigo: number): void {
    this.#reserve.run({ codigo, cpfCnpjRaiz });
  }

  #firstFree(cpfCnpjRaiz: string, from: number): number | undefined {
    const isTaken = this.#isTaken.get(cpfCnpjRaiz, from) !== undefined;
    const free = isTaken ? (this.#endOfRun.get(cpfCnpjRaiz, from) as number) + 1 : from;
    return free <= this.#max ? free : undefined;
  }
}
