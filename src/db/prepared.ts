/**
 * Base of the stores: a statement is a method of its store. SQLite prepares it once for each connection, at its
 * first use.
 */
import type { Db } from './open.ts';

/** Makes the values of a statement from the parameters of its method. */
type Bind<P extends unknown[]> = (...parameters: P) => readonly unknown[];

export abstract class Store {
  protected readonly db: Db;

  constructor(db: Db) {
    this.db = db;
  }

  /** Defines a query of at most one row. */
  protected one<P extends unknown[], T>(
    sql: string,
    from?: (row: never) => T,
  ): (...values: P) => T | undefined {
    const statement = this.db.prepare<P, never>(sql);
    if (from === undefined) return statement.get.bind(statement);
    return (...values) => {
      const row = statement.get(...values);
      return row && from(row);
    };
  }

  protected many<P extends unknown[], T>(sql: string, from?: (row: never) => T): (...values: P) => T[] {
    const statement = this.db.prepare<P, never>(sql);
    if (from === undefined) return statement.all.bind(statement);
    const toItem = (row: never): T => from(row); // without the index, which `map` would pass
    return (...values) => statement.all(...values).map(toItem);
  }

  /** Defines a query whose rows are read one by one. */
  protected iterates<P extends unknown[], T>(sql: string): (...values: P) => IterableIterator<T> {
    const statement = this.db.prepare<P, T>(sql);
    return statement.iterate.bind(statement);
  }

  /** Defines a query of the first column of a row. `undefined`: no row, or NULL. */
  protected value<P extends unknown[], T>(sql: string): (...values: P) => T | undefined {
    const statement = this.db.prepare<P, T | null>(sql).pluck();
    return (...values) => statement.get(...values) ?? undefined;
  }

  protected values<P extends unknown[], T>(sql: string): (...values: P) => T[] {
    const statement = this.db.prepare<P, T>(sql).pluck();
    return statement.all.bind(statement);
  }

  /** Defines a query of a number. 0: no row, or NULL. */
  protected number<P extends unknown[]>(sql: string): (...values: P) => number {
    const statement = this.db.prepare<P, number | null>(sql).pluck();
    return (...values) => statement.get(...values) ?? 0;
  }

  /** Defines a query that returns true when it selects a row. */
  protected exists<P extends unknown[]>(sql: string): (...values: P) => boolean {
    const statement = this.db.prepare<P>(sql);
    return (...values) => statement.get(...values) !== undefined;
  }

  /** Defines a change. It returns the number of changed rows. */
  protected changes<P extends unknown[]>(sql: string, bind?: Bind<P>): (...parameters: P) => number {
    const statement = this.db.prepare(sql);
    if (bind === undefined) return (...values) => statement.run(...values).changes;
    return (...parameters) => statement.run(...bind(...parameters)).changes;
  }

  /** Defines a statement without a result. */
  protected runs<P extends unknown[]>(sql: string, bind?: Bind<P>): (...parameters: P) => void {
    return this.changes(sql, bind);
  }

  /** Defines the insertion of a row. It returns the row's key. */
  protected inserts<P extends unknown[]>(sql: string, bind?: Bind<P>): (...parameters: P) => number {
    const statement = this.db.prepare(sql);
    if (bind === undefined) return (...values) => Number(statement.run(...values).lastInsertRowid);
    return (...parameters) => Number(statement.run(...bind(...parameters)).lastInsertRowid);
  }
}
