/** Prepared statements of the checks, one set per database: they run after every step. */
import type { Statement } from '../../src/db/statement.ts';
import type { Db } from '../../src/db/open.ts';

const cache = new WeakMap<Db, Map<string, Statement<unknown[], unknown>>>();

export function prepared<Parameters extends unknown[], Row>(db: Db, sql: string): Statement<Parameters, Row> {
  const statements = cache.get(db) ?? new Map<string, Statement<unknown[], unknown>>();
  cache.set(db, statements);
  const statement = statements.get(sql) ?? db.prepare(sql);
  statements.set(sql, statement);
  return statement as Statement<Parameters, Row>;
}
