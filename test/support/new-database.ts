/** The database of a new instance. Its schema is built once in a process and then copied. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, TestClock } from '../../src/clock.ts';
import { makeWriter } from '../../src/db/folder-writer.ts';
import { DATABASE_FILE, type DataFolder } from '../../src/db/folder.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MIGRATIONS } from '../../src/db/migrations.ts';
import { openForWriting, openWithoutSettings } from '../../src/db/open.ts';
import { quickFolder } from './quick-disk.ts';

let content: Buffer | undefined;

/**
 * Puts a database of the newest schema into a folder. The migrations would take most of the time of a first
 * start.
 */
export function putNewDatabase(
  { path, database }: Pick<DataFolder, 'path' | 'database'>,
  clock: Clock,
): void {
  content ??= newestSchema();
  writeFileSync(database, content);
  using db = openWithoutSettings(database);
  db.prepare('UPDATE migration SET applied_at = ?').run(clock.now());
  makeWriter(db, path);
}

function newestSchema(): Buffer {
  const folder = quickFolder('catp-schema-');
  const file = join(folder, DATABASE_FILE);
  const db = openForWriting(file);
  migrate(db, MIGRATIONS, new TestClock(0));
  db.close(); // the file holds all of it only then
  const schema = readFileSync(file);
  rmSync(folder, { recursive: true });
  return schema;
}
