/**
 * Stores signatures of product names, a few bytes per product: written with each product, queried by
 * text-list-query.ts.
 */
import { FolderMarks } from '../../db/folder-mark.ts';
import { Store } from '../../db/prepared.ts';
import { folded } from '../../validation/text.ts';
import { signatureOf } from '../../validation/trigrams.ts';
import { numberInCompany } from '../versioned/model.ts';

/** Texts that a word search covers (word-list-query.ts). */
interface Names {
  readonly denominacaoFolded: string;
  readonly codigosInterno: string | null;
  readonly ncm: string | null;
}

/** Products that get their signatures in one transaction: some ms. */
const FILLED_AT_A_TIME = 500;

/** Mark that every product has a signature. */
const SIGNED = 'signed';

export class SignatureStore extends Store {
  readonly #put = this.runs<[number, bigint, bigint]>(
    'INSERT OR REPLACE INTO product_signature (product_id, low, high) VALUES (?, ?, ?)',
  );
  readonly #unsigned = this.many<[number, number], Names & { readonly id: number }>(
    `SELECT p.id, p.denominacao_folded AS denominacaoFolded, p.codigos_interno AS codigosInterno, p.ncm
     FROM product_signature s CROSS JOIN product p ON p.id = s.product_id
     WHERE s.product_id > ? AND s.low = -1 AND s.high = -1 ORDER BY s.product_id LIMIT ?`,
  );
  readonly #marks = new FolderMarks(this.db);

  put(id: number, { denominacaoFolded, codigosInterno, ncm }: Names): void {
    const texts = [denominacaoFolded, folded(codigosInterno ?? ''), ncm ?? '', String(numberInCompany(id))];
    const { low, high } = signatureOf(texts);
    this.#put(id, low, high);
  }

  get hasAll(): boolean {
    return this.#marks.find(SIGNED) !== undefined;
  }

  /** Adds signatures to some products after `after`; returns the last one, `undefined` when all have one. */
  fill(after: number): number | undefined {
    const products = this.#unsigned(after, FILLED_AT_A_TIME);
    for (const product of products) this.put(product.id, product);
    if (products.length === 0) this.#marks.put(SIGNED, 'true');
    return products.at(-1)?.id;
  }
}
