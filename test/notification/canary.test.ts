/**
 * No secret is ever shown (contract sections 3 and 9): canaries in every secret field, and a search in every
 * output.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { configureSync, getLogger, jsonLinesFormatter, resetSync } from '@logtape/logtape';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, type Reply, type TestApp, openApp } from '../support/app.ts';
import { openReceiver, testAuthority } from '../support/receiver.ts';
import { EVENTO, PATH, REQUEST } from './support.ts';

const CANARY = 'canario7f3a';
const secret = (name: string): string => `${CANARY}-${name}`;

/** Output and log of the process, and the bodies of all answers that must not contain a secret. */
const texts: string[] = [];
const refusals: Reply[] = [];
let server: TestApp;
let demo: Client;
let admin: Client;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let certificates: string;
let restoreOutput = (): void => undefined;
let attempts: readonly { readonly state: string }[] = [];
/** Secrets that the server created. */
const generated: string[] = [];

beforeAll(async () => {
  configureSync({
    reset: true,
    sinks: { told: (record) => void texts.push(jsonLinesFormatter(record), Bun.inspect(record)) },
    loggers: [{ category: [], sinks: ['told'], lowestLevel: 'trace' }],
  });
  restoreOutput = keepOutput();
  certificates = mkdtempSync(join(tmpdir(), 'catp-canary-'));
  const ca = join(certificates, 'ca.pem');
  writeFileSync(ca, (await testAuthority()).pem);
  // A receiver that repeats the whole request in its answer.
  const statuses = [200, 500];
  receiver = await openReceiver({
    forward: ({ headers }) => {
      const text = `${JSON.stringify(headers)} ${headers.authorization?.slice('Basic '.length)}`;
      const status = statuses.shift() ?? 500;
      return Promise.resolve({
        ...({ kind: 'answered', status, type: undefined, ms: 0 } as const),
        body: Buffer.from(text),
      });
    },
  });
  server = await openApp({
    settings: {
      'entrega.mapa': `bom.exemplo:443=127.0.0.1:${receiver.port},morto.exemplo:443=127.0.0.1:1`,
      'entrega.ca': ca,
    },
    parts: { log: getLogger('catp') },
  });
  [demo, admin] = [await server.as('demo'), await server.as('admin')];
  await live();
});

afterAll(async () => {
  await server.close();
  await receiver[Symbol.asyncDispose]();
  restoreOutput();
  resetSync();
  rmSync(certificates, { recursive: true, force: true });
});

/** Runs the lifecycle of secrets: set, refused, changed, sent, not sent, deleted. */
async function live(): Promise<void> {
  const good = 'https://bom.exemplo/notificacoes';
  const dead = 'https://morto.exemplo/notificacoes';
  const secrets = { chaveSecreta: secret('secreta'), chaveAutenticacao: `Basic ${secret('autenticacao')}` };
  await expectStatus(200, demo.call('POST', PATH, { evento: EVENTO, endpoint: good, ...secrets }));
  await expectStatus(200, demo.call('POST', PATH, { evento: 'outro', endpoint: dead, ...secrets }));
  await expectStatus(
    200,
    demo.call('PUT', `${PATH}/2`, { id: 2, evento: 'outro', endpoint: dead, chaveSecreta: secret('mudada') }),
  );
  for (const evento of [EVENTO, EVENTO, 'outro'])
    await expectStatus(
      200,
      admin.call('POST', '/appliance/api/events', {
        evento,
        destinatarioTipo: 'CNPJ',
        destinatarioId: '12345678',
        conteudo: {},
      }),
    );
  // The clock answers after the due work has run.
  await expectStatus(200, admin.call('POST', '/appliance/api/clock', { advance: 'PT5M' }));
  attempts = (await admin.call('GET', '/appliance/api/deliveries')).json;
  await refused();
  const key = await admin.call('POST', '/appliance/api/keys', { documento: '00000000191' });
  generated.push(key.json.clientSecret as string);
  await admin.call('DELETE', `/appliance/api/keys/${key.json.clientId}`);
  await expectStatus(204, demo.call('DELETE', `${PATH}/2`));
  for (const path of [
    `${PATH}/falhas`,
    '/appliance/api/deliveries',
    '/appliance/api/deliveries/1',
    '/appliance/api/deliveries/2',
    '/appliance/api/events',
    '/appliance/api/keys',
  ])
    texts.push((await (path.startsWith('/portal') ? demo : admin).call('GET', path)).text);
}

