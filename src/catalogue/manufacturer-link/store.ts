/** Links on disk, and what their rules need to know of products and operators. The export has a reader of its own (list-query.ts). */
import type { Day, EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { Situacao } from '../product/model.ts';
import type { ManufacturerLink } from './model.ts';

export interface LinkedProduct {
  readonly id: number;
  readonly situacao: Situacao;
}

export interface LinkedOperator {
  readonly codigoPais: string;
  readonly situacao: 'ATIVADO' | 'DESATIVADO';
}

export class LinkStore {
  readonly #findProduct;
  readonly #findOperator;
  readonly #find;
  readonly #insert;
  readonly #end;

  constructor(db: Db) {
    this.#findProduct = db.prepare<[string, number], LinkedProduct>(
      'SELECT id, situacao FROM product WHERE cpf_cnpj_raiz = ? AND codigo = ?',
    );
    this.#findOperator = db.prepare<[string, string], LinkedOperator>(
      `SELECT codigo_pais AS codigoPais, situacao FROM foreign_operator WHERE cpf_cnpj_raiz = ? AND codigo = ?`,
    );
    this.#find = db
      .prepare<[string, number, number, string, string, string], number>(
        `SELECT id FROM manufacturer_link WHERE cpf_cnpj_raiz = ? AND codigo_produto = ? AND conhecido = ?
           AND codigo_pais = ? AND ifnull(codigo_operador, '') = ? AND ifnull(cpf_cnpj_fabricante, '') = ?
           AND unlinked_at IS NULL`,
      )
      .pluck();
    this.#insert = db.prepare(
      `INSERT INTO manufacturer_link (cpf_cnpj_raiz, product_id, codigo_produto, conhecido, codigo_pais, codigo_operador,
         cpf_cnpj_fabricante, starts_on, linked_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#end = db.prepare('UPDATE manufacturer_link SET ends_on = ?, unlinked_at = ? WHERE id = ?');
  }

  findProduct(cpfCnpjRaiz: string, codigoProduto: number): LinkedProduct | undefined {
    return this.#findProduct.get(cpfCnpjRaiz, codigoProduto);
  }

  findOperator(cpfCnpjRaiz: string, codigo: string): LinkedOperator | undefined {
    return this.#findOperator.get(cpfCnpjRaiz, codigo);
  }

  /** The id of that link, where it is in force. */
  find(cpfCnpjRaiz: string, link: ManufacturerLink): number | undefined {
    return this.#find.get(
      cpfCnpjRaiz,
      link.codigoProduto,
      Number(link.conhecido),
      link.codigoPais,
      link.codigoOperadorEstrangeiro ?? '',
      link.cpfCnpjFabricante ?? '',
    );
  }

  insert(
    cpfCnpjRaiz: string,
    productId: number,
    link: ManufacturerLink,
    startsOn: Day,
    linkedAt: EpochMs,
  ): void {
    this.#insert.run(
      cpfCnpjRaiz,
      productId,
      link.codigoProduto,
      Number(link.conhecido),
      link.codigoPais,
      link.codigoOperadorEstrangeiro,
      link.cpfCnpjFabricante,
      startsOn,
      linkedAt,
    );
  }

  /** Ends a link; `endsOn` is the first day without it. */
  end(id: number, endsOn: Day, unlinkedAt: EpochMs): void {
    this.#end.run(endsOn, unlinkedAt, id);
  }
}
