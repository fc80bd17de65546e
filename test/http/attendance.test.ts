/**
 * Code of a development instance that handles requests: it sees each request first and can answer it;
 * otherwise the operation runs as usual.
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../src/clock.ts';
import { DomainError } from '../../src/errors.ts';
import { type RequestHook, nestHooks } from '../../src/http/request-hook.ts';
import { readBytes } from '../../src/http/body.ts';
import { Cors } from '../../src/http/cors.ts';
import { Holdings } from '../../src/http/holdings.ts';
import { ok, operation } from '../../src/http/operation.ts';
import { Pipeline } from '../../src/http/pipeline.ts';
import { readAhead } from '../../src/http/read-ahead.ts';
import { type Neighbours, createRouter } from '../../src/http/router.ts';
import type { Listening } from '../../src/http/server.ts';
import { listenOver } from '../support/app.ts';
import { SCHEMES, type Scheme, trusting } from '../support/tls.ts';

let listening: Listening | undefined;
afterEach(async () => {
  await listening?.stop(0);
  listening = undefined;
});

const ECHO_MAX_BYTES = 1024 * 1024;
let received: string[] = [];
const echo = operation('POST', '/echo', {
  id: 'echo',
  right: 'none',
  tag: 'test',
  summary: 'test',
  source: 'test',
  access: 'anybody',
  bodyForm: 'raw',
  handle: async ({ request }) => {
    const body = new TextDecoder().decode(await readBytes(request, ECHO_MAX_BYTES));
    received.push(body);
    return ok({ body });
  },
});

async function serving(
  attend: RequestHook<unknown> | undefined,
  over: Scheme,
  neighbours?: Neighbours<unknown>,
): Promise<string> {
  received = [];
  const pipeline = new Pipeline<unknown>({
    authenticate: () => {
      throw new Error('nobody signs in here');
    },
    countAccess: () => undefined,
    quotaOwnerOf: () => ({ user: '' }),
    holdings: new Holdings(100, ECHO_MAX_BYTES),
    notesUnknown: false,
    bodyLimit: ECHO_MAX_BYTES,
    ambiente: 'validacao',
    localDateTime: () => '2026-01-15T09:00:00',
    stopwatch: monotonicMs,
    onExchange: () => undefined,
    serverHeaders: () => ({}),
  });
  const fetch = createRouter({
    operations: [echo],
    pages: new Map([['/page', () => new Response('page')]]),
    pipeline,
    cors: new Cors([]),
    stopwatch: monotonicMs,
    simultaneous: 100,
    hook: attend,
    neighbours,
  });
  listening = await listenOver(over, { fetch });
  return listening.url;
}

describe.each(SCHEMES)('a handler, over %s,', (over) => {
  test('sees each request before it is answered, the outer one first, and can answer it', async () => {
    const events: string[] = [];
    const outer: RequestHook<unknown> = async (arrival, run) => {
      events.push(`outer ${arrival.operation?.id ?? 'none'}`);
      const response = await run();
      events.push(`${response.status} ${arrival.fault ?? 'as it was'}`);
      return response;
    };
    const inner: RequestHook<unknown> = (arrival, run) => {
      events.push('inner');
      if (!arrival.request.headers.has('x-fault')) return run();
      arrival.fault = 'status';
      return new Response('by itself', { status: 599 });
    };
    const url = await serving(nestHooks(outer, inner), over);
    const answered = await trusting(`${url}/echo`, { method: 'POST', body: 'a' });
    expect([answered.status, await answered.text()]).toEqual([200, '{"body":"a"}']);
    const instead = await trusting(`${url}/echo`, { method: 'POST', body: 'b', headers: { 'x-fault': '1' } });
    expect([instead.status, await instead.text()]).toEqual([599, 'by itself']);
    expect((await trusting(`${url}/nothing`)).status).toBe(404);
    expect((await trusting(`${url}/page`)).status).toBe(200);
    expect(received).toEqual(['a']);
    expect(events).toEqual([
      ...['outer echo', 'inner', '200 as it was'],
      ...['outer echo', 'inner', '599 status'],
      ...['outer none', 'inner', '404 as it was'],
    ]);
  });

  test('can read a body ahead, up to a limit, and the operation still reads it', async () => {
    const lengthsAhead: (number | undefined)[] = [];
    const url = await serving(async ({ request }, run) => {
      for (const most of [3, 5, 4]) lengthsAhead.push((await readAhead(request, most))?.length);
      return run();
    }, over);
    const send = async (body: RequestInit['body']) =>
      (await trusting(`${url}/echo`, { method: 'POST', body: body ?? null })).text();
    expect(await send('12345')).toBe('{"body":"12345"}');
    expect(lengthsAhead.splice(0)).toEqual([undefined, 5, undefined]);
    expect(await send(undefined)).toBe('{"body":""}');
    expect(lengthsAhead.splice(0)).toEqual([0, 0, 0]);
    const inChunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of ['ab', 'cd']) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    });
    expect(await send(inChunks)).toBe('{"body":"abcd"}');
    expect(lengthsAhead.splice(0)).toEqual([undefined, undefined, undefined]);
  });
});

test('a failed search of stubs is answered as a refusal, not thrown', async () => {
  const unreadable = () => {
    throw new DomainError('unavailable', 'A pasta não pode ser lida.');
  };
  const url = await serving(undefined, 'http', unreadable);
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const refused = await trusting(`${url}/nothing`, { method });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      expect.objectContaining({ message: 'A pasta não pode ser lida.' }),
    ]);
  }
  expect((await trusting(`${url}/page`)).status).toBe(200);
});
