/** The file of the log: whose it is, when it is put aside, how many are kept. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogFile } from '../src/log/log-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-log-'));
  path = join(folder, 'catp.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINE = 'nove bytes'.slice(0, 9) + '\n';
const contents = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

test('is its owner’s alone, and is gone on with', () => {
  writeFileSync(path, 'antes\n');
  new LogFile({ path, maxBytes: 1024, kept: 1 }).write('depois\n');
  expect(contents()).toEqual({ 'catp.log': 'antes\ndepois\n' });
  rmSync(path);
  new LogFile({ path, maxBytes: 1024, kept: 1 }).write('x\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('is put aside before the line with which it would be too long, and not before', () => {
  const file = new LogFile({ path, maxBytes: 2 * LINE.length, kept: 1 });
  file.write(LINE);
  file.write(LINE);
  expect(contents()).toEqual({ 'catp.log': LINE + LINE });
  file.write(LINE);
  expect(contents()).toEqual({ 'catp.log': LINE, 'catp.log.1': LINE + LINE });
  expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
});

test('so many are kept, the newest of them', () => {
  const file = new LogFile({ path, maxBytes: 1, kept: 2 });
  for (const line of ['1\n', '2\n', '3\n', '4\n', '5\n']) file.write(line);
  expect(contents()).toEqual({ 'catp.log': '5\n', 'catp.log.1': '4\n', 'catp.log.2': '3\n' });
});

test('none is kept', () => {
  const file = new LogFile({ path, maxBytes: 1, kept: 0 });
  for (const line of ['1\n', '2\n']) file.write(line);
  expect(contents()).toEqual({ 'catp.log': '2\n' });
});

test('one that cannot be written is told by the name of the setting', () => {
  const open = (): LogFile => new LogFile({ path: join(folder, 'nada', 'x.log'), maxBytes: 1024, kept: 1 });
  expect(open).toThrow(/log\.arquivo \('.*x\.log'\) não pode ser escrito/);
});
