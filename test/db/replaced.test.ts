/** A database that replaces the one of a folder between the check of the folder and its opening. */
import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openApp } from '../support/app.ts';

test('a server refuses a database of an older version that was not upgraded', async () => {
  const app = await openApp();
  await app.close({ keepFolder: true });
  const { folder } = app;
  const db = new Database(join(folder, 'catp.sqlite'));
  const newest = db.prepare('SELECT max(number) FROM migration').pluck().get();
  db.prepare('DELETE FROM migration WHERE number = ?').run(newest);
  db.close();

  await expect(openApp({ folder })).rejects.toThrow(
    'é de uma versão anterior do catp: foi posto no lugar enquanto este processo iniciava. Inicie-o de novo.',
  );
  rmSync(folder, { recursive: true });
});
