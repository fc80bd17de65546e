/** An activation that outlasts the idle timeout of a connection still answers its caller (contract section 13). */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { DomainError } from '../../../../src/errors.ts';
import { KEEP_ALIVE_MS } from '../../../../src/http/kept-alive.ts';
import type { Logger } from '../../../../src/log/log.ts';
import { type TestApp, openApp } from '../../../support/app.ts';
import { HandTime } from '../../../support/real-time.ts';
import { TABLES } from '../support.ts';

let server: TestApp;
let time: HandTime;
let errors: string[];
let headers: Record<string, string>;

beforeEach(async () => {
  time = new HandTime();
  errors = [];
  const silent = (): void => undefined;
  const error = (message: string): void => void errors.push(message);
  // The server calls only these four methods of the log.
  const log = {
    debug: silent,
    info: silent,
    warning: silent,
    error,
    isEnabledFor: () => false,
  } as unknown as Logger;
  server = await openApp({ demo: true, parts: { realTime: time, log } });
  const key = { 'client-id': 'admin', 'client-secret': 'admin', 'role-type': 'IMPEXP' };
  const signedIn = await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, key);
  headers = {
    authorization: signedIn.headers.get('set-token') ?? '',
    'x-csrf-token': signedIn.headers.get('x-csrf-token') ?? '',
  };
});
afterEach(() => server.close());

const activate = async (id: number, body?: string): Promise<Response> =>
  server.app.fetch(
    new Request(`http://catp.test${TABLES}/${id}/activate`, {
      method: 'POST',
      headers,
      ...(body !== undefined && { body }),
    }),
  );

/** Delays the next write until `go` releases it, or `fail` rejects it. */
function delayNextWrite(): { go(): void; fail(error: unknown): void } {
  const { writer } = server.app.core;
  const write = writer.write.bind(writer);
  const released = Promise.withResolvers<void>();
  released.promise.catch(() => undefined); // a rejection without a pending write is no unhandled rejection
  writer.write = async (work) => {
    await released.promise;
    return write(work);
  };
  return { go: released.resolve, fail: released.reject };
}

test('a fast activation answers at once, without a space', async () => {
  const reply = await activate(1);
  expect(reply.status).toBe(200);
  expect(await reply.text()).toMatch(/^\{"deactivated":\d+,"events":\d+\}$/);
});

test('a slow activation sends a space now and then to keep the connection open, and ends with its result', async () => {
  const delayedWrite = delayNextWrite();
  const timerStart = time.armed();
  const answering = activate(1);
  await timerStart;
  time.pass(KEEP_ALIVE_MS);
  const reply = await answering;
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  if (reply.body === null) throw new Error('The answer has no body.');
  const reader = reply.body.getReader();
  const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await text()).toBe(' ');
  for (let n = 0; n < 20; n += 1) {
    const nextTimerStart = time.armed();
    const next = text();
    await nextTimerStart;
    time.pass(KEEP_ALIVE_MS);
    expect(await next).toBe(' ');
  }
  const last = text();
  delayedWrite.go();
  expect(JSON.parse(await last)).toEqual({ deactivated: 0, events: 0 });
  expect((await reader.read()).done).toBe(true);
  expect(errors).toEqual([]);
});

test('an activation that fails soon answers with the error', async () => {
  const delayedWrite = delayNextWrite();
  const timerStart = time.armed();
  const answering = activate(1);
  await timerStart;
  delayedWrite.fail(new DomainError('unavailable', 'O disco está cheio.'));
  expect((await answering).status).toBe(503);
});

test('a late failure cuts the connection, and the log has the reason', async () => {
  const delayedWrite = delayNextWrite();
  const timerStart = time.armed();
  const answering = activate(1);
  await timerStart;
  time.pass(KEEP_ALIVE_MS);
  const reading = (await answering).text();
  delayedWrite.fail(new DomainError('unavailable', 'O disco está cheio.'));
  await expect(reading).rejects.toThrow('O disco está cheio.');
  expect(errors).toContainEqual(expect.stringContaining('depois de começada a resposta'));
});

test('an impossible activation is refused at once, even while another one runs', async () => {
  const delayedWrite = delayNextWrite();
  const timerStart = time.armed();
  const first = activate(1);
  await timerStart;
  expect((await activate(99)).status).toBe(404);
  expect((await activate(1, '{"on":"2026-01-14"}')).status).toBe(422);
  delayedWrite.go();
  expect((await first).status).toBe(200);
});
