/** Concession acts on disk, and what their rule needs to know of products. The list has a reader of its own (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Situacao } from '../product/model.ts';
import type { ConcessionAct } from './model.ts';

export class ConcessionActStore {
  readonly #productSituacao;
  readonly #insertNew;

  constructor(db: Db) {
    this.#productSituacao = db
      .prepare<[string, number], Situacao>(
        'SELECT situacao FROM product WHERE cpf_cnpj_raiz = ? AND codigo = ?',
      )
      .pluck();
    this.#insertNew = db.prepare<[string, number, string, string, EpochMs]>(
      `INSERT INTO concession_act (cpf_cnpj_raiz, codigo_produto, numero_ato, numero_item, included_at)
       VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
  }

  /** The situation of a product; absent where there is no such product. */
  findProductSituacao(cpfCnpjRaiz: string, codigoProduto: number): Situacao | undefined {
    return this.#productSituacao.get(cpfCnpjRaiz, codigoProduto);
  }

  /** Writes an act; returns whether it is new. */
  insertNew(cpfCnpjRaiz: string, act: ConcessionAct, includedAt: EpochMs): boolean {
    const { codigoProduto, numeroAto, numeroItem } = act;
    return this.#insertNew.run(cpfCnpjRaiz, codigoProduto, numeroAto, numeroItem, includedAt).changes === 1;
  }
}
