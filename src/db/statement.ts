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

/** Statements that a connection keeps. Lists differ by their filters and companies. */
const KEPT_MAX = 100;

/**
 * Prepares a statement at its first use. A server has some hundred and sixty statements. Preparing all of
 * them costs a tenth of its start, and most are not used for hours. After the first use, this class adds one
 * call.
 */
export class LateStatement<Parameters extends unknown[], Row> implements Statement<Parameters, Row> {
  readonly #make: () => Made<Parameters, Row>;
  #made: Made<Parameters, Row> | undefined;
  #plucked: LateStatement<Parameters, Row> | undefined;

  constructor(make: () => Made<Parameters, Row>) {
    this.#make = make;
  }

  run(...parameters: Parameters): RunResult {
    return (this.#made ??= this.#make()).run(...parameters);
  }

  get(...parameters: Parameters): Row | undefined {
    return (this.#made ??= this.#make()).get(...parameters);
  }

  all(...parameters: Parameters): Row[] {
    return (this.#made ??= this.#make()).all(...parameters);
  }

  iterate(...parameters: Parameters): IterableIterator<Row> {
    return (this.#made ??= this.#make()).iterate(...parameters);
  }

  pluck(): LateStatement<Parameters, Row> {
    return (this.#plucked ??= new LateStatement(() => this.#make().pluck()));
  }

  raw(): LateStatement<Parameters, Row> {
    return new LateStatement(() => this.#make().raw());
  }
}

/** Keeps the statements of one connection by their SQL. SQLite itself prepares one again after a change of the schema. */
export class KeptStatements {
  readonly #prepare: Prepare;
  readonly #kept = new Map<string, Statement<never[], unknown>>();

  constructor(prepare: Prepare) {
    this.#prepare = prepare;
  }

  /** Returns the statement of this SQL. It must not run again while its rows are still being iterated. */
  readonly prepare: Prepare = <Parameters extends unknown[], Row>(sql: string) => {
    const statement = this.#kept.get(sql) ?? this.#prepare(sql);
    // The last used one goes to the end, so the first one is the longest unused.
    this.#kept.delete(sql);
    this.#kept.set(sql, statement);
    const [longestUnused] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && longestUnused !== undefined) this.#kept.delete(longestUnused);
    return statement as unknown as Statement<Parameters, Row>;
  };
}
