import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { READ_BYTES } from '../../src/files/file-limits.ts';
import { readItems } from '../../src/files/json-members.ts';
import { oneJson } from '../../src/files/one-json.ts';
import { allOf, utf8 } from './support.ts';

/** Items whose chunks all differ; the last chunk is not full. */
const ITEMS = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `é ${at}` }));
const BYTES = utf8(JSON.stringify(ITEMS));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catp-one-json-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('a file that is longer than one read is read completely, plain or zipped', async () => {
  expect(BYTES.length).toBeGreaterThan(3 * READ_BYTES);
  for (const content of [BYTES, zipSync({ 'a.json': BYTES })]) {
    const path = join(folder, 'file');
    await writeFile(path, content);
    const read = await oneJson(path, 2 * BYTES.length, 'uma tabela');
    expect(read.ok && Buffer.from(read.bytes).equals(BYTES)).toBe(true);
    const items = await allOf(readItems(path));
    expect(items.map(({ value }) => value)).toEqual(ITEMS);
    const behind = items[20_000];
    const rest = await allOf(readItems(path, undefined, { behind }));
    expect(rest.map(({ value }) => value)).toEqual(ITEMS.slice(20_001));
  }
});
