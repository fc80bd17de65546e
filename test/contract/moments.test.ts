/** Every time for people is Brasília time with its offset, in one form (contract section 13). */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { logLine } from '../../src/log/log.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { ROOT } from '../support/sources.ts';

/** The tests start processes. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}[+-]\d{2}:\d{2}$/;
/** A date with a time of day, or a number of milliseconds of the present. */
const LIKE_A_MOMENT = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\d{2}[-/]\d{2}[-/]\d{4} \d{2}:\d{2}/;
const EPOCH_MS = [Date.parse('2020-01-01'), Date.parse('2040-01-01')] as const;

/** Members that the contract prints without a zone: the body of an error, and bodies of events. */
const PRINTED_OTHERWISE = ['date', 'dataHora', 'data', 'dataEvento'];

interface ReportedMoment {
  readonly where: string;
  readonly text: string;
}

function* momentsIn(value: unknown, where: string, member = ''): Generator<ReportedMoment> {
  if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      // The body of an event belongs to its module, which prints times in its own form.
      if (name === 'sample') continue;
      yield* momentsIn(inner, `${where}/${name}`, Array.isArray(value) ? member : name);
    }
    return;
  }
  const isNumber = typeof value === 'number' && value >= EPOCH_MS[0] && value < EPOCH_MS[1];
  const isText = typeof value === 'string' && LIKE_A_MOMENT.test(value);
  if ((isNumber || isText) && !PRINTED_OTHERWISE.includes(member)) yield { where, text: String(value) };
}

const wrong = (moments: readonly ReportedMoment[]): readonly ReportedMoment[] =>
  moments.filter(({ text }) => !MOMENT.test(text));

/** The value of each path parameter. */
const PARAMETERS: Readonly<Record<string, string>> = { cpfCnpjRaiz: '12345678', codigo: '1' };
const filled = (path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => PARAMETERS[name] ?? '1');

let server: TestApp;
let admin: Client;
let demo: Client;

beforeAll(async () => {
  server = await openApp({ demo: true, settings: { 'entrega.mapa': 'erp.invalid:443=127.0.0.1:1' } });
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
  const subscription = { evento: 'aviso', endpoint: 'https://erp.invalid/a' };
  await demo.call('POST', '/portal/api/ext/webhook', subscription);
  const event = { evento: 'aviso', destinatarioTipo: 'CPF', destinatarioId: '00000000191', conteudo: {} };
  expect((await admin.call('POST', '/appliance/api/events', event)).status).toBe(200);
  const file = new FormData();
  file.set('file', new Blob(['[]']), 'a.json');
  file.set('tipo', 'produto');
  expect((await demo.call('POST', '/appliance/api/imports', file)).status).toBe(202);
});

afterAll(() => server.close());

test('in the answer of every operation of catp with a time', async () => {
  const own = (await server.app.operations()).filter(
    ({ method, path }) => method === 'GET' && /^\/(appliance|readyz|healthz)/.test(path),
  );
  const moments: ReportedMoment[] = [];
  for (const { path } of own.filter(({ path }) => !path.endsWith('/live')))
    for (const client of [admin, demo]) {
      const reply = await client.call('GET', filled(path));
      if (isJson(reply.headers)) moments.push(...momentsIn(reply.json, path));
    }
  expect(wrong(moments)).toEqual([]);
  const tellers = new Set(moments.map(({ where }) => where.replaceAll(/\/\d+/g, '/*')));
  for (const teller of [
    '/appliance/api/attribute-tables/*/loadedAt',
    '/appliance/api/clock/now',
    '/appliance/api/deliveries/*/nextAttemptAt',
    '/appliance/api/events/*/publishedAt',
    '/appliance/api/imports/*/createdAt',
    '/appliance/api/imports/:id/createdAt',
    '/appliance/api/keys/*/createdAt',
  ])
    expect([...tellers]).toContain(teller);
});

const isJson = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

test('in the examples of their document', async () => {
  const own = (await server.app.operations()).filter(({ path }) =>
    /^\/(appliance|readyz|healthz)/.test(path),
  );
  const moments = own.flatMap(({ id, success }) => [...momentsIn(success, id)]);
  expect(moments.length).toBeGreaterThan(5);
  expect(wrong(moments)).toEqual([]);
});

test('in the lines of the log', () => {
  const record = { category: ['catp'], level: 'info', message: ['oi'], rawMessage: 'oi' } as const;
  const line = logLine({ ...record, timestamp: START, properties: { tag: '[CATP-X]' } });
  expect(JSON.parse(line)).toMatchObject({
    '@timestamp': '2026-01-15T09:00:00.000-03:00',
    level: 'INFO',
    message: 'oi',
    properties: { tag: '[CATP-X]' },
  });
  expect(line).toEndWith('\n');
});

test.each(['key list', 'event list', 'attributes list'])('in the output of catp %s', async (words) => {
  const main = join(ROOT, 'src/main.ts');
  const child = Bun.spawn([process.execPath, main, ...words.split(' '), '--data', server.folder], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { TZ: 'UTC' },
  });
  const output = await new Response(child.stdout).text();
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, '']);
  const moments = output.split(/\s+/).filter((word) => /\d{4}-\d{2}-\d{2}T|Z$/.test(word));
  expect(moments.length).toBeGreaterThan(0);
  for (const moment of moments) expect(moment).toMatch(MOMENT);
});
