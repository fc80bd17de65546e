/** Reads the failure records. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import { entitled } from '../entitled-store.ts';
import type { DeliveryFailure } from '../model.ts';

export interface Span {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** The position of a failure in the order of a list. */
export type FailurePosition = Pick<DeliveryFailure, 'failedAt' | 'id'>;

/** Exported for the test that checks its index. */
export const QUERY = `SELECT id, failed_at AS failedAt, descricao, evento, conteudo FROM delivery_failure
  WHERE documento = ? AND failed_at >= ? AND failed_at < ? AND (failed_at, id) > (?, ?)
    AND ${entitled('delivery_failure.company', 'delivery_failure.documento')}
  ORDER BY failed_at, id LIMIT ?`;

export class FailureStore extends Store {
  readonly #ofUser = this.many<[string, number, number, number, number, number], DeliveryFailure>(QUERY);

  /**
   * Returns at most `limit` of a user's failures in the time span, oldest first, that follow the position
   * `after`.
   */
  listOf(documento: string, { from, until }: Span, after: FailurePosition, limit: number): DeliveryFailure[] {
    return this.#ofUser(documento, from, until, after.failedAt, after.id, limit);
  }
}