/** Sends requests with a canary in each. All are refused. */
async function refused(): Promise<void> {
  const each = (value: unknown): object => ({ ...REQUEST, chaveSecreta: value, chaveAutenticacao: value });
  const bodies: unknown[] = [
    ...[
      secret('x').padEnd(101, 'x'),
      ` ${secret('x')}`,
      `${secret('x')}\n`,
      `${secret('x')}é`,
      `${secret('x')}\0`,
    ].map(each),
    ...[[secret('x')], { a: secret('x') }].map(each),
    { ...each(secret('x')), desconhecido: 1 },
    { ...each(secret('x')), endpoint: `https://maria:${secret('x')}@erp.exemplo/` },
    { ...each(secret('x')), endpoint: `https:maria:${secret('x')}@erp.exemplo:81` },
    { ...each(secret('x')), endpoint: `https://maria:${secret('x')}@ erp` },
    { ...each(secret('x')), endpoint: `https://maria:${secret('x')}@erp.exemplo/${'a'.repeat(500)}` },
    { ...each(secret('x')), endpoint: `https://maria:${secret('x')}@erp.exemplo/\0` },
    [each(secret('x'))],
    secret('x'),
    `{"chaveSecreta": ${CANARY}}`,
    `{"chaveSecreta": "${CANARY}`,
    `{"chaveSecreta": "a" ${CANARY}}`,
    `{"chaveSecreta": "${CANARY}\\q"}`,
    each(secret('x')), // a subscription to that event already exists
  ];
  for (const body of bodies) {
    const text = typeof body === 'string' && !body.startsWith('{') ? JSON.stringify(body) : body;
    refusals.push(await demo.call('POST', PATH, text), await demo.call('PUT', `${PATH}/1`, text));
  }
  const credentials = { 'client-id': 'demo', 'client-secret': secret('client'), 'role-type': 'IMPEXP' };
  refusals.push(
    await server.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, credentials),
    await server.anybody.call('GET', PATH, undefined, {
      authorization: secret('jwt'),
      'x-csrf-token': secret('csrf'),
    }),
    await demo.call('GET', PATH, undefined, { 'x-csrf-token': secret('csrf') }),
  );
}

describe('a secret that only the test knows', () => {
  test('was used: sent to the receiver, tried on an unreachable one, refused repeatedly', () => {
    expect(attempts.map(({ state }) => state).sort()).toEqual(['delivered', 'pending', 'pending']);
    expect(receiver.requests[0]?.headers).toMatchObject({
      secret: secret('secreta'),
      authorization: `Basic ${secret('autenticacao')}`,
    });
    // A PUT without an id is refused too, so every answer is a refusal.
    expect(refusals.filter(({ status }) => status < 400)).toEqual([]);
    expect(refusals.length).toBeGreaterThan(30);
  });

  test('is shown to its owner on request', async () => {
    expect((await demo.call('GET', PATH)).json[0].chaveSecreta).toBe(secret('secreta'));
  });

  test('occurs in no body of a refusal', () => {
    expect(refusals.map(({ text }) => text).filter((text) => text.includes(CANARY))).toEqual([]);
  });

  test('occurs in no line of the log, no output of the process and no list of administration', () => {
    expect(texts.length).toBeGreaterThan(refusals.length);
    const words = [CANARY, ...generated];
    expect(texts.filter((text) => words.some((word) => text.includes(word)))).toEqual([]);
  });

  test('occurs in no stored response of a receiver', async () => {
    for (const [id, status] of [
      [1, 200],
      [2, 500],
    ]) {
      const [attempt] = (await admin.call('GET', `/appliance/api/deliveries/${id}`)).json.attempts;
      expect(attempt.status).toBe(status);
      expect(attempt.answer).toMatch(/^\{.*"secret":"•••".*"authorization":"•••".*\} •••$/);
    }
    const { attempts: dead } = (await admin.call('GET', '/appliance/api/deliveries/3')).json;
    expect(dead[0]).toMatchObject({ status: null, answer: null });
    expect((await admin.call('GET', '/appliance/api/deliveries')).text).not.toContain('"answer":');
  });

  test('occurs in no metric', async () => {
    const metrics = await server.anybody.call('GET', '/metrics');
    expect(metrics.text).toContain('catp_delivery_attempts_total');
    expect(metrics.text).not.toContain(CANARY);
  });

  test('occurs in no byte of the database and its log', () => {
    const files = readdirSync(server.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(files.some((file) => file.endsWith('.sqlite-wal'))).toBe(true);
    const bytes = Buffer.concat(files.map((file) => readFileSync(file)));
    // The search works: a value that is no secret is found unchanged.
    expect(bytes.includes('https://bom.exemplo/notificacoes')).toBe(true);
    for (const word of [
      CANARY,
      Buffer.from(CANARY).toString('base64').slice(0, 12),
      Buffer.from(CANARY).toString('hex'),
      ...generated,
    ])
      expect([word, bytes.includes(word)]).toEqual([word, false]);
  });
});

async function expectStatus(status: number, pending: Promise<Reply>): Promise<void> {
  const reply = await pending;
  if (reply.status !== status) throw new Error(`${reply.status} instead of ${status}: ${reply.text}`);
}

/** Records the output of the process, and still writes it. */
function keepOutput(): () => void {
  const streams = [process.stdout, process.stderr] as const;
  const writes = streams.map((stream) => stream.write.bind(stream));
  for (const stream of streams) {
    const write = stream.write.bind(stream);
    stream.write = (chunk: string | Uint8Array, ...rest: []) => {
      texts.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
      return write(chunk, ...rest);
    };
  }
  return () => streams.forEach((stream, index) => (stream.write = writes[index] as typeof stream.write));
}
