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

/** Returns the endpoints of active subscriptions. */
export const endpointsOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      'SELECT DISTINCT endpoint FROM subscription WHERE deleted_at IS NULL ORDER BY endpoint',
    )
    .pluck()
    .all();
