/** Builds the SQL that selects the records of a comparison by a filter. */
import { Conditions, type Parameter, foldedOf } from '../catalogue/list-query.ts';
import type { Db } from '../db/open.ts';
import type { RecordFilter, StoredRecordComparison } from './model.ts';
import { SELECT_RECORD, type RecordRow, recordOfRow } from './store.ts';

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

export function recordPage(
  db: Db,
  filter: RecordFilter,
  after: number,
  limit: number,
): StoredRecordComparison[] {
  const { sql, parameters } = recordConditions(filter);
  return db
    .prepare<Parameter[], RecordRow>(`${SELECT_RECORD} WHERE ${sql} AND n > ? ORDER BY n LIMIT ?`)
    .all(...parameters, after, limit)
    .map(recordOfRow);
}

export function countRecords(db: Db, filter: RecordFilter): number {
  const { sql, parameters } = recordConditions(filter);
  const countStatement = db
    .prepare<Parameter[], number>(`SELECT count(*) FROM remote_record WHERE ${sql}`)
    .pluck();
  return countStatement.get(...parameters) ?? 0;
}

/** Yields all records that match a filter, in order. */
export function* recordsIn(db: Db, filter: RecordFilter): Generator<StoredRecordComparison> {
  const { sql, parameters } = recordConditions(filter);
  const rows = db.prepare<Parameter[], RecordRow>(`${SELECT_RECORD} WHERE ${sql} ORDER BY n`);
  for (const row of rows.iterate(...parameters)) yield recordOfRow(row);
}
