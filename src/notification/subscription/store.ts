/** Stores subscriptions. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { Subscription, Target } from './model.ts';

/** A stored subscription with sealed secrets. */
export interface StoredSubscription extends Subscription {
  readonly chaveSecreta: Uint8Array | null;
  readonly chaveAutenticacao: Uint8Array | null;
}

const COLUMNS = `id, documento, evento, endpoint, chave_secreta AS chaveSecreta,
  chave_autenticacao AS chaveAutenticacao, registered_at AS registeredAt, deleted_at AS deletedAt,
  motivo_exclusao AS motivoExclusao, last_success_at AS lastSuccessAt`;

const SECRET_COLUMN = { chaveSecreta: 'chave_secreta', chaveAutenticacao: 'chave_autenticacao' } as const;

export class SubscriptionStore extends Store {
  /** Returns the active subscription with that id; `undefined`: none, or another user's. */
  readonly findActive = this.one<[id: number, documento: string], StoredSubscription>(
    `SELECT ${COLUMNS} FROM subscription WHERE id = ? AND documento = ? AND deleted_at IS NULL`,
  );
  /** Returns event and endpoint of any subscription, deleted ones too. */
  readonly findTarget = this.one<[id: number], Target>(
    'SELECT evento, endpoint FROM subscription WHERE id = ?',
  );
  readonly putTarget = this.runs(
    'UPDATE subscription SET evento = ?, endpoint = ? WHERE id = ?',
    (id: number, { evento, endpoint }: Target) => [evento, endpoint, id],
  );
  /** Returns the active subscriptions that have a secret, in the order of their ids. */
  readonly listWithSecrets = this.many<[], Target & { readonly id: number; readonly documento: string }>(
    `SELECT id, documento, evento, endpoint FROM subscription
         WHERE deleted_at IS NULL AND coalesce(chave_secreta, chave_autenticacao) IS NOT NULL ORDER BY id`,
  );
  /** Removes all secrets: without their key they are useless. */
  readonly emptySecrets = this.runs<[]>(
    'UPDATE subscription SET chave_secreta = NULL, chave_autenticacao = NULL',
  );
  /** Resets the failure state, because a new endpoint has never failed. */
  readonly forgetFailing = this.runs<[id: number]>(
    'UPDATE subscription SET failing_since = NULL, last_failure_at = NULL WHERE id = ?',
  );
  /** Deletes a subscription. Its pending deliveries must be cancelled afterwards (`cancelSome`). */
  readonly end = this.runs(
    `UPDATE subscription SET deleted_at = ?, motivo_exclusao = ?, cancelling = 1
         WHERE id = ? AND deleted_at IS NULL`,
    (id: number, deletedAt: EpochMs, motivoExclusao: string) => [deletedAt, motivoExclusao, id],
  );
  /** Returns a deleted subscription that may still have pending deliveries. */
  readonly findCancelling = this.value<[], number>(
    'SELECT id FROM subscription WHERE cancelling = 1 LIMIT 1',
  );
  /** Records that no delivery of it is pending any more. */
  readonly markCancelled = this.runs<[id: number]>('UPDATE subscription SET cancelling = 0 WHERE id = ?');
  readonly #insert = this.inserts(
    'INSERT INTO subscription (documento, evento, endpoint, registered_at) VALUES (?, ?, ?, ?)',
  );
  /** Returns the id of a user's active subscription to an event. */
  readonly findActiveId = this.value<[documento: string, evento: string], number>(
    'SELECT id FROM subscription WHERE documento = ? AND evento = ? AND deleted_at IS NULL',
  );
  readonly #cancelFirst = this.changes(cancel(FIRST));
  readonly #cancelRepeats = this.changes(cancel(REPEAT));

  /** Inserts a subscription without secrets. Returns its id, which is never reused. */
  insert(documento: string, { evento, endpoint }: Target, registeredAt: EpochMs): number {
    return this.#insert(documento, evento, endpoint, registeredAt);
  }

  listOf(documento: string, includeDeleted: boolean): StoredSubscription[] {
    return this.db
      .prepare<[string], StoredSubscription>(
        `SELECT ${COLUMNS} FROM subscription
         WHERE documento = ? ${includeDeleted ? '' : 'AND deleted_at IS NULL'} ORDER BY id`,
      )
      .all(documento);
  }

  putSecret(id: number, member: keyof typeof SECRET_COLUMN, sealed: Uint8Array | null): void {
    this.db.prepare(`UPDATE subscription SET ${SECRET_COLUMN[member]} = ? WHERE id = ?`).run(sealed, id);
  }

  /** Cancels at most `limit` pending deliveries of a deleted subscription. Returns their number. */
  cancelSome(id: number, now: EpochMs, limit: number): number {
    const first = this.#cancelFirst(now, id, limit);
    return first + this.#cancelRepeats(now, id, limit - first);
  }
}

/**
 * Selects pending first attempts. A subscription may have a million deliveries in all: the query reads only
 * those from the oldest first attempt of all subscriptions on.
 */
const FIRST = `delivery INDEXED BY delivery_of_subscription
  WHERE subscription_id = ? AND state = 'pending' AND attempt_count = 0
    AND id >= (SELECT min(id) FROM delivery INDEXED BY delivery_first WHERE state = 'pending' AND attempt_count = 0)
  ORDER BY id DESC`;
const REPEAT = `delivery INDEXED BY delivery_repeat
  WHERE subscription_id = ? AND state = 'pending' AND attempt_count > 0`;

const cancel = (pending: string): string =>
  `UPDATE delivery SET state = 'cancelled', next_attempt_at = NULL, replay = 0, resume_at = NULL, finished_at = ?
   WHERE id IN (SELECT id FROM ${pending} LIMIT ?)`;
