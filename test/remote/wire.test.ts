/** A remote over HTTP (contract section 18): another whole server behind a real socket, with its own faults. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS, SECOND_MS, TestClock } from '../../src/clock.ts';
import { SIGN_IN_PACE_MS, endOfDowntime } from '../../src/remote/wire/governor.ts';
import { type Client, type Reply, START, type TestApp, openApp } from '../support/app.ts';
import { issue, serverCertificate } from '../support/tls.ts';
import { COMPANY } from './support.ts';

const REMOTES = '/appliance/api/remotes';
const FAULTS = '/appliance/api/faults';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const PLAIN = { denominacao: 'Caixa', descricao: 'Com tampa', modalidade: 'IMPORTACAO', ncm: '39269090' };
const { ca: CERTIFICATE, cert: OWN, key: OWN_KEY } = await serverCertificate();
const BROKEN = '-----BEGIN CERTIFICATE-----\nbmFkYQ==\n-----END CERTIFICATE-----';
const KEY = { clientId: 'demo', clientSecret: 'demo' };

let clock: TestClock;
let local: TestApp;
let remote: TestApp;
let admin: Client;
let demo: Client;
let remoteAdmin: Client;

beforeEach(async () => {
  clock = new TestClock(START);
  local = await openApp({ clock });
  remote = await openApp({ clock, over: 'http' });
  admin = await local.as('admin');
  demo = await local.as('demo');
  remoteAdmin = await remote.as('admin');
});

afterEach(async () => {
  await local.close();
  await remote.close();
});

const add = (members: object = {}) =>
  admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY], url: remote.url, ...KEY, ...members });
const codes = ({ json }: Reply) => json.detail.map(({ code }: { code: string }) => code);
const addFault = (members: object) => remoteAdmin.call('POST', FAULTS, members);
const journal = async (operation: string) =>
  (await remoteAdmin.call('GET', `/appliance/api/requests?operation=${operation}`)).json as object[];
const probe = async () => (await admin.call('POST', `${REMOTES}/la/test`)).json;

/** Starts a comparison by network, moves the clock to each wait, and returns the result. */
async function runComparison(untilMs = HOUR_MS) {
  const { status, json, text } = await demo.call('POST', `${REMOTES}/la/comparisons`, {
    cpfCnpjRaiz: COMPANY,
  });
  if (status !== 202) throw new Error(text);
  let isOver = false;
  const over = local.app.core.remote.runner.idle().then(() => (isOver = true));
  const waits: number[] = [];
  for (let turns = 0; !isOver && turns < 500; turns += 1) {
    await Promise.race([over, Bun.sleep(5)]);
    if (isOver) break;
    const next = local.app.core.remote.fetcher.waitsUntil;
    if (next !== undefined && next > clock.now() && next <= START + untilMs) {
      waits.push((next - clock.now()) / SECOND_MS);
      clock.moveTo(next);
    }
  }
  await over;
  return { ...(await demo.call('GET', `/appliance/api/comparisons/${json.id}`)).json, waits };
}

