/** Statements of the stores: written down at once, made by SQLite with their first use. */
import type { RunResult, Statement as Made } from 'better-sqlite3';

export interface Statement<Parameters extends unknown[], Row> extends Pick<
  Made<Parameters, Row>,
  'run' | 'get' | 'all' | 'iterate'
> {
  /** The same with the first column in place of each row. */
  pluck(): Statement<Parameters, Row>;
  /** The same with rows as arrays. */
  raw(): Statement<Parameters, Row>;
}

/**
 * A server has some hundred and sixty of them, which cost a tenth of its start to make; most wait for hours until somebody
 * needs them. From its first use on, one is a call more than SQLite's own.
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
