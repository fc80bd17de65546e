/** Many rows to a commit, durable before anybody is answered: what a bare server needs to write at all. */
import type { Database } from 'better-sqlite3';

/** Returns how to have one row written; `write` runs inside the transaction. */
export function groupCommit<Row, Result>(
  db: Database,
  write: (row: Row) => Result,
): (row: Row) => Promise<Result> {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  let waiting: { readonly row: Row; readonly resolve: (result: Result) => void }[] = [];
  const commitGroup = (): void => {
    const group = waiting;
    waiting = [];
    begin.run();
    const results = group.map(({ row }) => write(row));
    commit.run();
    group.forEach(({ resolve }, index) => resolve(results[index] as Result));
  };
  return (row) =>
    new Promise((resolve) => {
      if (waiting.push({ row, resolve }) === 1) setImmediate(commitGroup);
    });
}
