/**
 * External conditions in /readyz: space on the disk, files in memory, a certificate (contract section
 * 16).
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import { diskOf } from '../../src/system/disk.ts';
import { type TestApp, openApp } from '../support/app.ts';

const LEAST_ROOM_BYTES = 16 * 1024 * 1024;

let server: TestApp;
let disk: { freeBytes: number; isVolatile: boolean } | undefined;
let certificateMsLeft: number | undefined;
beforeEach(async () => {
  disk = { freeBytes: LEAST_ROOM_BYTES, isVolatile: false };
  certificateMsLeft = undefined;
  const look = (folder: string) => disk ?? diskOf(join(folder, 'nothing'));
  server = await openApp({ parts: { diskOf: look, certificateMsLeft: () => certificateMsLeft } });
});
afterEach(() => server.close());

async function readiness(): Promise<readonly [status: number, metric: string | undefined, said: string]> {
  const { status, json } = await server.anybody.call('GET', '/readyz');
  const { text } = await server.anybody.call('GET', '/metrics');
  const message = status === 200 ? json.notices.join(' ') : json.message;
  return [status, /^catp_ready (\d)$/m.exec(text)?.[1], message];
}

test('with less than 16 MiB free it is not ready with the reason; with more it is, as soon as there is space', async () => {
  expect(await readiness()).toEqual([200, '1', expect.not.stringContaining('disco')]);
  disk = { freeBytes: LEAST_ROOM_BYTES - 1, isVolatile: false };
  const full =
    'O disco está quase cheio: tem só 16 MiB livres, e as gravações logo serão recusadas. Libere espaço.';
  expect(await readiness()).toEqual([503, '0', full]);
  disk = { freeBytes: LEAST_ROOM_BYTES, isVolatile: false };
  expect(await readiness()).toEqual([200, '1', expect.not.stringContaining('disco')]);
});

test('a disk whose space cannot be read counts as unwritable', async () => {
  disk = undefined;
  expect(await readiness()).toEqual([
    503,
    '0',
    expect.stringMatching(/não pôde ser consultado.*Verifique a pasta/),
  ]);
});

test('a folder in memory and an expired certificate block no write, and are reported', async () => {
  disk = { freeBytes: LEAST_ROOM_BYTES, isVolatile: true };
  expect(await readiness()).toEqual([200, '1', expect.stringContaining('em memória (tmpfs)')]);
  disk = { freeBytes: LEAST_ROOM_BYTES, isVolatile: false };
  certificateMsLeft = 1;
  expect(await readiness()).toEqual([200, '1', expect.not.stringContaining('certificado')]);
  certificateMsLeft = 0;
  expect(await readiness()).toEqual([200, '1', expect.stringContaining('O certificado do servidor venceu')]);
});
