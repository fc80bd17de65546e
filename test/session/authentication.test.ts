import { afterEach, describe, expect, test } from 'bun:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import { FAILURES_BEFORE_BLOCK, WAITING_PER_ADDRESS } from '../../src/session/throttle.ts';
import { type TestApp, openApp } from '../support/app.ts';

const PATH = '/portal/api/autenticar/chave-acesso';
const DEMO = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };
const PRODUCTS = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';

let opened: TestApp | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

async function open(...parameters: Parameters<typeof openApp>): Promise<TestApp> {
  return (opened = await openApp(...parameters));
}

describe('authentication with an access key', () => {
  test('is refused without Role-Type, before the key is read', async () => {
    const { anybody } = await open();
    const reply = await anybody.call('POST', PATH, undefined, { 'client-id': 'nobody' });
    expect(reply.status).toBe(422);
    expect(reply.json).toEqual({
      status: 422,
      message: "O cabeçalho 'Role-Type' não está na requisição.",
      code: 'PUCX-ER0101',
      tag: expect.stringMatching(/^\[PLAT-[A-Z0-9]{10}\]$/),
      severity: 'ERROR',
    });
  });

  test('is refused with a Role-Type outside the domain', async () => {
    const { anybody } = await open();
    const reply = await anybody.call('POST', PATH, undefined, { ...DEMO, 'role-type': 'IMPEX' });
    expect([reply.status, reply.json.code]).toEqual([422, 'PUCX-ER0102']);
  });

  test('answers the same to an unknown key, a wrong secret and missing headers', async () => {
    const { anybody } = await open();
    const bodies = await Promise.all(
      [{ 'client-id': 'nobody' }, { 'client-secret': 'wrong' }, { 'client-id': '', 'client-secret': '' }].map(
        async (wrong) => (await anybody.call('POST', PATH, undefined, { ...DEMO, ...wrong })).json,
      ),
    );
    for (const body of bodies) {
      expect(body.code).toBe('PLAT-ER8008');
      expect({ ...body, tag: '' }).toEqual({ ...bodies[0], tag: '' });
    }
  });

  test('is refused in a profile without a representation', async () => {
    const { anybody } = await open();
    const reply = await anybody.call('POST', PATH, undefined, { ...DEMO, 'role-type': 'DEPOSIT' });
    expect([reply.status, reply.json.code]).toEqual([422, 'PLAT-ER2013']);
  });

  test('is 403 for a party of the wrong kind, with the long body', async () => {
    const { anybody } = await open();
    const headers = { 'client-id': 'publico', 'client-secret': 'publico', 'role-type': 'IMPEXP' };
    const reply = await anybody.call('POST', PATH, undefined, headers);
    expect([reply.status, reply.json.code]).toEqual([403, 'PLAT-ER0403']);
    expect(reply.json.info.mnemonico).toBe('PLAT');
  });

  test('accepts public agents in their environment, and refuses private users there', async () => {
    const { as, anybody } = await open({ settings: { ambiente: 'homologacao' } });
    await as('publico', 'TERCEIROS');
    expect((await anybody.call('POST', PATH, undefined, DEMO)).status).toBe(403);
  });

  /** Creates real time that a test moves; pending callbacks run on command. */
  function stoppedTime() {
    const waiting: (() => void)[] = [];
    const time = {
      ms: 1000,
      waiting,
      pass: () => waiting.splice(0).forEach((work) => work()),
      realTime: {
        now: () => time.ms,
        after: (_ms: number, work: () => void) => {
          waiting.push(work);
          return { cancel: () => undefined };
        },
      },
    };
    return time;
  }

  const openThrottled = async () => {
    const time = stoppedTime();
    const { anybody, clock } = await open({ parts: { realTime: time.realTime } });
    const attempt = async (secret: string, clientId = 'demo') =>
      (
        await anybody.call('POST', PATH, undefined, {
          ...DEMO,
          'client-id': clientId,
          'client-secret': secret,
        })
      ).status;
    const fail = async (times: number, clientId?: string) => {
      for (let failure = 1; failure <= times; failure += 1) await attempt('wrong', clientId);
    };
    /** Returns whether a wrong secret has to wait. */
    const waits = async (clientId?: string) => {
      const answer = attempt('wrong', clientId);
      // A refusal without a wait arrives after some turns of the event loop.
      const first = await Promise.race([answer.then(() => 'answered'), turns().then(() => 'waits')]);
      time.pass();
      expect(await answer).toBe(422);
      return first === 'waits';
    };
    return { time, clock, attempt, fail, waits };
  };
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  test('delays a wrong secret after ten failures within a minute of real time, for a minute; the right one never', async () => {
    const { time, clock, attempt, fail, waits } = await openThrottled();
    await fail(FAILURES_BEFORE_BLOCK - 1);
    expect(await attempt('demo')).toBe(200);
    await fail(FAILURES_BEFORE_BLOCK);
    expect(await waits()).toBe(true);
    // The delay belongs to the address: an unknown key waits too.
    expect(await waits('desconhecido')).toBe(true);
    for (const days of [30, -60]) {
      clock.moveTo(clock.now() + days * DAY_MS);
      expect(await waits()).toBe(true);
    }
    time.ms += MINUTE_MS - 1;
    expect(await waits()).toBe(true);
    time.ms += 1;
    expect(await waits()).toBe(false);
    await fail(FAILURES_BEFORE_BLOCK - 1);
    expect(await attempt('demo')).toBe(200);
    expect(await waits()).toBe(false);
  });

  test('delays nobody after nine failures and one a minute later, in real time', async () => {
    const { time, fail, waits } = await openThrottled();
    await fail(FAILURES_BEFORE_BLOCK - 1);
    time.ms += MINUTE_MS;
    await fail(1);
    expect(await waits()).toBe(false);
  });

  test('queues fifty of an address, and answers the next one at once; queued ones do not count as running', async () => {
    const { time, attempt, fail } = await openThrottled();
    await fail(FAILURES_BEFORE_BLOCK);
    const waiting = Array.from({ length: WAITING_PER_ADDRESS }, () => attempt('wrong'));
    await turns();
    expect(time.waiting).toHaveLength(WAITING_PER_ADDRESS);
    expect(await attempt('wrong')).toBe(422);
    expect(await attempt('demo')).toBe(200);
    time.pass();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 422));
  });

  test('is accepted at once after the clock was put back', async () => {
    const { anybody, clock } = await open({ settings: { perfil: 'portal' } });
    const attempt = async () =>
      (await anybody.call('POST', PATH, undefined, DEMO)).json.code as string | undefined;
    expect(await attempt()).toBeUndefined();
    clock.moveTo(clock.now() - DAY_MS);
    expect(await attempt()).toBeUndefined();
    clock.moveTo(clock.now() + 60 * SECOND_MS - 1);
    expect(await attempt()).toBe('PLAT-ER2033');
  });

  test('is refused within 60 s of the last one when the profile has this rule', async () => {
    const { anybody, clock } = await open({ settings: { perfil: 'portal' } });
    const attempt = async () =>
      (await anybody.call('POST', PATH, undefined, DEMO)).json.code as string | undefined;
    expect(await attempt()).toBeUndefined();
    clock.moveTo(clock.now() + 60 * SECOND_MS - 1);
    expect(await attempt()).toBe('PLAT-ER2033');
    clock.moveTo(clock.now() + 1);
    expect(await attempt()).toBeUndefined();
  });

  test('answers the three headers and the token, with any body', async () => {
    const { anybody, clock } = await open();
    const reply = await anybody.call('POST', PATH, '<not json', { ...DEMO, 'content-type': 'text/xml' });
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ token: reply.headers.get('x-csrf-token') });
    expect(reply.headers.get('set-token')?.split('.')).toHaveLength(3);
    expect(Number(reply.headers.get('x-csrf-expiration'))).toBe(clock.now() + 60 * MINUTE_MS);
  });

  test('with a certificate is refused on plain HTTP, by POST and by GET', async () => {
    const { anybody } = await open();
    for (const method of ['POST', 'GET']) {
      const reply = await anybody.call(method, '/portal/api/autenticar', undefined, {
        'role-type': 'IMPEXP',
      });
      expect([reply.status, reply.json.code]).toEqual([422, 'PLAT-ER2001']);
    }
  });
});

