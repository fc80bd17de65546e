/** A database file of its own for each test. */
import { afterEach } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, openForWriting } from '../../src/db/open.ts';

export interface Scratch {
  readonly folder: string;
  readonly file: string;
  readonly db: Db;
}

/** Makes one at a time; it is closed and removed after the test. */
export function scratchForEachTest(): () => Scratch {
  let made: Scratch | undefined;
  afterEach(() => {
    made?.db.close();
    if (made !== undefined) rmSync(made.folder, { recursive: true, force: true });
    made = undefined;
  });
  return () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-db-'));
    const file = join(folder, 'test.sqlite');
    return (made = { folder, file, db: openForWriting(file) });
  };
}
