/** Stores links. The export has its own reader (list-query.ts). */
import type { Day, EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import { numberInCompany } from '../versioned/model.ts';
import type { ManufacturerLink } from './model.ts';

export class LinkStore extends Store {
  readonly #find = this.value<[number, number, string, string, string], number>(
    `SELECT id FROM manufacturer_link WHERE product_id = ? AND conhecido = ?
       AND codigo_pais = ? AND ifnull(codigo_operador, '') = ? AND ifnull(cpf_cnpj_fabricante, '') = ?
       AND unlinked_at IS NULL`,
  );
  readonly #activeProductsOf = this.values<[string, string, number], number>(
    `SELECT DISTINCT p.id FROM manufacturer_link l JOIN product p ON p.id = l.product_id
       WHERE l.codigo_operador IN (SELECT value FROM json_each(?)) AND l.unlinked_at IS NULL
         AND p.company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?) AND p.situacao = 'ATIVADO'
       ORDER BY p.id LIMIT ?`,
  );
  readonly #insert = this.runs(
    `INSERT INTO manufacturer_link (product_id, conhecido, codigo_pais, codigo_operador, cpf_cnpj_fabricante,
     starts_on, linked_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  /** Ends a link; `endsOn` is the first day without it. */
  readonly end = this.runs(
    'UPDATE manufacturer_link SET ends_on = ?, unlinked_at = ? WHERE id = ?',
    (id: number, endsOn: Day, unlinkedAt: EpochMs) => [endsOn, unlinkedAt, id],
  );

  /** Returns the id of that link, if it is in force. */
  find(productId: number, link: ManufacturerLink): number | undefined {
    return this.#find(
      productId,
      Number(link.conhecido),
      link.codigoPais,
      link.codigoOperadorEstrangeiro ?? '',
      link.cpfCnpjFabricante ?? '',
    );
  }

  /** Returns the codes of active products that have a link to one of these operators. */
  activeProductsOf(cpfCnpjRaiz: string, operators: readonly string[], limit: number): number[] {
    return this.#activeProductsOf(JSON.stringify(operators), cpfCnpjRaiz, limit).map(numberInCompany);
  }

  insert(productId: number, link: ManufacturerLink, startsOn: Day, linkedAt: EpochMs): void {
    this.#insert(
      productId,
      Number(link.conhecido),
      link.codigoPais,
      link.codigoOperadorEstrangeiro,
      link.cpfCnpjFabricante,
      startsOn,
      linkedAt,
    );
  }
}
