/** Parses a JSON body and inserts its text as one row, many to a commit, durable before it answers. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { groupCommit } from './group-commit.ts';
import { serve } from './serve.ts';

const [folder = '.'] = process.argv.slice(2);
const db = new Database(join(folder, 'baseline.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE record (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
const insert = db.prepare<[string]>('INSERT INTO record (text) VALUES (?)');
const inserted = groupCommit(db, (text: string) => insert.run(text).lastInsertRowid);

serve(async (request) => {
  const text = await request.text();
  JSON.parse(text);
  const id = await inserted(text);
  return new Response(`{"id":${id}}`, { headers: { 'Content-Type': 'application/json' } });
});
