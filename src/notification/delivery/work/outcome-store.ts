/**
 * Writes the results of an attempt: the attempt, its failure record, the state of delivery and subscription.
 */
import { type EpochMs, HOUR_MS } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import type { AttemptRow, DeliveryFailure } from '../../model.ts';

export interface PendingDelivery {
  readonly attemptCount: number;
  /** True when a replay is requested. */
  readonly replay: boolean;
  /** The planned time of the repeat that the replay precedes. */
  readonly resumeAt: EpochMs | null;
}

interface DeliveryRow {
  readonly state: string;
  readonly attemptCount: number;
  readonly replay: 0 | 1;
  readonly resumeAt: EpochMs | null;
}

type EndState = 'delivered' | 'failed' | 'cancelled';
type FailureRow = Omit<DeliveryFailure, 'id'> & {
  readonly deliveryId: number;
  readonly subscriptionId: number;
};

export interface NextStep {
  readonly attemptCount: number;
  readonly nextAttemptAt: EpochMs;
  readonly replay: boolean;
  readonly resumeAt: EpochMs | null;
}

export class OutcomeStore extends Store {
  readonly #find = this.one<[number], DeliveryRow>(
    'SELECT state, attempt_count AS attemptCount, replay, resume_at AS resumeAt FROM delivery WHERE id = ?',
  );
  readonly #insertAttempt = this.runs<[AttemptRow]>(
    `INSERT INTO delivery_attempt (delivery_id, at, outcome, phase, status, ms, description, answer)
     VALUES (@deliveryId, @at, @outcome, @phase, @status, @ms, @description, @answer)`,
  );
  readonly #countAttempt = this.runs<[object]>(
    `INSERT INTO delivery_hour (hour, subscription_id, company, delivered, failed)
     SELECT @hour, d.subscription_id, coalesce(e.company, ''), @delivered, 1 - @delivered
     FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.id = @deliveryId
     ON CONFLICT (hour, subscription_id, company)
       DO UPDATE SET delivered = delivered + excluded.delivered, failed = failed + excluded.failed`,
  );
  readonly insertFailure = this.runs<[row: FailureRow]>(
    `INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo, company)
     SELECT id, documento, @failedAt, @descricao, @evento, @conteudo,
       (SELECT e.company FROM delivery d JOIN event e ON e.id = d.event_id WHERE d.id = @deliveryId)
     FROM subscription WHERE id = @subscriptionId`,
  );
  readonly #finish = this.runs<[EndState, number, EpochMs, number]>(
    `UPDATE delivery SET state = ?, attempt_count = ?, finished_at = ?, next_attempt_at = NULL, replay = 0,
     resume_at = NULL
     WHERE id = ? AND state = 'pending'`,
  );
  readonly #continue = this.runs<[number, EpochMs, 0 | 1, EpochMs | null, number]>(
    `UPDATE delivery SET attempt_count = ?, next_attempt_at = ?, replay = ?, resume_at = ?
     WHERE id = ? AND state = 'pending'`,
  );
  /**
   * Records a success. `failing_since` describes the subscription's current endpoint, `last_success_at` any
   * endpoint.
   */
  readonly markSuccess = this.runs(
    `UPDATE subscription SET last_success_at = ?, failing_since = iif(endpoint = ?, NULL, failing_since)
     WHERE id = ? AND deleted_at IS NULL`,
    (subscriptionId: number, endpoint: string, at: EpochMs) => [at, endpoint, subscriptionId],
  );
  /** Returns the owner of an active subscription to that endpoint that does not fail yet. */
  readonly findOwnerOfSound = this.value<[subscriptionId: number, endpoint: string], string>(
    `SELECT documento FROM subscription
     WHERE id = ? AND endpoint = ? AND deleted_at IS NULL AND failing_since IS NULL`,
  );
  // A first failure in the future dates from before the clock was set back.
  readonly markFailure = this.runs(
    `UPDATE subscription SET last_failure_at = ?,
     failing_since = iif(endpoint = ?, min(coalesce(failing_since, ?), ?), failing_since)
     WHERE id = ? AND deleted_at IS NULL`,
    (subscriptionId: number, endpoint: string, at: EpochMs) => [at, endpoint, at, at, subscriptionId],
  );

  /**
   * Reads a delivery that is still pending. Returns `ended` when it was cancelled meanwhile, `undefined` when
   * it does not exist: its age, or the reset of a development instance, may have removed it.
   */
  find(deliveryId: number): PendingDelivery | 'ended' | undefined {
    const row = this.#find(deliveryId);
    if (row === undefined) return undefined;
    const { state, attemptCount, replay, resumeAt } = row;
    return state === 'pending' ? { attemptCount, replay: replay === 1, resumeAt } : 'ended';
  }

  /** Inserts the attempt, and counts it in its hour. */
  insertAttempt(row: AttemptRow): void {
    this.#insertAttempt(row);
    const { deliveryId, at, outcome } = row;
    const hour = Math.floor(at / HOUR_MS);
    this.#countAttempt({ deliveryId, hour, delivered: outcome === 'delivered' ? 1 : 0 });
  }

  finish(deliveryId: number, state: EndState, attemptCount: number, at: EpochMs): void {
    this.#finish(state, attemptCount, at, deliveryId);
  }

  continue(deliveryId: number, { attemptCount, nextAttemptAt, replay, resumeAt }: NextStep): void {
    this.#continue(attemptCount, nextAttemptAt, replay ? 1 : 0, resumeAt, deliveryId);
  }
}
