/** Stores concession acts. The list has its own reader (list-query.ts). */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { ConcessionAct } from './model.ts';

export class ConcessionActStore extends Store {
  readonly #insertNew = this.changes<[number, string, string, EpochMs]>(
    `INSERT INTO concession_act (product_id, numero_ato, numero_item, included_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );

  /** Writes an act; returns true if it is new. */
  insertNew(
    productId: number,
    { numeroAto, numeroItem }: Omit<ConcessionAct, 'codigoProduto'>,
    includedAt: EpochMs,
  ): boolean {
    return this.#insertNew(productId, numeroAto, numeroItem, includedAt) === 1;
  }
}
