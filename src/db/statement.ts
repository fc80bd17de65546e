/** Statements of the stores: defined at once, prepared by SQLite at their first use. */
import type { RunResult, Statement as Made } from 'better-sqlite3';

export interface Statement<Parameters extends unknown[], Row> extends Pick<
  Made<Parameters, Row>,
  'run' | 'get' | 'all' | 'iterate'
> {
  /** Returns the first column instead of each row. */
  pluck(): Statement<Parameters, Row>;
  /** Returns rows as arrays. */
  raw(): Statement<Parameters, Row>;
}

export type Prepare = <Parameters extends unknown[] = unknown[], Row = unknown>(
  sql: string,
) => Statement<Parameters, Row>;

/** Limit of cached statements: the SQL of a list depends on its filters and companies. */
const CACHED_MAX = 100;

/**
 * Prepares a statement at its first use. A server has some 160 statements. Preparing all of them would take
 * a tenth of its start, and most are not used for hours. After the first use, this class costs one call.
 */
export class LazyStatement<Parameters extends unknown[], Row> implements Statement<Parameters, Row> {
  readonly #prepare: () => Made<Parameters, Row>;
  #prepared: Made<Parameters, Row> | undefined;
  #firstColumn: LazyStatement<Parameters, Row> | undefined;

  constructor(make: () => Made<Parameters, Row>) {
    this.#prepare = make;
  }

  run(...parameters: Parameters): RunResult {
    return (this.#prepared ??= this.#prepare()).run(...parameters);
  }

  get(...parameters: Parameters): Row | undefined {
    return (this.#prepared ??= this.#prepare()).get(...parameters);
  }

  all(...parameters: Parameters): Row[] {
    return (this.#prepared ??= this.#prepare()).all(...parameters);
  }

  iterate(...parameters: Parameters): IterableIterator<Row> {
    return (this.#prepared ??= this.#prepare()).iterate(...parameters);
  }

  pluck(): LazyStatement<Parameters, Row> {
    return (this.#firstColumn ??= new LazyStatement(() => this.#prepare().pluck()));
  }

  raw(): LazyStatement<Parameters, Row> {
    return new LazyStatement(() => this.#prepare().raw());
  }
}

/** Keeps the statements of one connection by their SQL. SQLite itself prepares one again after a change of the schema. */
export class StatementCache {
  readonly #prepare: Prepare;
  readonly #cached = new Map<string, Statement<never[], unknown>>();

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  /** Returns the statement of this SQL. It must not run again while its rows are still being iterated. */
  readonly prepare: Prepare = <Parameters extends unknown[], Row>(sql: string) => {
    const statement = this.#cached.get(sql) ?? this.#prepare(sql);
    // The last used one goes to the end, so the first one is the longest unused.
    this.#cached.delete(sql);
    this.#cached.set(sql, statement);
    const [longestUnused] = this.#cached.keys();
    if (this.#cached.size > CACHED_MAX && longestUnused !== undefined) this.#cached.delete(longestUnused);
    return statement as unknown as Statement<Parameters, Row>;
  };
}
