/** Secrets of the executable are in no file, no log line, no refusal and no metric. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, openSandbox, tokensOf } from '../executable/support.ts';

const CANARY = 'canario9b2e';
const HOOKS = '/portal/api/ext/webhook';

let alone: Sandbox;
/** All secrets of this test, by their meaning. */
const secrets: Record<string, string> = {};
/** Texts that the server gave to people without the right to the secrets. */
const texts: string[] = [];

beforeAll(async () => {
  alone = await openSandbox();
  const catp = await alone.start(
    ...['dev', '--port', '0', '--empty', '--data', 'dados', '--set', 'log.nivel=debug'],
    ...['--set', 'log.arquivo=catp.log', '--map', 'erp.exemplo:443=127.0.0.1:1', '--retry', 'none'],
  );
  const request = async (method: string, path: string, headers: object, body?: unknown): Promise<Response> =>
    fetch(catp.url + path, {
      method,
      headers: { ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const demo = (await tokensOf(catp.url, 'demo', 'demo')) as Record<string, string>;
  const admin = (await tokensOf(catp.url, 'admin', 'admin')) as Record<string, string>;
  secrets['token'] = demo['authorization'] ?? '';
  secrets['csrf'] = demo['x-csrf-token'] ?? '';
  const key = await request('POST', '/appliance/api/keys', admin, { documento: '00000000191' });
  secrets['clientSecret'] = ((await key.json()) as { clientSecret: string }).clientSecret;
  secrets['chaveSecreta'] = `${CANARY}-secreta`;
  secrets['chaveAutenticacao'] = `${CANARY}-autenticacao`;
  const hook = {
    evento: 'teste',
    endpoint: 'https://erp.exemplo/aviso',
    chaveSecreta: secrets['chaveSecreta'],
    chaveAutenticacao: secrets['chaveAutenticacao'],
  };
  expect((await request('POST', HOOKS, demo, hook)).status).toBe(200);
  const event = { evento: 'teste', destinatarioTipo: 'CPF', destinatarioId: '00000000191', conteudo: {} };
  expect((await request('POST', '/appliance/api/events', admin, event)).status).toBe(200);
  const invited = await request('POST', '/appliance/api/users/00000000191/invite', admin);
  const { url } = (await invited.json()) as { url: string };
  secrets['invitation'] = url.split('#').at(-1) ?? '';
  [secrets['senha'], secrets['nova']] = [`${CANARY}-senha`, `${CANARY}-nova`];
  const json = { 'content-type': 'application/json' };
  const { senha, nova } = secrets;
  const invitation = `/appliance/api/invitations/${secrets['invitation']}`;
  const passwords = [
    await request('POST', invitation, json, { senha: 'curta', nova }),
    await request('GET', invitation, {}),
    await request('POST', invitation, json, { senha }),
    await request('POST', invitation, json, { senha }),
    await request('POST', '/appliance/api/session', json, { login: '00000000191', senha }),
    await request('POST', '/appliance/api/session', json, { login: senha, senha: nova }),
    await request('PUT', '/appliance/api/me/password', { ...demo, ...json }, { atual: nova, nova: senha }),
    await request('PUT', '/appliance/api/me/password', { ...demo, ...json }, { atual: senha, nova }),
  ];
  expect(passwords.map(({ status }) => status)).toEqual([400, 405, 204, 422, 200, 422, 422, 204]);
  // A secret is refused in every possible way.
  secrets['wrong'] = `${CANARY}-errado`;
  const wrong = secrets['wrong'];
  const refused = [
    await request('POST', '/portal/api/autenticar/chave-acesso', {
      'client-id': 'demo',
      'client-secret': wrong,
      'role-type': 'IMPEXP',
    }),
    await request('GET', HOOKS, { authorization: wrong }),
    await request('GET', HOOKS, { ...demo, 'x-csrf-token': wrong }),
    await request('POST', HOOKS, demo, { ...hook, chaveSecreta: [wrong] }),
    await request('POST', HOOKS, demo, { ...hook, chaveSecreta: wrong.repeat(20) }),
    await request('POST', HOOKS, demo, `{"chaveSecreta":"${wrong}`),
  ];
  expect(refused.map(({ status }) => status)).toEqual([422, 401, 401, 400, 400, 400]);
  for (const answer of refused) texts.push(await answer.text());
  for (const path of ['/metrics', '/readyz']) texts.push(await (await request('GET', path, {})).text());
  for (const path of ['events', 'deliveries', 'keys', 'users'])
    texts.push(await (await request('GET', `/appliance/api/${path}`, admin)).text());
  expect(alone.run(['backup', '--data', 'dados', '--to', 'copias']).code).toBe(0);
  expect(
    alone.run(['restore', `copias/${readdirSync(join(alone.folder, 'copias'))[0] ?? ''}`, '--to', 'volta'])
      .code,
  ).toBe(0);
  // The log and the write-ahead log of a running server.
  await catp.kill9();
  texts.push(catp.stdout, await catp.allStderr());
});
afterAll(() => alone.close());

test('the secrets are in use', () => {
  for (const [name, secret] of Object.entries(secrets))
    expect([name, secret.length > 15]).toEqual([name, true]);
  expect(texts.length).toBeGreaterThan(10);
});

test('are in no answer, metric or output', () => {
  for (const [name, secret] of Object.entries(secrets))
    for (const text of texts) expect([name, text.includes(secret)]).toEqual([name, false]);
});

test('are in no file: database, write-ahead log, log, backup, restored folder', () => {
  const files = readdirSync(alone.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(alone.folder, name)).isFile(),
  );
  for (const needed of ['catp.log', 'dados/catp.sqlite', 'dados/catp.sqlite-wal', 'volta/catp.sqlite'])
    expect(files).toContain(needed);
  expect(readFileSync(join(alone.folder, 'catp.log'), 'utf8')).toContain('authenticateWithKey');
  // The search finds values that are no secrets, so it would find a secret.
  const bytesOf = (name: string): Buffer => readFileSync(join(alone.folder, name));
  expect(bytesOf('volta/catp.sqlite').includes('https://erp.exemplo/aviso')).toBe(true);
  for (const name of files) {
    const bytes = readFileSync(join(alone.folder, name));
    for (const [secret, text] of Object.entries(secrets))
      for (const form of [
        text,
        Buffer.from(text).toString('base64').slice(0, -4),
        Buffer.from(text).toString('hex'),
      ])
        expect([name, secret, bytes.includes(form)]).toEqual([name, secret, false]);
  }
});
