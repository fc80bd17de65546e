/** What the checks ask the database. */
import type { Day, EpochMs } from '../clock.ts';
import type { Db } from '../db/open.ts';

/** The latest moments that anything in the database tells, of what has an order to ask by. */
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

/** The attribute table that is in force on a day. */
export const tableInForce = (db: Db, day: Day): TableInForce | undefined =>
  db
    .prepare<[string], TableInForce>(
      `SELECT t.versao, t.loaded_at AS loadedAt FROM attribute_activation a JOIN attribute_table t ON t.id = a.table_id
       WHERE a.on_day <= ? AND a.cancelled_at IS NULL ORDER BY a.on_day DESC, a.id DESC LIMIT 1`,
    )
    .get(day);

/** Whether anybody ever said when an attribute table is in force. */
export const wasTableAskedFor = (db: Db, tableId: number): boolean =>
  db.prepare('SELECT 1 FROM attribute_activation WHERE table_id = ? LIMIT 1').get(tableId) !== undefined;

/** When the nomenclature in use was loaded. */
export const nomenclatureLoadedAt = (db: Db): EpochMs | undefined =>
  db.prepare<[], EpochMs>('SELECT loaded_at FROM nomenclature').pluck().get();

/** Where active subscriptions are delivered to. */
export const endpointsOf = (db: Db): string[] =>
  db
    .prepare<[], string>(
      'SELECT DISTINCT endpoint FROM subscription WHERE deleted_at IS NULL ORDER BY endpoint',
    )
    .pluck()
    .all();
