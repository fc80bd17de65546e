/**
 * A remote with hostile answers (contract section 16): sizes, depths, times and texts are bounded before they
 * are used.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { HOUR_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { MAX_BYTES } from '../../src/outgoing/exchange.ts';
import { LIST_MAX_ITEMS } from '../../src/remote/wire/list.ts';
import { SIGN_IN_PACE_MS } from '../../src/remote/wire/governor.ts';
import type { WireRequest } from '../../src/remote/wire/model.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const PIECE = Buffer.alloc(64 * 1024, '[');

let clock: TestClock;
let localApp: TestApp;
let admin: Client;
let demo: Client;
let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let signIn: (response: ServerResponse) => void;
/** Paths in order of arrival. */
let requests: string[];

const tokens = (expiration = String(START + HOUR_MS)) => ({
  'Set-Token': 'Bearer a.e30.c',
  'X-CSRF-Token': 'csrf',
  'X-CSRF-Expiration': expiration,
});

beforeEach(async () => {
  clock = new TestClock(START);
  localApp = await openApp({ clock });
  [admin, demo] = [await localApp.as('admin'), await localApp.as('demo')];
  requests = [];
  signIn = (response) => void response.writeHead(200, tokens()).end();
  answer = (_, response) => void response.writeHead(404).end('{}');
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.on('error', () => undefined);
    if (request.url?.startsWith('/portal') === true) signIn(response);
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = { clientId: 'demo', clientSecret: 'demo' };
  await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], url, ...key });
});