describe('the connection to a remote', () => {
  test('is shown to administrators without its secret, to others only with its pace and rests, and is stored sealed', async () => {
    const reply = await add({ clientSecret: 'segredo-que-ninguem-ve' });
    const way = {
      ...{ url: remote.url, clientId: 'demo', perfil: 'IMPEXP', certificate: null, ca: null, perHour: 900 },
      ...{ downtime: null, otherEnvironment: false },
    };
    const plain = { name: 'la', companies: [COMPANY], rules: 'portal' };
    expect([reply.status, reply.json]).toEqual([200, { ...plain, ...way }]);
    expect((await admin.call('GET', `${REMOTES}/la`)).json).toEqual({ ...plain, ...way });
    expect((await demo.call('GET', REMOTES)).json).toEqual([{ ...plain, perHour: 900, downtime: null }]);
    const files = readdirSync(local.folder).filter((name) => name.startsWith('catp.sqlite'));
    for (const name of files)
      expect(readFileSync(join(local.folder, name)).includes('segredo-que-ninguem-ve')).toBe(false);
  });

  test.each([
    ['http beyond this machine', { url: 'http://portal.exemplo' }, 422, 'CATP-ER1521'],
    ['another scheme', { url: 'ftp://portal.exemplo' }, 422, 'CATP-ER1521'],
    ['a path', { url: 'https://portal.exemplo/catp' }, 422, 'CATP-ER1521'],
    ['a user', { url: 'https://a:b@portal.exemplo' }, 422, 'CATP-ER1521'],
    ['no address', { url: 'portal' }, 422, 'CATP-ER1521'],
    ['a secret without an address', { url: undefined }, 422, 'CATP-ER1521'],
    ['no secret', { clientSecret: undefined }, 422, 'CATP-ER1522'],
    ['a secret without its id', { clientId: undefined }, 422, 'CATP-ER1522'],
    ['both connections to sign in', { certificate: 'x' }, 422, 'CATP-ER1522'],
    ['a certificate that is none', { clientSecret: undefined, certificate: 'bmFkYQ==' }, 422, 'CATP-ER1522'],
    ['a ca that is no PEM', { ca: 'lixo' }, 422, 'CATP-ER1522'],
    ['a ca of which one is no certificate', { ca: `${CERTIFICATE}\n${BROKEN}` }, 422, 'CATP-ER1522'],
    ['a secret of two lines', { clientSecret: 'de\nmo' }, 400, 'PUCX-ER0010'],
    ['a secret behind a byte order mark', { clientSecret: '\uFEFFdemo' }, 400, 'PUCX-ER0010'],
    ['an id that ends in a line', { clientId: 'demo\n' }, 400, 'PUCX-ER0010'],
    ['a stop that has no end', { downtime: '01:00-01:00' }, 422, 'CATP-ER1527'],
    ['no request in an hour', { perHour: 0 }, 400, 'PUCX-ER0010'],
    ['a million and one requests in an hour', { perHour: 1_000_001 }, 400, 'PUCX-ER0010'],
    ['a stop that is no time', { downtime: '25:00-03:00' }, 400, 'PUCX-ER0010'],
    ['another profile', { perfil: 'DEPOSIT' }, 400, 'PUCX-ER0010'],
  ])('is refused with %s', async (_, members, status, code) => {
    const refused = await add(members);
    expect([refused.status, codes(refused)]).toEqual([status, [code]]);
    expect((await admin.call('GET', REMOTES)).json).toEqual([]);
  });

  test('appears in no refusal and not in the journal', async () => {
    const { cert, key } = await issue();
    const held = { clientSecret: `segredo${'o'.repeat(200)}`, password: 's'.repeat(201) };
    const texts = [
      (await add(held)).text,
      (await add({ url: `https://ana:senha@${'x'.repeat(500)}` })).text,
      (
        await admin.call('POST', REMOTES, '{"clientSecret": "segredo", }', {
          'content-type': 'application/json',
        })
      ).text,
      (await add({ clientSecret: undefined, certificate: `${cert}\n${key}` })).text,
    ];
    for (const { id } of (await admin.call('GET', '/appliance/api/requests')).json)
      texts.push((await admin.call('GET', `/appliance/api/requests/${id}`)).text);
    expect(texts.length).toBeGreaterThan(8);
    for (const text of texts) expect(text).not.toMatch(/segredo|senha@|ssss|PRIVATE KEY/);
  });

  test.each([
    { perHour: 1 },
    { perHour: 1_000_000 },
    { downtime: '22:00-03:00' },
    { ca: CERTIFICATE },
    { ca: null },
    { clientId: 'uma chave', clientSecret: '~!' },
    { url: 'https://portal.exemplo:8443' },
  ])('may be %p', async ({ clientSecret, ...members }: Record<string, unknown>) =>
    expect(
      (await add({ ...members, ...(clientSecret !== undefined && { clientSecret }) })).json,
    ).toMatchObject(members),
  );

  test('loses its authorities with null, and then counts as another server', async () => {
    await add({ ca: CERTIFICATE });
    expect(codes(await admin.call('PUT', `${REMOTES}/la`, { ca: null }))).toEqual(['CATP-ER1522']);
    const without = await admin.call('PUT', `${REMOTES}/la`, { ca: null, ...KEY });
    expect([without.status, without.json.ca]).toEqual([200, null]);
  });

  test('to another server, or with another authority, needs the secret again and deletes the pairs', async () => {
    await add();
    const elsewhere = await admin.call('PUT', `${REMOTES}/la`, { url: 'https://outro.exemplo' });
    expect([elsewhere.status, codes(elsewhere)]).toEqual([422, ['CATP-ER1522']]);
    expect(codes(await admin.call('PUT', `${REMOTES}/la`, { ca: CERTIFICATE }))).toEqual(['CATP-ER1522']);
    await demo.call('POST', PRODUCTS, PLAIN);
    expect((await runComparison()).state).toBe('done');
    const list = `/appliance/api/comparisons?cpfCnpjRaiz=${COMPANY}`;
    expect((await demo.call('GET', list)).json).toHaveLength(1);
    expect((await admin.call('PUT', `${REMOTES}/la`, { perHour: 5 })).json.perHour).toBe(5);
    expect((await demo.call('GET', list)).json).toHaveLength(1);
    const moved = await admin.call('PUT', `${REMOTES}/la`, { url: 'https://outro.exemplo', ...KEY });
    expect([moved.status, moved.json.perHour]).toEqual([200, 5]);
    expect((await demo.call('GET', list)).json).toEqual([]);
    await local.app.core.remote.retention.runOnce();
    expect((await admin.call('GET', `${REMOTES}/la`)).json.url).toBe('https://outro.exemplo');
  });

  test('can have a certificate with its key, as PEM or as PFX', async () => {
    const { cert, key } = await issue();
    const other = await issue();
    const strange = await add({ clientSecret: undefined, certificate: `${cert}\n${other.key}` });
    expect([strange.status, strange.json.message]).toEqual([
      422,
      expect.stringContaining('não é a do certificado'),
    ]);
    for (const [at, broken] of [`${BROKEN}\n${OWN_KEY}`, `${OWN}\n${BROKEN}\n${OWN_KEY}`].entries()) {
      const refused = await add({ clientSecret: undefined, certificate: broken });
      const message = `certificate: o ${at + 1}º certificado não pôde ser lido; exporte-o de novo, em PEM.`;
      expect([refused.status, codes(refused), refused.json.detail[0].message]).toEqual([
        ...[422, ['CATP-ER1522'], message],
      ]);
    }
    const bare = await add({ clientSecret: undefined, certificate: cert });
    expect([bare.status, bare.json.message]).toEqual([422, expect.stringContaining('PRIVATE KEY')]);
    const reply = await add({ clientSecret: undefined, certificate: `${cert}\n${key}` });
    expect(reply.json.certificate).toEqual({
      ...{ subject: expect.any(String), issuer: expect.any(String), notAfter: expect.any(String) },
    });
    expect(reply.text).not.toContain('PRIVATE KEY');
  });
});

