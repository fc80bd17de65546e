/** Store of the connections to remotes and of the counted requests. */
import { DAY_MS, type EpochMs, HOUR_MS } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { Connection, Rest, WireOperation } from './model.ts';

/** A stored connection, with the secret sealed. */
export interface StoredConnection extends Omit<Connection, 'secret'> {
  readonly secret: Uint8Array | null;
}

interface ConnectionRow extends Omit<StoredConnection, 'otherEnvironment'> {
  readonly otherEnvironment: 0 | 1;
}

interface RestRow extends Pick<Rest, 'until' | 'reason'> {
  readonly operation: WireOperation | typeof ALL;
}

/** The longest rest ends with the day. A longer one of an older version is ignored. */
const LONGEST_REST_MS = DAY_MS + HOUR_MS;

/** Stands for all operations. */
const ALL = '*';

export class ConnectionStore extends Store {
  readonly find = this.one<[remoteId: number], StoredConnection>(
    `SELECT url, perfil, client_id AS clientId, secret, ca, per_hour AS perHour, downtime,
       other_environment AS otherEnvironment FROM remote_way WHERE remote_id = ?`,
    connectionOfRow,
  );
  readonly #put = this.runs(
    `INSERT INTO remote_way (remote_id, url, perfil, client_id, secret, ca, per_hour, downtime, other_environment)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET url = excluded.url, perfil = excluded.perfil, client_id = excluded.client_id,
       secret = excluded.secret, ca = excluded.ca, per_hour = excluded.per_hour, downtime = excluded.downtime,
       other_environment = excluded.other_environment`,
  );
  readonly #delete = this.runs<[number]>('DELETE FROM remote_way WHERE remote_id = ?');
  readonly #deleteUse = this.runs<[number]>('DELETE FROM remote_use WHERE remote_id = ?');
  /** Returns the names of remotes that have a secret. */
  readonly listWithSecrets = this.values<[], string>(
    'SELECT r.name FROM remote_way w JOIN remote r ON r.id = w.remote_id WHERE w.secret IS NOT NULL ORDER BY r.name',
  );
  readonly emptySecrets = this.runs<[]>('UPDATE remote_way SET secret = NULL');
  readonly signedInAt = this.value<[remoteId: number], EpochMs>(
    'SELECT signed_in_at FROM remote_way WHERE remote_id = ?',
  );
  readonly putSignedIn = this.runs(
    'UPDATE remote_way SET signed_in_at = ? WHERE remote_id = ?',
    (remoteId: number, at: EpochMs) => [at, remoteId],
  );
  /** Returns the number of requests of an operation in a clock hour. */
  readonly used = this.number<[remoteId: number, WireOperation, hour: number]>(
    'SELECT count FROM remote_use WHERE remote_id = ? AND operation = ? AND hour = ?',
  );
  readonly count = this.runs<[remoteId: number, WireOperation, hour: number]>(
    `INSERT INTO remote_use (remote_id, operation, hour, count) VALUES (?, ?, ?, 1)
     ON CONFLICT DO UPDATE SET count = iif(hour = excluded.hour, count + 1, 1), hour = excluded.hour`,
  );
  readonly #rest = this.one<[number, WireOperation, EpochMs, EpochMs], Rest>(
    `SELECT operation, rests_until AS until, reason FROM remote_use
     WHERE remote_id = ? AND operation IN ('${ALL}', ?) AND rests_until > ? AND rests_until < ? ORDER BY rests_until DESC LIMIT 1`,
    toRest,
  );
  readonly #putRest = this.runs(
    `INSERT INTO remote_use (remote_id, operation, hour, count, rests_until, reason) VALUES (?, ?, 0, 0, ?, ?)
     ON CONFLICT DO UPDATE SET rests_until = excluded.rests_until, reason = excluded.reason`,
  );

  /** Stores a connection. Keeps the data of the last sign-in. */
  put(remoteId: number, connection: StoredConnection): void {
    const { url, perfil, clientId, secret, ca, perHour, downtime, otherEnvironment } = connection;
    this.#put(remoteId, url, perfil, clientId, secret, ca, perHour, downtime, otherEnvironment ? 1 : 0);
  }

  delete(remoteId: number): void {
    this.#delete(remoteId);
    this.#deleteUse(remoteId);
  }

  /** Returns the longest rest of the operation or of all operations. `undefined`: none. */
  restOf(remoteId: number, operation: WireOperation, now: EpochMs): Rest | undefined {
    return this.#rest(remoteId, operation, now, now + LONGEST_REST_MS);
  }

  putRest(remoteId: number, { operation, until, reason }: Rest): void {
    this.#putRest(remoteId, operation === 'all' ? ALL : operation, until, reason);
  }
}

function connectionOfRow({ otherEnvironment, ...row }: ConnectionRow): StoredConnection {
  return { ...row, otherEnvironment: otherEnvironment === 1 };
}

function toRest({ operation, ...row }: RestRow): Rest {
  return { kind: 'rest', operation: operation === ALL ? 'all' : operation, ...row };
}
