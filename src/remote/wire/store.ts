/** Store of the connections to remotes and of the counted requests. */
import { DAY_MS, type EpochMs, HOUR_MS } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { Rest, Way, WireOperation } from './model.ts';

/** A stored connection, with the secret sealed. */
export interface StoredWay extends Omit<Way, 'secret'> {
  readonly secret: Uint8Array | null;
}

interface WayRow extends Omit<StoredWay, 'otherEnvironment'> {
  readonly otherEnvironment: 0 | 1;
}

/** The longest rest ends with the day. A longer one of an older version is ignored. */
const LONGEST_REST_MS = DAY_MS + HOUR_MS;

/** Stands for all operations. */
const ALL = '*';

export class WayStore extends Store {
  readonly #find = this.db.prepare<[number], WayRow>(
    `SELECT url, perfil, client_id AS clientId, secret, ca, per_hour AS perHour, downtime,
       other_environment AS otherEnvironment FROM remote_way WHERE remote_id = ?`,
  );
  readonly #used = this.db
    .prepare<[number, string, number], number>(
      'SELECT count FROM remote_use WHERE remote_id = ? AND operation = ? AND hour = ?',
    )
    .pluck();
  readonly #count = this.db.prepare(
    `INSERT INTO remote_use (remote_id, operation, hour, count) VALUES (?, ?, ?, 1)
       ON CONFLICT DO UPDATE SET count = iif(hour = excluded.hour, count + 1, 1), hour = excluded.hour`,
  );
  readonly #rest = this.db.prepare<
    [number, string, EpochMs, EpochMs],
    { operation: string; until: EpochMs; reason: string }
  >(
    `SELECT operation, rests_until AS until, reason FROM remote_use
       WHERE remote_id = ? AND operation IN ('${ALL}', ?) AND rests_until > ? AND rests_until < ? ORDER BY rests_until DESC LIMIT 1`,
  );

  find(remoteId: number): StoredWay | undefined {
    const row = this.#find.get(remoteId);
    return row && { ...row, otherEnvironment: row.otherEnvironment === 1 };
  }

  /** Stores a connection. Keeps the data of the last sign-in. */
  put(remoteId: number, way: StoredWay): void {
    const { url, perfil, clientId, secret, ca, perHour, downtime, otherEnvironment } = way;
    this.db
      .prepare(
        `INSERT INTO remote_way (remote_id, url, perfil, client_id, secret, ca, per_hour, downtime, other_environment)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET url = excluded.url, perfil = excluded.perfil, client_id = excluded.client_id,
             secret = excluded.secret, ca = excluded.ca, per_hour = excluded.per_hour, downtime = excluded.downtime,
             other_environment = excluded.other_environment`,
      )
      .run(remoteId, url, perfil, clientId, secret, ca, perHour, downtime, otherEnvironment ? 1 : 0);
  }

  delete(remoteId: number): void {
    this.db.prepare('DELETE FROM remote_way WHERE remote_id = ?').run(remoteId);
    this.db.prepare('DELETE FROM remote_use WHERE remote_id = ?').run(remoteId);
  }

  /** Returns the names of remotes that have a secret. */
  listWithSecrets(): string[] {
    return this.db
      .prepare<[], string>(
        'SELECT r.name FROM remote_way w JOIN remote r ON r.id = w.remote_id WHERE w.secret IS NOT NULL ORDER BY r.name',
      )
      .pluck()
      .all();
  }

  emptySecrets(): void {
    this.db.prepare('UPDATE remote_way SET secret = NULL').run();
  }

  signedInAt(remoteId: number): EpochMs | undefined {
    return (
      this.db
        .prepare<[number], EpochMs | null>('SELECT signed_in_at FROM remote_way WHERE remote_id = ?')
        .pluck()
        .get(remoteId) ?? undefined
    );
  }

  putSignedIn(remoteId: number, at: EpochMs): void {
    this.db.prepare('UPDATE remote_way SET signed_in_at = ? WHERE remote_id = ?').run(at, remoteId);
  }

  /** Returns the number of requests of an operation in a clock hour. */
  used(remoteId: number, operation: WireOperation, hour: number): number {
    return this.#used.get(remoteId, operation, hour) ?? 0;
  }

  count(remoteId: number, operation: WireOperation, hour: number): void {
    this.#count.run(remoteId, operation, hour);
  }

  /** Returns the longest rest of the operation or of all operations. `undefined`: none. */
  restOf(remoteId: number, operation: WireOperation, now: EpochMs): Rest | undefined {
    const row = this.#rest.get(remoteId, operation, now, now + LONGEST_REST_MS);
    if (row === undefined) return undefined;
    return {
      is: 'rest',
      until: row.until,
      of: row.operation === ALL ? 'all' : operation,
      reason: row.reason,
    };
  }

  putRest(remoteId: number, { of, until, reason }: Rest): void {
    this.db
      .prepare(
        `INSERT INTO remote_use (remote_id, operation, hour, count, rests_until, reason) VALUES (?, ?, 0, 0, ?, ?)
           ON CONFLICT DO UPDATE SET rests_until = excluded.rests_until, reason = excluded.reason`,
      )
      .run(remoteId, of === 'all' ? ALL : of, until, reason);
  }
}
