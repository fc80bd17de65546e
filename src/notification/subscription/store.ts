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
  /** Inserts a subscription without secrets. Returns its id, which is never reused. */
  insert(documento: string, { evento, endpoint }: Target, registeredAt: EpochMs): number {
    const inserted = this.db
      .prepare('INSERT INTO subscription (documento, evento, endpoint, registered_at) VALUES (?, ?, ?, ?)')
      .run(documento, evento, endpoint, registeredAt);
    return Number(inserted.lastInsertRowid);
  }

  /** Returns the active subscription with that id; `undefined`: none, or another user's. */
  findActive(id: number, documento: string): StoredSubscription | undefined {
    return this.db
      .prepare<[number, string], StoredSubscription>(
        `SELECT ${COLUMNS} FROM subscription WHERE id = ? AND documento = ? AND deleted_at IS NULL`,
      )
      .get(id, documento);
  }

  /** Returns event and endpoint of any subscription, deleted ones too. */
  findTarget(id: number): Target | undefined {
    return this.db
      .prepare<[number], Target>('SELECT evento, endpoint FROM subscription WHERE id = ?')
      .get(id);
  }

  /** Returns the id of a user's active subscription to an event. */
  findActiveId(documento: string, evento: string): number | undefined {
    return this.db
      .prepare<[string, string], number>(
        'SELECT id FROM subscription WHERE evento = ? AND documento = ? AND deleted_at IS NULL',
      )
      .pluck()
      .get(evento, documento);
  }

  listOf(documento: string, includeDeleted: boolean): StoredSubscription[] {
    return this.db
      .prepare<[string], StoredSubscription>(
        `SELECT ${COLUMNS} FROM subscription
         WHERE documento = ? ${includeDeleted ? '' : 'AND deleted_at IS NULL'} ORDER BY id`,
      )
      .all(documento);
  }

  putTarget(id: number, { evento, endpoint }: Target): void {
    this.db
      .prepare('UPDATE subscription SET evento = ?, endpoint = ? WHERE id = ?')
      .run(evento, endpoint, id);
  }

  putSecret(id: number, member: keyof typeof SECRET_COLUMN, sealed: Uint8Array | null): void {
    this.db.prepare(`UPDATE subscription SET ${SECRET_COLUMN[member]} = ? WHERE id = ?`).run(sealed, id);
  }

  /** Returns the active subscriptions that have a secret, in the order of their ids. */
  listWithSecrets(): (Target & { readonly id: number; readonly documento: string })[] {
    return this.db
      .prepare<[], Target & { readonly id: number; readonly documento: string }>(
        `SELECT id, documento, evento, endpoint FROM subscription
         WHERE deleted_at IS NULL AND coalesce(chave_secreta, chave_autenticacao) IS NOT NULL ORDER BY id`,
      )
      .all();
  }

  /** Removes all secrets: without their key they are useless. */
  emptySecrets(): void {
    this.db.prepare('UPDATE subscription SET chave_secreta = NULL, chave_autenticacao = NULL').run();
  }

  /** Resets the failure state, because a new endpoint has never failed. */
  forgetFailing(id: number): void {
    this.db
      .prepare('UPDATE subscription SET failing_since = NULL, last_failure_at = NULL WHERE id = ?')
      .run(id);
  }

  /** Deletes a subscription. Its pending deliveries must be cancelled afterwards (`cancelSome`). */
  end(id: number, deletedAt: EpochMs, motivoExclusao: string): void {
    this.db
      .prepare(
        `UPDATE subscription SET deleted_at = ?, motivo_exclusao = ?, cancelling = 1
         WHERE id = ? AND deleted_at IS NULL`,
      )
      .run(deletedAt, motivoExclusao, id);
  }

  /** Returns a deleted subscription that may still have pending deliveries. */
  findCancelling(): number | undefined {
    return this.db
      .prepare<[], number>('SELECT id FROM subscription WHERE cancelling = 1 LIMIT 1')
      .pluck()
      .get();
  }

  /** Cancels at most `limit` pending deliveries of a deleted subscription. Returns their number. */
  cancelSome(id: number, now: EpochMs, limit: number): number {
    const first = this.db.prepare(cancel(FIRST)).run(now, id, limit).changes;
    return first + this.db.prepare(cancel(REPEAT)).run(now, id, limit - first).changes;
  }

  /** Records that no delivery of it is pending any more. */
  markCancelled(id: number): void {
    this.db.prepare('UPDATE subscription SET cancelling = 0 WHERE id = ?').run(id);
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
