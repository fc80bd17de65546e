/** Answers the stored text of a key. The texts are those of the file that it is given, one per line: key, tab, text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { serve } from './serve.ts';

const [folder = '.', texts = ''] = process.argv.slice(2);
const db = new Database(join(folder, 'baseline.sqlite'));
db.pragma('journal_mode = WAL');
db.exec('CREATE TABLE record (key TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID');
const insert = db.prepare<[string, string]>('INSERT INTO record (key, text) VALUES (?, ?)');
db.transaction(() => {
  for (const line of readFileSync(texts, 'utf8').split('\n')) {
    const [key, text] = line.split('\t');
    if (key !== undefined && text !== undefined) insert.run(key, text);
  }
})();
const select = db.prepare<[string], string>('SELECT text FROM record WHERE key = ?').pluck();

serve((request) => {
  const path = request.url.slice(request.url.indexOf('/', 'http://'.length));
  const text = select.get(path);
  if (text === undefined) return new Response(null, { status: 404 });
  return new Response(text, { headers: { 'Content-Type': 'application/json' } });
});
