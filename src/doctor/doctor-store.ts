/** Queries of the checks. */
import type { Day, EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';

/** Returns the latest time in the tables that can be searched in order. */
export function newestMoment(db: Db): EpochMs {
  const moments = [
    'SELECT max(applied_at) FROM migration',
    'SELECT max(registered_at) FROM subscription',
    'SELECT made_at FROM product ORDER BY id DESC LIMIT 1',
    'SELECT max(created_at) FROM access_key',
  ].map((sql) => db.prepare<[], number | null>(sql).pluck().get() ?? 0);
  return Math.max(...moments);
}

export interface TableInForce {
  readonly versao: string;
  readonly loadedAt: EpochMs;
}

/** Returns the attribute table in force on a day. `undefined`: none. */
export const tableInForce = (db: Db, day: Day): TableInForce | undefined =>
  db
    .prepare<[string], TableInForce>(
      `SELECT t.versao, t.loaded_at AS loadedAt FROM attribute_activation a JOIN attribute_table t ON t.id = a.table_id
       WHERE a.on_day <= ? AND a.cancelled_at IS NULL ORDER BY a.on_day DESC, a.id DESC LIMIT 1`,
    )
    .get(day);

/** Returns true when an attribute table ever got an activation. */
export const wasTableAskedFor = (db: Db, tableId: number): boolean =>
  db.prepare('SELECT 1 FROM attribute_activation WHERE table_id = ? LIMIT 1').get(tableId) !== undefined;

/** Returns the load time of the nomenclature in use. `undefined`: none. */
export const nomenclatureLoadedAt = (db: Db): EpochMs | undefined =>
  db.prepare<[], EpochMs>('SELECT loaded_at FROM nomenclature').pluck().get();

export interface EmailTrouble {
  readonly givenUp: number;
  /** `null`: none was given up. */
  readonly lastGivenUpAt: EpochMs | null;
  readonly reason: string | null;
  /** Messages whose last attempt failed. */
  readonly failing: number;
  readonly failingSince: EpochMs | null;
  readonly failingReason: string | null;
}

/** Returns the e-mails that were given up since a moment, and those that still wait after a failure. */
export const emailTrouble = (db: Db, since: EpochMs): EmailTrouble | undefined =>
  db
    .prepare<[object], EmailTrouble>(
      `SELECT lost.count AS givenUp, lost.at AS lastGivenUpAt, lost.reason, late.count AS failing,
         late.at AS failingSince, late.reason AS failingReason
       FROM (SELECT count(*) AS count, max(ended_at) AS at, reason FROM email
             WHERE state = 'failed' AND ended_at >= @since) lost,
         (SELECT count(*) AS count, min(first_attempt_at) AS at, reason FROM email
          WHERE state = 'pending' AND attempts > 0) late`,
    )
    .get({ since });

/** Returns the endpoints of active subscriptions. */
export const endpointsOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      'SELECT DISTINCT endpoint FROM subscription WHERE deleted_at IS NULL ORDER BY endpoint',
    )
    .pluck()
    .all();
