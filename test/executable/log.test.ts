/**
 * The log: the reason of a refusal, and the author of each account change, through the API and the command
 * line; never a secret.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { RunningCatp } from '../support/executable.ts';
import { type Sandbox, openSandbox, tokensOf } from './support.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

interface Line {
  readonly level: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

/** Returns the account changes in the log without the common members of a line. */
const changesOf = (text: string): unknown[] =>
  linesOf(text)
    .filter(({ properties }) => 'subject' in properties)
    .map(({ properties }) => properties);

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

async function openSession(catp: RunningCatp, key: string): Promise<Call> {
  const headers = (await tokensOf(catp.url, key, key)) as Record<string, string>;
  return (method, path, body) =>
    fetch(`${catp.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

/** Stops the server first, so that the log is complete. */
async function logOf(catp: RunningCatp): Promise<string> {
  expect(await catp.stop()).toBe(0);
  return catp.allStderr();
}

describe('the line of a refused request', () => {
  test('has the code and message of the answer, and code and pointer of each problem', async () => {
    const catp = await sandbox.start('dev', '--port', '0', '--empty', '--log', 'json');
    const demo = await openSession(catp, 'demo');
    const badRequest = await demo('POST', '/catp/api/ext/produto/12345678', { ncm: '1', modalidade: 'X' });
    const forbidden = await demo('GET', '/catp/api/ext/produto/11222333/1/1');
    const notFound = await demo('GET', '/catp/api/ext/produto/12345678/1/1');
    const unauthorized = await fetch(`${catp.url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'Client-Id': 'demo', 'Client-Secret': 'canario-errado', 'Role-Type': 'IMPEXP' },
    });
    const answers = (await Promise.all(
      [badRequest, forbidden, notFound, unauthorized].map((answer) => answer.json()),
    )) as {
      readonly message: string;
      readonly code: string;
      readonly tag: string;
      readonly status: number;
      readonly detail?: readonly { readonly code: string; readonly path: string }[];
    }[];
    expect(answers.map(({ status }) => status)).toEqual([400, 403, 404, 422]);

    const log = await logOf(catp);
    const lines = linesOf(log);
    for (const { message, code, tag, status, detail } of answers) {
      const line = lines.find(({ properties }) => tag.includes(`-${String(properties.tag)}]`));
      expect(line?.properties).toMatchObject({ message, code, status });
      if (detail !== undefined && detail.length > 0)
        expect(line?.properties).toMatchObject({
          problems: detail.map((problem) => ({ code: problem.code, path: problem.path })),
          problemCount: detail.length,
        });
    }
    expect(answers[0]?.detail?.length).toBeGreaterThan(1);
    expect(log).not.toContain('canario-errado');
  });
});

test('each sign-in logs one line with user, method, address and result, and never a secret', async () => {
  const catp = await sandbox.start('dev', '--port', '0', '--empty', '--log', 'json');
  const secret = 'canario-'.repeat(5);
  for (const [id, clientSecret] of [
    ['demo', 'demo'],
    ['demo', secret],
    [secret, 'demo'],
  ] as const)
    await tokensOf(catp.url, id, clientSecret);
  await fetch(`${catp.url}/portal/api/autenticar`, { method: 'POST', headers: { 'Role-Type': 'IMPEXP' } });
  const log = await logOf(catp);
  const signIns = linesOf(log).flatMap(({ level, properties }) => {
    const { way, user, clientId, address, status, code } = properties;
    return way === undefined ? [] : [[level, way, user, clientId, address, status, code]];
  });
  expect(signIns).toEqual([
    ['INFO', 'key', '***.000.001-**', 'demo', '127.0.0.1', 200, undefined],
    ['INFO', 'key', null, 'demo', '127.0.0.1', 422, 'PLAT-ER8008'],
    ['INFO', 'key', null, 'canario-canario-…', '127.0.0.1', 422, 'PLAT-ER8008'],
    ['INFO', 'certificate', null, undefined, '127.0.0.1', 422, 'PLAT-ER2001'],
  ]);
  expect(log).not.toContain(secret);
});

