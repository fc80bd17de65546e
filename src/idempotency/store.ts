/** Stores requests with an `Idempotency-Key` in table `idempotent_order`. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';

export interface FirstRequest {
  /** The SHA-256 of the operation and its request, in hex. */
  readonly fingerprint: string;
  /** The id of the work that the request started. */
  readonly answer: number;
}

/** The maximum of rows that one request removes, so that its transaction stays short. */
const DELETED_AT_ONCE = 100;

export class IdempotencyStore extends Store {
  /** Returns the request of the key if it is newer than `after`. */
  readonly find = this.one<[documento: string, key: string, after: EpochMs], FirstRequest>(
    'SELECT fingerprint, answer FROM idempotent_order WHERE documento = ? AND key = ? AND at > ?',
  );
  readonly #put = this.runs<[string, string, string, number, EpochMs]>(
    `INSERT INTO idempotent_order (documento, key, fingerprint, answer, at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET fingerprint = excluded.fingerprint, answer = excluded.answer, at = excluded.at`,
  );
  /** Removes up to `DELETED_AT_ONCE` requests from `until` or before. */
  readonly deleteOld = this.runs(
    `DELETE FROM idempotent_order WHERE (documento, key) IN (
       SELECT documento, key FROM idempotent_order WHERE at <= ? LIMIT ?)`,
    (until: EpochMs) => [until, DELETED_AT_ONCE],
  );

  put(documento: string, key: string, { fingerprint, answer }: FirstRequest, at: EpochMs): void {
    this.#put(documento, key, fingerprint, answer, at);
  }
}
