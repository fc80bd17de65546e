/** Failure records on disk, for those who read them. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { DeliveryFailure } from '../model.ts';

export interface Span {
  readonly from: EpochMs;
  readonly until: EpochMs;
}

/** Where in the order of a list a failure stands. */
export type FailurePosition = Pick<DeliveryFailure, 'failedAt' | 'id'>;

/** A test holds it to its index. */
export const QUERY = `SELECT id, failed_at AS failedAt, descricao, evento, conteudo FROM delivery_failure
  WHERE documento = ? AND failed_at >= ? AND failed_at < ? AND (failed_at, id) > (?, ?)
  ORDER BY failed_at, id LIMIT ?`;

export class FailureStore extends Store {
  readonly #ofUser = this.db.prepare<[string, number, number, number, number, number], DeliveryFailure>(
    QUERY,
  );

  /** A user's failures from one instant until before another, oldest first, after one of them: at most `limit`. */
  listOf(documento: string, { from, until }: Span, after: FailurePosition, limit: number): DeliveryFailure[] {
    return this.#ofUser.all(documento, from, until, after.failedAt, after.id, limit);
  }
}
