/**
 * Readiness requires a successful write: the server probes, and does not wait for a refused write
 * (contract section 16).
 */
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { SECOND_MS } from '../../src/clock.ts';
import { Writer } from '../../src/db/writer.ts';
import { type TestApp, openApp } from '../support/app.ts';
import { HandTime } from '../support/real-time.ts';

let server: TestApp;
let time: HandTime;
beforeEach(async () => {
  time = new HandTime();
  server = await openApp({ parts: { realTime: time } });
});
afterEach(() => server.close());

const readiness = async (): Promise<readonly [number, string]> => {
  const { status, json } = await server.anybody.call('GET', '/readyz');
  return [status, status === 200 ? '' : json.message];
};

test('a database that becomes unwritable is reported by the next probe, and until a restart', async () => {
  expect(await readiness()).toEqual([200, '']);
  const { db } = server.app.core;
  db.pragma('query_only = 1');
  time.pass(SECOND_MS);
  const readOnly = [503, expect.stringContaining('O banco de dados só permite leitura')] as const;
  expect(await readiness()).toEqual(readOnly);
  db.pragma('query_only = 0');
  time.pass(SECOND_MS);
  expect(await readiness()).toEqual(readOnly);
});

test('concurrent probes share one write a second, and a temporary failure ends with the next one', async () => {
  const touch = spyOn(Writer.prototype, 'touch');
  try {
    for (let n = 0; n < 3; n += 1) expect(await readiness()).toEqual([200, '']);
    time.pass(SECOND_MS - 1);
    await readiness();
    expect(touch).toHaveBeenCalledTimes(1);
    time.pass(1);
    touch.mockRejectedValueOnce(new Error('O armazenamento não aceitou a gravação.'));
    for (let n = 0; n < 2; n += 1)
      expect(await readiness()).toEqual([503, 'O armazenamento não aceitou a gravação.']);
    expect(touch).toHaveBeenCalledTimes(2);
    time.pass(SECOND_MS);
    expect(await readiness()).toEqual([200, '']);
  } finally {
    touch.mockRestore();
  }
});
