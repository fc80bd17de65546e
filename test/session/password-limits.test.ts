/**
 * Limits of sign-ins by password in frequency and concurrency, and the absence of their secrets in
 * outputs (contract sections 2, 16).
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { MINUTE_MS, REAL_TIME, SECOND_MS } from '../../src/clock.ts';
import { PasswordHashes, WAITING_PASSWORDS } from '../../src/session/password-hashes.ts';
import { FAILURES_BEFORE_BLOCK } from '../../src/session/throttle.ts';
import type { AppParts } from '../../src/assembly/app.ts';
import { openApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { type Secured, openSecured } from '../tls/secured.ts';

const SESSION = '/appliance/api/session';
const DEMO = '00000000191';
const GOOD = 'quatro cavalos e um trem';
const WRONG = 'segredo-que-ninguem-pode-ver';

let server: TestApp | undefined;
let secured: Secured | undefined;
afterEach(async () => {
  await server?.close();
  await secured?.close();
  [server, secured] = [undefined, undefined];
});

/** Real time that stands still. A wait of a second ends at once and is counted. */
function countedTime() {
  const time = { ms: 0, waits: 0 };
  const realTime: NonNullable<AppParts['realTime']> = {
    ...REAL_TIME,
    now: () => time.ms,
    after: (ms, work) => {
      if (ms === SECOND_MS) time.waits += 1;
      return REAL_TIME.after(ms === SECOND_MS ? 0 : ms, work);
    },
  };
  return { time, realTime };
}

async function givePassword({ anybody, as }: TestApp, email?: string): Promise<void> {
  const admin = await as('admin');
  if (email !== undefined) await admin.call('POST', '/appliance/api/users', { documento: DEMO, email });
  const { url } = (await admin.call('POST', `/appliance/api/users/${DEMO}/invite`)).json;
  const path = `/appliance/api/invitations/${new URL(url).hash.slice(1)}`;
  expect((await anybody.call('POST', path, { senha: GOOD })).status).toBe(204);
}

describe('after ten wrong passwords within a minute', () => {
  const open = async () => {
    const { time, realTime } = countedTime();
    server = await openApp({ parts: { realTime } });
    const { anybody } = server;
    await givePassword(server, 'demo@exemplo.com.br');
    const attempt = async (login: string, senha: string) =>
      (await anybody.call('POST', SESSION, { login, senha })).status;
    const fail = async (times: number, login = DEMO) => {
      for (let failure = 1; failure <= times; failure += 1) expect(await attempt(login, WRONG)).toBe(422);
    };
    return { server, time, attempt, fail };
  };

  test('a wrong one is delayed for a minute of real time; the right one never', async () => {
    const { time, attempt, fail } = await open();
    await fail(FAILURES_BEFORE_BLOCK - 1);
    expect(await attempt(DEMO, GOOD)).toBe(200);
    await fail(FAILURES_BEFORE_BLOCK);
    expect(time.waits).toBe(0);
    await fail(1);
    // The delay belongs to the address: any user waits.
    await fail(1, 'ninguem@exemplo.com.br');
    expect(time.waits).toBe(2);
    expect(await attempt(DEMO, GOOD)).toBe(200);
    expect(time.waits).toBe(2);
    await fail(FAILURES_BEFORE_BLOCK);
    time.ms += MINUTE_MS;
    await fail(1);
    expect(time.waits).toBe(2);
  });

  test('the CPF, its punctuation and the e-mail of a person count as one, and so do wrong keys', async () => {
    const { server: opened, time, fail } = await open();
    await fail(5);
    await fail(2, '000.000.001-91');
    await fail(2, 'DEMO@exemplo.com.br');
    await opened.anybody.call('POST', '/portal/api/autenticar/chave-acesso', undefined, {
      'client-id': 'demo',
      'client-secret': WRONG,
      'role-type': 'IMPEXP',
    });
    expect(time.waits).toBe(0);
    await fail(1);
    expect(time.waits).toBe(1);
  });

  test('a wrong present password in a change is delayed too', async () => {
    const { server: opened, time } = await open();
    const demo = await opened.as('demo');
    const change = async (atual: string) =>
      (await demo.call('PUT', '/appliance/api/me/password', { atual, nova: 'outra senha boa' })).status;
    for (let failure = 1; failure <= FAILURES_BEFORE_BLOCK; failure += 1)
      expect(await change(WRONG)).toBe(422);
    expect(time.waits).toBe(0);
    expect(await change(WRONG)).toBe(422);
    expect(time.waits).toBe(1);
    expect(await change(GOOD)).toBe(204);
    expect(time.waits).toBe(1);
  });
});