describe('signing in', () => {
  test('shows its result, and is not repeated within a minute', async () => {
    await add();
    const first = await probe();
    expect(first).toEqual({
      ...{ ok: true, message: 'Entrou.', documento: '00000000191', nome: expect.any(String) },
      ...{ ambiente: 'validacao', until: expect.any(String), certificate: null },
    });
    expect(await probe()).toMatchObject({ ok: false, message: expect.stringContaining('60 segundos') });
    clock.moveTo(START + SIGN_IN_PACE_MS - 1);
    expect((await probe()).ok).toBe(false);
    clock.moveTo(START + SIGN_IN_PACE_MS);
    expect((await probe()).ok).toBe(true);
    expect(await journal('authenticateWithKey')).toHaveLength(1 + 2); // one of them is from this test
  });

  test('is refused for a remote that is compared by files, and for users other than administrators', async () => {
    await admin.call('POST', REMOTES, { name: 'la', companies: [COMPANY] });
    expect(codes(await admin.call('POST', `${REMOTES}/la/test`))).toEqual(['CATP-ER1523']);
    expect((await demo.call('POST', `${REMOTES}/la/test`)).status).toBe(403);
    expect((await admin.call('POST', `${REMOTES}/nada/test`)).status).toBe(404);
    const compare = await demo.call('POST', `${REMOTES}/la/comparisons`, { cpfCnpjRaiz: COMPANY });
    expect([compare.status, codes(compare)]).toEqual([422, ['CATP-ER1523']]);
  });

  test('to the instance itself is refused', async () => {
    await admin.call('POST', REMOTES, { name: 'x', companies: [COMPANY], url: remote.url, ...KEY });
    const self = await remoteAdmin.call('POST', REMOTES, {
      name: 'la',
      companies: [COMPANY],
      url: remote.url,
      ...KEY,
    });
    expect(self.status).toBe(200);
    const answer = (await remoteAdmin.call('POST', `${REMOTES}/la/test`)).json;
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('é esta própria instância') });
  });

  test('to another environment is refused, unless it is allowed', async () => {
    const other = await openApp({ clock, over: 'http', settings: { ambiente: 'producao' } });
    try {
      await add({ url: other.url });
      expect(await probe()).toMatchObject({
        ok: false,
        message: expect.stringMatching(/diga no cadastro do remoto que ele é de outro ambiente\.$/),
      });
      clock.moveTo(START + SIGN_IN_PACE_MS);
      await admin.call('PUT', `${REMOTES}/la`, { otherEnvironment: true });
      expect(await probe()).toMatchObject({ ok: true, ambiente: 'producao' });
    } finally {
      await other.close();
    }
  });

  test('to a server with an untrusted certificate is refused, and accepted with its authority', async () => {
    const secure = await openApp({ clock, over: 'https' });
    try {
      await add({ url: secure.url });
      expect(await probe()).toMatchObject({ ok: false, message: expect.stringContaining('não foi aceito') });
      clock.moveTo(START + SIGN_IN_PACE_MS);
      const { ca } = await serverCertificate();
      await admin.call('PUT', `${REMOTES}/la`, { ca, ...KEY });
      clock.moveTo(START + 2 * SIGN_IN_PACE_MS);
      expect(await probe()).toMatchObject({ ok: true });
    } finally {
      await secure.close();
    }
  });

  test('that is refused three times is not tried again until a person requests it', async () => {
    await add({ clientSecret: 'errado' });
    const { state, error, waits } = await runComparison();
    expect([state, waits]).toEqual(['failed', [65, 65]]);
    expect(error.message).toContain('Não foi possível efetuar a autenticação com chave de acesso.');
    expect(await journal('authenticateWithKey')).toHaveLength(1 + 3); // one of them is from this test
    expect((await runComparison()).state).toBe('failed');
    expect(await journal('authenticateWithKey')).toHaveLength(1 + 6);
  });
});

