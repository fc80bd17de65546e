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

/**
 * Prepares a statement at its first use. A server has some hundred and sixty statements. Preparing all of
 * them costs a tenth of its start, and most are not used for hours. After the first use, this class adds one
 * call.
 */
export class LateStatement<Parameters extends unknown[], Row> implements Statement<Parameters, Row> {
  readonly #make: () => Made<Parameters, Row>;
  #made: Made<Parameters, Row> | undefined;

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
    return new LateStatement(() => this.#make().pluck());
  }

  raw(): LateStatement<Parameters, Row> {
    return new LateStatement(() => this.#make().raw());
  }
}
