/** Builds the SQL that selects the records of a comparison by a filter. */
import { Conditions, type Parameter, foldedOf } from '../catalogue/list-query.ts';
import type { Db } from '../db/open.ts';
import type { RecordFilter, StoredFound } from './model.ts';
import { FOUND, type FoundRow, toFound } from './store.ts';

function recordConditions({ comparisonId, kind, state, text }: RecordFilter): Conditions {
  const where = new Conditions();
  where.add('comparison_id = ?', comparisonId);
  where.when(state, 'state = ?');
  where.when(kind, 'kind = ?');
  where.when(
    foldedOf(text),
    "instr(folded(name || ' ' || ifnull(here, '') || ' ' || ifnull(there, '')), ?) > 0",
  );
  return where;
}

export function foundPage(db: Db, filter: RecordFilter, after: number, limit: number): StoredFound[] {
  const { sql, parameters } = recordConditions(filter);
  return db
    .prepare<Parameter[], FoundRow>(`${FOUND} WHERE ${sql} AND n > ? ORDER BY n LIMIT ?`)
    .all(...parameters, after, limit)
    .map(toFound);
}

export function countFound(db: Db, filter: RecordFilter): number {
  const { sql, parameters } = recordConditions(filter);
  const counted = db.prepare<Parameter[], number>(`SELECT count(*) FROM remote_record WHERE ${sql}`).pluck();
  return counted.get(...parameters) ?? 0;
}

/** Yields all records that match a filter, in order. */
export function* foundOf(db: Db, filter: RecordFilter): Generator<StoredFound> {
  const { sql, parameters } = recordConditions(filter);
  const rows = db.prepare<Parameter[], FoundRow>(`${FOUND} WHERE ${sql} ORDER BY n`);
  for (const row of rows.iterate(...parameters)) yield toFound(row);
}
