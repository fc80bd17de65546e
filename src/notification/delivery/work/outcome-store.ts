/** What an attempt leaves behind: the attempt itself, its failure record, the state of delivery and subscription. */
import type { EpochMs } from '../../../clock.ts';
import type { Db } from '../../../db/open.ts';

export interface PendingDelivery {
  readonly attemptCount: number;
  /** Whether a replay is asked for. */
  readonly replay: boolean;
  /** The planned repeat that the replay came before. */
  readonly resumeAt: EpochMs | null;
}

interface PendingRow {
  readonly attemptCount: number;
  readonly replay: 0 | 1;
  readonly resumeAt: EpochMs | null;
}

export interface AttemptRow {
  readonly deliveryId: number;
  /** When it began. */
  readonly at: EpochMs;
  readonly outcome: string;
  readonly status: number | null;
  readonly ms: number;
  readonly description: string;
}

export interface FailureRow {
  readonly subscriptionId: number;
  readonly failedAt: EpochMs;
  readonly descricao: string;
  readonly evento: string;
  readonly conteudo: string;
}

export interface NextStep {
  readonly attemptCount: number;
  readonly nextAttemptAt: EpochMs;
  readonly replay: boolean;
  readonly resumeAt: EpochMs | null;
}

export class OutcomeStore {
  readonly #exists;
  readonly #pending;
  readonly #insertAttempt;
  readonly #insertFailure;
  readonly #finish;
  readonly #continue;
  readonly #succeeded;
  readonly #recovered;
  readonly #failed;
  readonly #failing;

  constructor(db: Db) {
    this.#exists = db.prepare<[number], number>('SELECT 1 FROM delivery WHERE id = ?').pluck();
    this.#pending = db.prepare<[number], PendingRow>(
      `SELECT attempt_count AS attemptCount, replay, resume_at AS resumeAt
       FROM delivery WHERE id = ? AND state = 'pending'`,
    );
    this.#insertAttempt = db.prepare<[AttemptRow]>(
      `INSERT INTO delivery_attempt (delivery_id, at, outcome, status, ms, description)
       VALUES (@deliveryId, @at, @outcome, @status, @ms, @description)`,
    );
    this.#insertFailure = db.prepare<[FailureRow]>(
      `INSERT INTO delivery_failure (subscription_id, documento, failed_at, descricao, evento, conteudo)
       SELECT id, documento, @failedAt, @descricao, @evento, @conteudo FROM subscription WHERE id = @subscriptionId`,
    );
    this.#finish = db.prepare<['delivered' | 'failed', number, EpochMs, number]>(
      `UPDATE delivery SET state = ?, attempt_count = ?, finished_at = ?, next_attempt_at = NULL, replay = 0,
         resume_at = NULL
       WHERE id = ? AND state = 'pending'`,
    );
    this.#continue = db.prepare<[number, EpochMs, 0 | 1, EpochMs | null, number]>(
      `UPDATE delivery SET attempt_count = ?, next_attempt_at = ?, replay = ?, resume_at = ?
       WHERE id = ? AND state = 'pending'`,
    );
    this.#succeeded = db.prepare<[EpochMs, number]>(
      'UPDATE subscription SET last_success_at = ? WHERE id = ? AND deleted_at IS NULL',
    );
    this.#recovered = db.prepare<[number, string]>(
      'UPDATE subscription SET failing_since = NULL WHERE id = ? AND endpoint = ? AND deleted_at IS NULL',
    );
    this.#failed = db.prepare<[EpochMs, number]>(
      'UPDATE subscription SET last_failure_at = ? WHERE id = ? AND deleted_at IS NULL',
    );
    // A first failure in the future is from before the clock was put back.
    this.#failing = db.prepare<[EpochMs, EpochMs, number, string]>(
      `UPDATE subscription SET failing_since = min(coalesce(failing_since, ?), ?)
       WHERE id = ? AND endpoint = ? AND deleted_at IS NULL`,
    );
  }

  /** Whether the delivery is there at all; its age, or the reset of a development instance, may have removed it. */
  exists(deliveryId: number): boolean {
    return this.#exists.get(deliveryId) !== undefined;
  }

  /** `undefined` when the delivery was cancelled meanwhile. */
  findPending(deliveryId: number): PendingDelivery | undefined {
    const row = this.#pending.get(deliveryId);
    return row && { ...row, replay: row.replay === 1 };
  }

  insertAttempt(row: AttemptRow): void {
    this.#insertAttempt.run(row);
  }

  insertFailure(row: FailureRow): void {
    this.#insertFailure.run(row);
  }

  finish(deliveryId: number, state: 'delivered' | 'failed', attemptCount: number, at: EpochMs): void {
    this.#finish.run(state, attemptCount, at, deliveryId);
  }

  continue(deliveryId: number, { attemptCount, nextAttemptAt, replay, resumeAt }: NextStep): void {
    this.#continue.run(attemptCount, nextAttemptAt, replay ? 1 : 0, resumeAt, deliveryId);
  }

  /** `failing_since` speaks of the endpoint that the subscription has now, `last_success_at` of any. */
  markSuccess(subscriptionId: number, endpoint: string, at: EpochMs): void {
    this.#succeeded.run(at, subscriptionId);
    this.#recovered.run(subscriptionId, endpoint);
  }

  markFailure(subscriptionId: number, endpoint: string, at: EpochMs): void {
    this.#failed.run(at, subscriptionId);
    this.#failing.run(at, at, subscriptionId, endpoint);
  }
}