describe('hashes', () => {
  test('are computed two at once, one for each address; a limited number waits, and the next is refused at once', async () => {
    const hashes = new PasswordHashes(REAL_TIME);
    const outcomes: string[] = [];
    const ask = (address: string) =>
      hashes
        .isRight(GOOD, undefined, address)
        .then(String, (error: Error) => error.message)
        .then((outcome) => outcomes.push(outcome));
    const busy = 'Há senhas demais sendo conferidas neste momento; tente de novo em 5 segundos.';
    const first = ask('a');
    await new Promise(setImmediate); // its turn has come, so it is not in the queue
    const running = [first, ...Array.from({ length: WAITING_PASSWORDS.address }, () => ask('a'))];
    await ask('a');
    expect(outcomes).toEqual([busy]);
    // The server answers another address while those wait.
    await ask('b');
    expect(outcomes.slice(1)).toContain('false');
    expect(outcomes.length).toBeLessThan(running.length);
    hashes.close();
    await Promise.all(running);
  });

  test('have the same number for an unknown person as for a wrong password', async () => {
    server = await openApp();
    await givePassword(server);
    const { anybody } = server;
    const verify = Bun.password.verify.bind(Bun.password);
    const compared: string[] = [];
    Bun.password.verify = async (password, hash) => {
      compared.push((hash as string).split('$').slice(0, 4).join('$'));
      return verify(password, hash);
    };
    try {
      for (const login of [DEMO, '00000000272', '11144477735', 'ninguem@exemplo.com.br'])
        await anybody.call('POST', SESSION, { login, senha: WRONG });
    } finally {
      Bun.password.verify = verify;
    }
    expect(compared).toEqual(Array.from({ length: 4 }, () => '$argon2id$v=19$m=19456,t=2,p=1'));
  });

  test('do not block other answers of the server', async () => {
    server = await openApp();
    const { anybody } = server;
    const attempts = Array.from({ length: 30 }, () =>
      anybody.call('POST', SESSION, { login: DEMO, senha: WRONG }),
    );
    let isOver = false;
    const all = Promise.all(attempts).then((replies) => {
      isOver = true;
      return replies;
    });
    expect((await anybody.call('GET', '/healthz')).status).toBe(200);
    expect(isOver).toBe(false);
    expect(new Set((await all).map(({ status }) => status))).toEqual(new Set([422]));
  });
});

describe('the log, the terminal and the journal', () => {
  const post = async (path: string, body: object): Promise<Response> =>
    fetch(`${secured?.plain.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('have each sign-in with its method, and the reason of a refusal', async () => {
    secured = await openSecured();
    await givePassword(secured.server);
    await post(SESSION, { login: DEMO, senha: GOOD });
    const before = secured.printed.length;
    for (const [login, reason] of [
      [DEMO, 'A senha está errada.'],
      ['00000000272', 'A pessoa ainda não tem senha.'],
      [WRONG, 'Nenhum usuário desta instância tem esse CPF ou e-mail.'],
    ] as const) {
      await post(SESSION, { login, senha: WRONG });
      const line = secured.exchanges.findLast(({ code }) => code === 'PLAT-ER8008');
      expect(line).toMatchObject({ way: 'senha', status: 422, reason: expect.stringContaining(reason) });
      expect(secured.printed.at(-1)).toStartWith(
        `Entrada por senha de 127.0.0.1 recusada (PLAT-ER8008): ${reason}`,
      );
    }
    expect(secured.printed.length).toBe(before + 3);
    expect(secured.exchanges).toContainEqual(
      expect.objectContaining({ way: 'senha', user: '***.000.001-**', status: 200, address: '127.0.0.1' }),
    );
    expect(JSON.stringify([secured.printed, secured.exchanges])).not.toContain(WRONG);
  });

  test('have no passwords, and no token of an invitation', async () => {
    secured = await openSecured();
    const { anybody, as } = secured.server;
    const admin = await as('admin');
    const demo = await as('demo');
    const { url } = (await admin.call('POST', `/appliance/api/users/${DEMO}/invite`)).json;
    const token = String(url).split('#').at(-1) ?? '';
    const path = `/appliance/api/invitations/${token}`;
    await post(path, { senha: WRONG.slice(0, 8) });
    await post(path, { senha: WRONG, outra: WRONG });
    await post(path, { senah: WRONG });
    await post(`${path}/mais`, { senha: WRONG });
    await anybody.call('GET', path);
    expect((await post(path, { senha: WRONG })).status).toBe(204);
    await post(path, { senha: WRONG });
    await post(SESSION, { login: DEMO, senha: WRONG });
    await post(SESSION, { login: DEMO, senha: GOOD });
    await demo.call('PUT', '/appliance/api/me/password', { atual: GOOD, nova: WRONG });
    await demo.call('PUT', '/appliance/api/me/password', { atual: WRONG, nova: GOOD });
    await demo.call('PUT', '/appliance/api/me/password', `{"atual":"${GOOD}","nova":"${WRONG}`);
    const rows = async () => (await admin.call('GET', '/appliance/api/requests?limit=100')).json;
    await eventually(async () => (await rows()).length).toBeGreaterThan(12);
    const texts: string[] = [
      secured.printed.join('\n'),
      secured.logged.join('\n'),
      JSON.stringify(secured.exchanges),
    ];
    for (const { id } of await rows())
      for (const further of ['', '/curl'])
        texts.push((await admin.call('GET', `/appliance/api/requests/${id}${further}`)).text);
    for (const secret of [token, WRONG, GOOD])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(texts.join('\n')).toContain('/appliance/api/invitations/***');
    expect(texts.join('\n')).toContain('/convite#***');
    expect(texts.join('\n')).toContain('/appliance/api/invitations/\'"$TOKEN"');
  });
});