afterEach(async () => {
  await localApp.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const testSignIn = async () => admin.call('POST', `${REMOTES}/la/test`);

/** Sends this number of pieces with backpressure. Stops when the client disconnects. */
function flood(response: ServerResponse, status: number, pieces = Infinity): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  let sentPieces = 0;
  const go = (): void => {
    while (sentPieces < pieces && !response.destroyed) {
      sentPieces += 1;
      if (!response.write(PIECE)) return void response.once('drain', go);
    }
    if (sentPieces >= pieces) response.end();
  };
  go();
}

describe('a sign-in', () => {
  test('with an endless answer is cut at 1 MiB, and reported as too large', async () => {
    signIn = (response) => flood(response, 401);
    const { status, json } = await testSignIn();
    expect([status, json.ok]).toEqual([200, false]);
    expect(json.message).toContain('passa de 1 MiB');
  });

  test('answered by brackets only is unreadable', async () => {
    signIn = (response) => flood(response, 401, MAX_BYTES.answer / PIECE.length);
    const { status, json } = await testSignIn();
    expect([status, json.ok, json.message]).toEqual([200, false, expect.stringContaining('status 401')]);
  });

  test.each([
    ['1e300', null],
    ['NaN', null],
    ['Infinity', null],
    ['-1', null],
    ['1000000000000000000', null],
    ['', null],
    [String(Date.UTC(1999, 11, 31, 23, 59, 59)), null],
    [String(Date.UTC(2000, 0)), '1999-12-31T22:00:00.000-02:00'],
    [String(Date.UTC(2101, 0) - 1), '2100-12-31T20:59:59.999-03:00'],
    [String(Date.UTC(2101, 0)), null],
  ])('whose session ends at %s is reported to end at %s', async (expiration, until) => {
    signIn = (response) => void response.writeHead(200, tokens(expiration)).end();
    const { status, json } = await testSignIn();
    expect([status, json.ok, json.until]).toEqual([200, true, until]);
  });

  test('shows messages up to 4,000 characters, without control characters', async () => {
    const claims = Buffer.from(JSON.stringify({ nome: `A\u0007\u001b[31m\n${'B'.repeat(9000)}` }));
    signIn = (response) =>
      void response.writeHead(200, { ...tokens(), 'Set-Token': `a.${claims.toString('base64url')}.c` }).end();
    const { nome } = (await testSignIn()).json;
    expect([nome.length, nome.slice(0, 7), /\p{Cc}/u.test(nome)]).toEqual([4000, 'A[31mBB', false]);
    clock.moveTo(START + SIGN_IN_PACE_MS);
    const code = `X\u001b${'Y'.repeat(900_000)}`;
    signIn = (response) => void response.writeHead(403).end(JSON.stringify({ message: 'não', code }));
    const { message } = (await testSignIn()).json;
    expect([message.length < 4200, /\p{Cc}/u.test(message)]).toEqual([true, false]);
  });

  test('that a person requests is sent, for any requested wait of the remote', async () => {
    signIn = (response) => void response.writeHead(429, { 'Retry-After': '9'.repeat(300) }).end();
    expect((await testSignIn()).json.ok).toBe(false);
    clock.moveTo(START + SIGN_IN_PACE_MS);
    signIn = (response) => void response.writeHead(200, tokens()).end();
    expect((await testSignIn()).json).toMatchObject({ ok: true });
    expect(requests).toHaveLength(2);
  });
});

describe('an export', () => {
  const runComparison = async () => {
    const body = { cpfCnpjRaiz: COMPANY };
    const { json } = await demo.call('POST', `${REMOTES}/la/comparisons`, body);
    await localApp.app.core.remote.runner.idle();
    return (await demo.call('GET', `/appliance/api/comparisons/${json.id}`)).json;
  };

  test('without an end is cut at 200 MiB, is not requested again, and leaves no file', async () => {
    answer = (_, response) => flood(response, 200);
    const { state, error } = await runComparison();
    expect([state, error]).toEqual([
      'failed',
      { code: 'CATP-ER1530', message: expect.stringContaining('passa de 200 MiB') },
    ]);
    expect(requests.filter((path) => path.includes('/exportar/'))).toHaveLength(1);
    expect(readdirSync(join(localApp.folder, 'imports'))).toEqual([]);
  });

  test('of brackets only fails the comparison', async () => {
    answer = (_, response) => flood(response, 200, 256);
    expect(await runComparison()).toMatchObject({
      state: 'failed',
      error: { code: 'CATP-ER1529', message: expect.stringContaining('mais de 100 níveis') },
    });
  });

  test('keeps names up to 4,000 characters, without control characters', async () => {
    const product = {
      codigo: 7,
      versao: '1',
      situacao: 'Ativado',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    };
    const denominacao = `\u0007${'N'.repeat(100_000)}`;
    answer = ({ url = '' }, response) =>
      void response
        .writeHead(200)
        .end(JSON.stringify(url.includes('/produto/') ? [{ ...product, denominacao }] : []));
    const { id, state } = await runComparison();
    expect(state).toBe('done');
    const { items } = (await demo.call('GET', `/appliance/api/comparisons/${id}/records?state=soLa`)).json;
    expect([items.length, items[0].name.length, items[0].name.startsWith('NN')]).toEqual([1, 4000, true]);
  });
});

describe('an answer', () => {
  const ONE: WireRequest = { operation: 'getProduct', method: 'GET', path: '/catp/api/ext/produto' };
  const LIST: WireRequest = { ...ONE, operation: 'listProducts', isList: true };
  const outcomeOf = async (request: WireRequest, body: string) => {
    answer = (_, response) => void response.writeHead(200).end(body);
    const [remote] = localApp.app.core.db.prepare<[], { id: number }>('SELECT id FROM remote').all();
    return localApp.app.core.remote.wires.open(remote?.id ?? 0).ask(request);
  };
  const ofSize = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  const listOf = (bytes: number) => {
    const items = Array.from({ length: Math.floor(bytes / 1000) }, () => ofSize(999)).join();
    return `[${items}${' '.repeat(bytes - 2 - items.length)}]`;
  };

  test('has at most 1 MiB, a list 20 MiB', async () => {
    const tooLarge = (what: string) => ({ kind: 'tooLarge', reason: expect.stringContaining(what) });
    expect(await outcomeOf(ONE, ofSize(MAX_BYTES.answer))).toMatchObject({ kind: 'answer' });
    expect(await outcomeOf(ONE, ofSize(MAX_BYTES.answer + 1))).toEqual(tooLarge('1 MiB') as never);
    expect(await outcomeOf(LIST, listOf(MAX_BYTES.list))).toMatchObject({ kind: 'answer' });
    expect(await outcomeOf(LIST, listOf(MAX_BYTES.list + 1))).toEqual(tooLarge('20 MiB') as never);
  });

  test('with a list has at most 100,000 records', async () => {
    const records = (count: number) => `[${'1,'.repeat(count - 1)}1]`;
    expect(await outcomeOf(LIST, records(LIST_MAX_ITEMS))).toMatchObject({ kind: 'answer' });
    expect(await outcomeOf(LIST, records(LIST_MAX_ITEMS + 1))).toMatchObject({ kind: 'tooLarge' });
  });

  test('with more than 100 levels is unreadable', async () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(await outcomeOf(ONE, nested(100))).toMatchObject({ kind: 'answer' });
    expect(await outcomeOf(ONE, nested(101))).toMatchObject({ kind: 'unknown' });
    expect(await outcomeOf(LIST, nested(500))).toMatchObject({ kind: 'unknown' });
  });

  test('that arrives byte by byte ends after 60 s, also a list', async () => {
    answer = (_, response) => void response.writeHead(200).write('[');
    const [remote] = localApp.app.core.db.prepare<[], { id: number }>('SELECT id FROM remote').all();
    const waiting = localApp.app.core.remote.wires.open(remote?.id ?? 0).ask(LIST);
    while (requests.length < 2) await Bun.sleep(1);
    clock.moveTo(START + 60 * SECOND_MS);
    expect(await waiting).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('60 segundos') });
  });
});

test('an endless slow export ends after 10 minutes, although bytes keep arriving', async () => {
  let response: ServerResponse | undefined;
  answer = (_, sending) => {
    response = sending;
    sending.writeHead(200).write('[');
  };
  const [remote] = localApp.app.core.db.prepare<[], { id: number }>('SELECT id FROM remote').all();
  const file = join(localApp.folder, 'imports', 'export');
  const request: WireRequest = { operation: 'exportLinks', method: 'GET', path: '/catp/api/ext/fabricante' };
  const waiting = localApp.app.core.remote.wires.open(remote?.id ?? 0).download(request, file);
  while (response === undefined) await Bun.sleep(1);
  let isOver = false;
  void waiting.then(() => (isOver = true));
  let minutes = 0;
  for (; !isOver && minutes < 30; minutes += 0.5) {
    response.write(' ');
    await Bun.sleep(20); // the byte arrives
    clock.moveTo(clock.now() + 30 * SECOND_MS);
    await Bun.sleep(0);
  }
  expect(await waiting).toMatchObject({ kind: 'unknown' });
  expect(minutes).toBe(10);
});
