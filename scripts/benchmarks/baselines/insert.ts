/** Parses a JSON body and inserts its text as one row, many to a commit, durable before it answers. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { serve } from './serve.ts';

const [folder = '.'] = process.argv.slice(2);
const db = new Database(join(folder, 'baseline.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE record (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
const begin = db.prepare('BEGIN IMMEDIATE');
const insert = db.prepare<[string]>('INSERT INTO record (text) VALUES (?)');
const commit = db.prepare('COMMIT');

let waiting: { readonly text: string; readonly resolve: (id: number | bigint) => void }[] = [];

function commitGroup(): void {
  const group = waiting;
  waiting = [];
  begin.run();
  const ids = group.map(({ text }) => insert.run(text).lastInsertRowid);
  commit.run();
  group.forEach(({ resolve }, index) => resolve(ids[index] ?? 0));
}

const inserted = (text: string): Promise<number | bigint> =>
  new Promise((resolve) => {
    if (waiting.push({ text, resolve }) === 1) setImmediate(commitGroup);
  });

serve(async (request) => {
  const text = await request.text();
  JSON.parse(text);
  const id = await inserted(text);
  return new Response(`{"id":${id}}`, { headers: { 'Content-Type': 'application/json' } });
});
