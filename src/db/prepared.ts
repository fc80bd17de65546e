/** Base of the stores: each statement is prepared once, under its name. */
import type { Db } from './open.ts';

export abstract class Store {
  protected readonly db: Db;

  constructor(db: Db) {
    this.db = db;
  }
}
