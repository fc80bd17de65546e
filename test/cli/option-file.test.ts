/** Files that options name: at most 16 MiB. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contentOf } from '../../src/cli/values.ts';

const MOST = 16 * 1024 * 1024;

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'catp-option-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(bytes: number): string {
  const file = join(folder, 'ca.pem');
  writeFileSync(file, new Uint8Array(bytes));
  return file;
}

test('the largest file is read completely', () => {
  expect(contentOf('--ca', fileOf(MOST)).length).toBe(MOST);
});

test('a larger one is refused with the option, the file and the limit', () => {
  const file = fileOf(MOST + 1);
  expect(() => contentOf('--ca', file)).toThrow(
    `--ca: ${file} tem ao menos ${MOST + 1} bytes; são aceitos até ${MOST} (16 MiB). Indique outro arquivo.`,
  );
});

test('an endless file is refused too', () => {
  expect(() => contentOf('--ca', '/dev/zero')).toThrow('--ca: /dev/zero ');
});
