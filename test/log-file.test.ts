/** The file of the log: its owner, its rotation, the number of kept files. */
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

test('is readable only by its owner, and is continued after a restart', () => {
  writeFileSync(path, 'antes\n');
  new LogFile(path, 1024, 1).write('depois\n');
  expect(contents()).toEqual({ 'catp.log': 'antes\ndepois\n' });
  rmSync(path);
  new LogFile(path, 1024, 1).write('x\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('is rotated before the line that would exceed its size, and not before', () => {
  const file = new LogFile(path, 2 * LINE.length, 1);
  file.write(LINE);
  file.write(LINE);
  expect(contents()).toEqual({ 'catp.log': LINE + LINE });
  file.write(LINE);
  expect(contents()).toEqual({ 'catp.log': LINE, 'catp.log.1': LINE + LINE });
  expect(statSync(`${path}.1`).mode & 0o777).toBe(0o600);
});

test('the newest files are kept, up to the number of the setting', () => {
  const file = new LogFile(path, 1, 2);
  for (const line of ['1\n', '2\n', '3\n', '4\n', '5\n']) file.write(line);
  expect(contents()).toEqual({ 'catp.log': '5\n', 'catp.log.1': '4\n', 'catp.log.2': '3\n' });
});

test('no file is kept when the number is 0', () => {
  const file = new LogFile(path, 1, 0);
  for (const line of ['1\n', '2\n']) file.write(line);
  expect(contents()).toEqual({ 'catp.log': '2\n' });
});

test('an unwritable file is reported by the name of the setting', () => {
  const open = (): LogFile => new LogFile(join(folder, 'nada', 'x.log'), 1024, 1);
  expect(open).toThrow(/log\.arquivo \('.*x\.log'\) não pode ser escrito/);
});