describe('a signed-in request', () => {
  async function tokens(app: TestApp): Promise<Record<string, string>> {
    const reply = await app.anybody.call('POST', PATH, undefined, DEMO);
    return {
      authorization: reply.headers.get('set-token') ?? '',
      'x-csrf-token': reply.headers.get('x-csrf-token') ?? '',
    };
  }

  test('is 401 without Authorization, then without X-CSRF-Token', async () => {
    const app = await open();
    const { authorization = '' } = await tokens(app);
    const code = async (headers: Record<string, string>) => {
      const reply = await app.anybody.call('GET', PRODUCTS, undefined, headers);
      return [reply.status, reply.json.code];
    };
    expect(await code({})).toEqual([401, 'PUCX-ER0201']);
    expect(await code({ authorization: 'x.y.z', 'x-csrf-token': 'x' })).toEqual([401, 'PUCX-ER0201']);
    expect(await code({ authorization })).toEqual([401, 'PUCX-ER0202']);
    expect(await code({ authorization, 'x-csrf-token': 'mwpwkx3s.x.y' })).toEqual([401, 'PUCX-ER0202']);
  });

  test('accepts a Bearer prefix, and refuses the CSRF token of another session', async () => {
    const app = await open();
    const [mine, other] = [await tokens(app), await tokens(app)];
    const status = async (headers: Record<string, string>) =>
      (await app.anybody.call('GET', PRODUCTS, undefined, headers)).status;
    expect(await status({ ...mine, authorization: `Bearer ${mine.authorization}` })).toBe(204);
    expect(await status({ ...mine, 'x-csrf-token': other['x-csrf-token'] ?? '' })).toBe(401);
  });

  test('names the key that opened its session', async () => {
    const app = await open();
    const { authorization = '', 'x-csrf-token': csrf = '' } = await tokens(app);
    const { caller } = await app.app.core.session.guard.signedIn({ authorization, csrf, cookie: () => null });
    expect(caller.key).toBe('demo');
  });

  test('shares its new CSRF token only with requests of its own session in the same turn', async () => {
    const app = await open();
    const [mine, other] = [await tokens(app), await tokens(app)];
    const { guard } = app.app.core.session;
    const renewed = async (headers: Record<string, string>) => {
      const { claims } = await guard.signedIn({
        authorization: headers['authorization'] ?? '',
        csrf: headers['x-csrf-token'] ?? '',
        cookie: () => null,
      });
      return () => guard.renewedHeaders(claims)['X-CSRF-Token'];
    };
    const [ofMine, ofOther] = [await renewed(mine), await renewed(other)];
    await nextTurn();
    const [first, second, strange] = [ofMine(), ofMine(), ofOther()];
    expect(second).toBe(first);
    expect(strange).not.toBe(first);
    await nextTurn();
    expect(ofMine()).not.toBe(first);
  });

  test('is answered with a new CSRF token, also with an error, and the old one stays valid', async () => {
    const app = await open();
    const headers = await tokens(app);
    await nextTurn(); // an answer takes one turn to reach a client
    const refused = await app.anybody.call('POST', '/catp/api/ext/produto/12345678', {}, headers);
    expect(refused.status).toBe(400);
    const renewed = refused.headers.get('x-csrf-token') ?? '';
    expect(renewed).not.toBe(headers['x-csrf-token']);
    expect(Number(refused.headers.get('x-csrf-expiration'))).toBeGreaterThan(app.clock.now());
    for (const csrf of [renewed, headers['x-csrf-token'] ?? ''])
      expect(
        (await app.anybody.call('GET', PRODUCTS, undefined, { ...headers, 'x-csrf-token': csrf })).status,
      ).toBe(204);
  });

  test('lasts 60 minutes and survives a restart', async () => {
    const app = await open();
    const headers = await tokens(app);
    await app.close({ keepFolder: true });
    const again = await open({ folder: app.folder, clock: app.clock });
    const status = async () => (await again.anybody.call('GET', PRODUCTS, undefined, headers)).status;
    expect(await status()).toBe(204);
    again.clock.moveTo(again.clock.now() + 60 * MINUTE_MS - 1);
    expect(await status()).toBe(204);
    again.clock.moveTo(again.clock.now() + 1);
    expect(await status()).toBe(401);
  });

  test('is refused after the removal of its key or user, and of a company after the removal of its representation', async () => {
    const app = await open();
    const { accounts } = app.app.core.session;
    const headers = await tokens(app);
    const status = async () => (await app.anybody.call('GET', PRODUCTS, undefined, headers)).status;
    await accounts.removeRepresentation({
      documento: '00000000191',
      cpfCnpjRaiz: '12345678',
      perfil: 'IMPEXP',
    });
    expect(await status()).toBe(403);
    await accounts.putRepresentation({ documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' });
    expect(await status()).toBe(204);
    await accounts.revokeKey('demo');
    expect(await status()).toBe(401);
  });

  test('sees the changes of another process', async () => {
    const app = await open();
    const headers = await tokens(app);
    const status = async () => (await app.anybody.call('GET', PRODUCTS, undefined, headers)).status;
    expect(await status()).toBe(204);
    const { default: Database } = await import('better-sqlite3');
    const elsewhere = new Database(`${app.folder}/catp.sqlite`);
    elsewhere.exec("DELETE FROM access_key WHERE client_id = 'demo'");
    elsewhere.close();
    await new Promise(setImmediate); // the next request comes in another turn of the event loop
    expect(await status()).toBe(401);
  });
});

describe('Permissions', () => {
  test('is 403 for every company without a representation, also for an unknown product', async () => {
    const app = await open();
    const stranger = await app.as('estranho');
    for (const path of [
      '/catp/api/ext/produto/12345678/1/1',
      '/catp/api/ext/produto/exportar/12345678/true',
      PRODUCTS,
    ]) {
      const reply = await stranger.call('GET', path);
      expect([reply.status, reply.json.message]).toEqual([
        403,
        'O usuário logado não é representante legal do CPF/CNPJ Raiz.',
      ]);
    }
  });

  test('of a public agent reads every catalogue and writes to none', async () => {
    const app = await open({ settings: { ambiente: 'producao' } });
    const agent = await app.as('publico');
    expect((await agent.call('GET', PRODUCTS)).status).toBe(204);
    expect((await agent.call('POST', '/catp/api/ext/produto/12345678', {})).status).toBe(403);
  });

  test('of an administrator has no catalogue, and only an administrator has the administration', async () => {
    const app = await open();
    const [admin, demo] = [await app.as('admin'), await app.as('demo')];
    expect((await admin.call('GET', PRODUCTS)).status).toBe(403);
    expect((await admin.call('GET', '/appliance/api/users')).status).toBe(200);
    const refused = await demo.call('GET', '/appliance/api/users');
    expect([refused.status, refused.json.code]).toEqual([403, 'APPL-ER0403']);
  });

  test('is checked in order: path, method, 401, malformed company, 403, shape', async () => {
    const app = await open();
    const stranger = await app.as('estranho');
    const status = async (method: string, path: string, body?: unknown) =>
      (await stranger.call(method, path, body)).status;
    expect((await app.anybody.call('GET', '/catp/api/ext/nada')).status).toBe(404);
    const wrongMethod = await app.anybody.call('PATCH', '/catp/api/ext/produto/12345678');
    expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await app.anybody.call('POST', '/catp/api/ext/produto/123', '{')).status).toBe(401);
    expect(await status('POST', '/catp/api/ext/produto/123', '{')).toBe(400);
    expect(await status('POST', '/catp/api/ext/produto/12345678', '{')).toBe(403);
    expect(await status('POST', '/catp/api/ext/produto/11222333', '{')).toBe(400);
  });
});