describe('a change of an account', () => {
  test('through the API is logged with the administrator’s masked document, and without secrets', async () => {
    const catp = await sandbox.start('dev', '--port', '0', '--empty', '--log', 'json');
    const admin = await openSession(catp, 'admin');
    const api = '/appliance/api';
    const user = { documento: '52998224725', nome: 'Nome Sigiloso', tipo: 'PRIV', administrador: true };
    const acts = { documento: '52998224725', cpfCnpjRaiz: '33444555', perfil: 'IMPEXP' };
    const company = { cpfCnpjRaiz: '33444555', nome: 'Nova' };
    await admin('POST', `${api}/companies`, company);
    await admin('POST', `${api}/companies`, { ...company, nome: 'Outra' });
    await admin('POST', `${api}/users`, user);
    await admin('POST', `${api}/users`, { ...user, administrador: false });
    await admin('POST', `${api}/representations`, acts);
    await admin('POST', `${api}/representations`, acts); // nothing changes
    const key = (await (await admin('POST', `${api}/keys`, { documento: '52998224725' })).json()) as {
      readonly clientId: string;
      readonly clientSecret: string;
    };
    await admin('DELETE', `${api}/representations`, acts);
    await admin('DELETE', `${api}/keys/${key.clientId}`);
    await admin('DELETE', `${api}/users/52998224725`);
    await admin('DELETE', `${api}/users/52998224725`); // refused
    const log = await logOf(catp);
    const author = '***.000.005-**';
    const usuario = '***.982.247-**';
    expect(changesOf(log)).toEqual([
      { action: 'include', subject: 'empresa 33444555', by: author },
      { action: 'change', subject: 'empresa 33444555', by: author },
      { action: 'include', subject: `usuario ${usuario}`, by: author, tipo: 'PRIV', administrador: true },
      { action: 'change', subject: `usuario ${usuario}`, by: author, tipo: 'PRIV', administrador: false },
      { action: 'include', subject: `representacao ${usuario}/33444555/IMPEXP`, by: author },
      { action: 'include', subject: `chave ${key.clientId}/${usuario}`, by: author },
      { action: 'remove', subject: `representacao ${usuario}/33444555/IMPEXP`, by: author },
      { action: 'revoke', subject: `chave ${key.clientId}/${usuario}`, by: author },
      { action: 'remove', subject: `usuario ${usuario}`, by: author },
    ]);
    for (const hidden of [key.clientSecret, 'Nome Sigiloso']) expect(log).not.toContain(hidden);
  });

  test('by the command line is logged on its standard error as a local change', async () => {
    const server = await sandbox.start('serve', '--port', '0', '--data', 'dados');
    expect(await server.stop()).toBe(0);
    const uid = String(process.getuid?.() ?? '');
    const author = 'linha de comando';
    const usuario = '***.982.247-**';
    const run = (line: string): { stdout: string; changes: unknown[]; stderr: string } => {
      const { code, stdout, stderr } = sandbox.run([...line.split(' '), '--data', 'dados']);
      expect([line, code]).toEqual([line, 0]);
      return { stdout, stderr, changes: changesOf(stderr) };
    };
    expect(run('company add 33444555 --nome Nova').changes).toEqual([
      { action: 'include', subject: 'empresa 33444555', by: author, uid },
    ]);
    expect(run('user add 52998224725 --nome Ana').changes).toEqual([
      {
        action: 'include',
        subject: `usuario ${usuario}`,
        by: author,
        uid,
        tipo: 'PRIV',
        administrador: false,
      },
    ]);
    expect(run('representation add 52998224725 33444555').changes).toHaveLength(1);
    const key = run('key add 52998224725');
    const [, clientId = '', secret = ''] = /Client-Id: (\S+)\nClient-Secret: (\S+)/.exec(key.stdout) ?? [];
    expect(key.changes).toEqual([
      { action: 'include', subject: `chave ${clientId}/${usuario}`, by: author, uid },
    ]);
    expect(key.stderr).not.toContain(secret);
    expect(run(`key revoke ${clientId}`).changes).toHaveLength(1);
    expect(run('representation remove 52998224725 33444555').changes).toHaveLength(1);
    expect(run('user remove 52998224725').changes).toHaveLength(1);
    // A list changes nothing, and log.nivel hides these lines.
    expect(run('user list').stderr).toBe('');
    expect(run('company set 33444555 --nome Outra --set log.nivel=warning').stderr).toBe('');
  });
});
