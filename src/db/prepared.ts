/** What keeps rows: its statements are prepared once, each where it has its name. */
import type { Db } from './open.ts';

export abstract class Store {
  protected readonly db: Db;

  constructor(db: Db) {
    this.db = db;
  }
}