describe('a comparison by network', () => {
  test('needs three exports and one sign-in', async () => {
    await add();
    await demo.call('POST', PRODUCTS, PLAIN);
    const remoteUser = await remote.as('demo');
    await remoteUser.call('POST', PRODUCTS, PLAIN);
    await remoteUser.call('POST', PRODUCTS, { ...PLAIN, denominacao: 'Só lá' });
    const before = (await remoteAdmin.call('GET', '/appliance/api/requests?limit=500')).json.length;
    const { state, counts, waits } = await runComparison();
    expect([state, waits, counts.produto]).toEqual(['done', [], { igual: 1, soLa: 1 }]);
    const requests = (await remoteAdmin.call('GET', '/appliance/api/requests?limit=500')).json;
    expect(
      requests.slice(0, requests.length - before).map(({ operation }: { operation: string }) => operation),
    ).toEqual([...['exportLinks', 'exportForeignOperators', 'exportProducts', 'authenticateWithKey']]);
    // The Worker removes its scratch file after its last message; two exports are kept for later fetches.
    while (readdirSync(join(local.folder, 'imports')).length > 2) await Bun.sleep(5);
  });

  test.each([
    ['the daily stop', { kind: 'daily-stop' }, [5 * 60]],
    ['a server that is busy, as long as it says', { kind: 'status', status: 503 }, [1]],
    ['a gateway whose server is away', { kind: 'status', status: 502 }, [5]],
    ['too many requests', { kind: 'status', status: 429 }, [5]],
    ['an answer that is cut', { kind: 'truncate', bytes: 10 }, [5]],
    ['a connection that is cut', { kind: 'drop' }, [5]],
    ['a fault of the server', { kind: 'status', status: 500 }, [30]],
    [
      'an ended session: signed in once more, a minute and a little after the last time',
      { kind: 'expired-token' },
      [65],
    ],
  ])('waits for the end of %s', async (_, kind, wanted) => {
    await add();
    await addFault({ operation: 'exportProducts', fault: kind });
    const { state, waits } = await runComparison();
    expect([state, waits]).toEqual(['done', wanted]);
  });

  test('waits longer each time, up to five minutes, and finally reports the cause', async () => {
    await add();
    await addFault({ operation: 'exportProducts', times: null, fault: { kind: 'drop' } });
    const { state, error, waits } = await runComparison();
    expect([state, waits]).toEqual(['failed', [5, 10, 20, 40]]);
    expect(error.message).toContain('5 tentativas');
  });

  test('does not wait for a full hour: it states until when', async () => {
    await add();
    await addFault({ operation: 'exportProducts', fault: { kind: 'hourly-limit' } });
    const { state, error } = await runComparison();
    // The limit ends with the hour, and the pause has one more minute.
    expect([state, error.code]).toEqual(['failed', 'CATP-ER1530']);
    expect(error.message).toContain('2026-01-15T10:01:00.000-03:00');
    const again = await runComparison();
    expect([again.state, await journal('exportProducts')]).toEqual([
      'failed',
      expect.objectContaining({ length: 1 }),
    ]);
    clock.moveTo(START + HOUR_MS + MINUTE_MS);
    demo = await local.as('demo');
    expect((await runComparison(2 * HOUR_MS)).state).toBe('done');
  });

  test('sends at most perHour requests of an operation in an hour, counted over a restart', async () => {
    await add({ perHour: 2 });
    expect((await runComparison()).state).toBe('done');
    await local.close({ keepFolder: true });
    local = await openApp({ clock, folder: local.folder });
    [admin, demo] = [await local.as('admin'), await local.as('demo')];
    clock.moveTo(START + 2 * SIGN_IN_PACE_MS);
    expect((await runComparison()).state).toBe('done');
    const third = await runComparison();
    expect([third.state, third.error.message]).toEqual(['failed', expect.stringContaining('2 por hora')]);
    clock.moveTo(START + HOUR_MS);
    demo = await local.as('demo');
    expect((await runComparison(2 * HOUR_MS)).state).toBe('done');
  });

  test('counts sent requests, and none that waited for a sign-in', async () => {
    await add({ perHour: 2 });
    expect((await probe()).ok).toBe(true);
    await local.close({ keepFolder: true });
    local = await openApp({ clock, folder: local.folder });
    demo = await local.as('demo');
    const { state, waits } = await runComparison();
    expect([state, waits]).toEqual(['done', [65]]);
    expect((await runComparison()).state).toBe('done');
  });

  test('sends nothing during the configured downtime', async () => {
    await add({ downtime: '08:59-09:01' });
    const { state, waits } = await runComparison();
    expect([state, waits]).toEqual(['done', [60]]);
  });

  test('requests an export again after an HTML page, and reports it if nothing else comes', async () => {
    await add();
    await addFault({ operation: 'exportProducts', fault: { kind: 'garbage' } });
    const { state, waits } = await runComparison();
    expect([state, waits]).toEqual(['done', [30]]);
    await addFault({ operation: 'exportLinks', times: null, fault: { kind: 'garbage' } });
    const other = await runComparison();
    expect([other.state, other.error.message]).toEqual([
      'failed',
      'A exportação não veio em 5 tentativas: a resposta é uma página.',
    ]);
    expect(await journal('exportLinks')).toHaveLength(1 + 5);
  });
});

test('a downtime may span midnight, and ends on the minute', () => {
  const at = (time: string) => Date.parse(`2026-01-15T${time}:00-03:00`);
  const end = (downtime: string | null, time: string) => {
    const ends = endOfDowntime(downtime, at(time));
    return ends === undefined ? undefined : new Date(ends).toISOString();
  };
  expect(end('01:00-03:00', '01:00')).toBe('2026-01-15T06:00:00.000Z');
  expect(end('01:00-03:00', '02:59')).toBe('2026-01-15T06:00:00.000Z');
  expect(end('01:00-03:00', '03:00')).toBeUndefined();
  expect(end('01:00-03:00', '00:59')).toBeUndefined();
  expect(end('23:00-01:00', '23:30')).toBe('2026-01-16T04:00:00.000Z');
  expect(end('23:00-01:00', '00:30')).toBe('2026-01-15T04:00:00.000Z');
  expect(end(null, '00:30')).toBeUndefined();
});
