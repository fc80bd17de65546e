/** Many rows in one commit, durable before any answer: the minimum that a bare server needs for writes. */
import type { Database } from 'better-sqlite3';

/** Returns the function that writes one row; `write` runs inside the transaction. */
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
