/** Failure records on disk, for those who read them. */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { DeliveryFailure } from './model.ts';

export class FailureStore {
  readonly #ofUser;

  constructor(db: Db) {
    this.#ofUser = db.prepare<[string, number, number], DeliveryFailure>(
      `SELECT id, failed_at AS failedAt, descricao, evento, conteudo FROM delivery_failure
       WHERE documento = ? AND failed_at >= ? AND failed_at < ? ORDER BY failed_at, id`,
    );
  }

  /** A user's failures from one instant until before another, oldest first. */
  listOf(documento: string, from: EpochMs, until: EpochMs): DeliveryFailure[] {
    return this.#ofUser.all(documento, from, until);
  }
}
