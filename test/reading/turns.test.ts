/** Reads in one Worker take turns: none waits for the end of another, with any amount of data. */
import { Database } from 'bun:sqlite';
import { afterEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FromReader } from '../../src/reading/protocol.ts';
import { ReadScheduler } from '../../src/reading/read-scheduler.ts';

const folder = mkdtempSync(join(tmpdir(), 'catp-turns-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A search that looks through some stretches and then reports its match, unless that is empty. */
interface Search {
  readonly kind: string;
  readonly stretches: number;
  readonly match: string;
}

function* looking({ stretches, match }: Search): Generator<string, void, undefined> {
  for (let stretch = 0; stretch < stretches; stretch += 1) yield '';
  if (match !== '') yield match;
}

test('a short read is answered before long ones that began earlier and find nothing', async () => {
  const database = join(folder, 'read.sqlite');
  new Database(database).close();
  const messages: string[] = [];
  const all = Promise.withResolvers<void>();
  const turns = new ReadScheduler<Search>(
    (_db, search) => looking(search),
    (message: FromReader) => {
      messages.push(`${message.id} ${message.type}`);
      if (messages.filter((line) => line.endsWith(' end')).length === 3) all.resolve();
    },
  );
  const start = (id: number, stretches: number, match: string) =>
    turns.receive({ type: 'start', id, database, credit: 1, request: { kind: 'search', stretches, match } });

  start(1, 50, '');
  start(2, 50, '');
  start(3, 1, 'here');
  // The sent matches used up the credit: the end requires more.
  turns.receive({ type: 'credit', id: 3 });
  await all.promise;

  expect(messages).toEqual(['3 chunk', '3 end', '1 end', '2 end']);
});
