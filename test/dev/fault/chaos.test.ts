/**
 * Faults drawn by a seed: the same requests get the same ones, in any process and at any time (contract
 * section 15).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { CHAOS_SETS, CHAOS_SET_NAMES, type ChaosSetName, FAULT_KINDS } from '../../../src/dev/fault/model.ts';
import type { LoggedRequest } from '../../../src/dev/journal/model.ts';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { FAULTS, LIST, PRODUCT, PRODUCTS } from './support.ts';

const JOURNAL = '/appliance/api/requests';
const SUBSCRIPTIONS = '/portal/api/ext/webhook';
const SIGN_IN = '/portal/api/autenticar/chave-acesso';
const CREDENTIALS = { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' };

let server: TestApp;
let admin: Client;
let demo: Client;
beforeAll(async () => {
  server = await openApp();
  [admin, demo] = await Promise.all([server.as('admin'), server.as('demo')]);
});
afterAll(() => server.close());
beforeEach(async () => {
  for (const path of [FAULTS, JOURNAL]) expect((await admin.call('DELETE', path)).status).toBe(204);
});

async function draw(chaos: object, more: object = {}): Promise<number> {
  const reply = await admin.call('POST', FAULTS, { chaos, ...more });
  expect([reply.status, reply.json]).toEqual([200, { id: expect.any(Number) }]);
  return reply.json.id as number;
}
const rules = async () => (await admin.call('GET', FAULTS)).json as Record<string, unknown>[];

/** Returns the kinds of the faults since the journal was emptied, in the order of the requests. */
async function injectedFaults(by: Client = admin): Promise<(string | null)[]> {
  const entries = (await by.call('GET', `${JOURNAL}?limit=1000`)).json as LoggedRequest[];
  return entries
    .filter(({ path }) => !path.startsWith('/appliance'))
    .map(({ fault }) => fault)
    .toReversed();
}

/** Ignores a rejection: a cut answer cannot be read. */
const quietly = (answer: Promise<unknown>): Promise<unknown> => answer.catch(() => undefined);

async function lists(times: number, client = demo): Promise<void> {
  for (let one = 0; one < times; one += 1) await quietly(client.call('GET', LIST));
}

/** Sends requests of every kind in a fixed order. */
async function work(client = demo, to: TestApp = server): Promise<void> {
  for (let one = 0; one < 30; one += 1) {
    await quietly(to.anybody.call('POST', SIGN_IN, undefined, CREDENTIALS));
    await quietly(client.call('GET', LIST));
    await quietly(client.call('POST', PRODUCTS, PRODUCT));
  }
}

/** The kinds without a wait. */
const QUICK = FAULT_KINDS.filter((kind) => kind !== 'delay');

describe('the same seed', () => {
  test('and the same requests give the same faults: again, after a reset, in another instance; another seed gives others', async () => {
    const runs: (string | null)[][] = [];
    const chaos = { seed: 'abc', kinds: QUICK };
    const take = async (client: Client, by: Client, to: TestApp): Promise<void> => {
      await by.call('DELETE', JOURNAL);
      await by.call('POST', FAULTS, { chaos, percent: 50 });
      await work(client, to);
      runs.push(await injectedFaults(by));
    };
    await take(demo, admin, server);
    await take(demo, admin, server);
    await admin.call('POST', '/appliance/api/reset');
    [admin, demo] = await Promise.all([server.as('admin'), server.as('demo')]);
    await take(demo, admin, server);
    const otherServer = await openApp();
    await take(await otherServer.as('demo'), await otherServer.as('admin'), otherServer);
    await otherServer.close();
    const [first = [], ...rest] = runs;
    expect(first).toHaveLength(90);
    expect(new Set(first).size).toBe(QUICK.length + 1); // each kind, and no fault
    expect(rest).toEqual([first, first, first]);
    await admin.call('DELETE', JOURNAL);
    await draw({ ...chaos, seed: 'abd' }, { percent: 50 });
    await work();
    expect(await injectedFaults()).not.toEqual(first);
  });

  test('is independent of requests to other operations in between', async () => {
    const drops = async (between: () => Promise<unknown>): Promise<(string | null)[]> => {
      await admin.call('DELETE', JOURNAL);
      await draw({ seed: 3, kinds: ['drop'] }, { percent: 50 });
      for (let one = 0; one < 12; one += 1) {
        await lists(1);
        await between();
      }
      const entries = (await admin.call('GET', `${JOURNAL}?operation=listProducts`)).json;
      return (entries as LoggedRequest[]).map(({ fault }) => fault);
    };
    const dropsAlone = await drops(async () => undefined);
    expect(new Set(dropsAlone)).toEqual(new Set(['drop', null]));
    expect(await drops(() => quietly(demo.call('GET', SUBSCRIPTIONS)))).toEqual(dropsAlone);
  });

  test('draws about the given percentage, all at 100 and none at 0', async () => {
    for (const [percent, least, most] of [
      [0, 0, 0],
      [30, 20, 80],
      [100, 200, 200],
    ] as const) {
      await admin.call('DELETE', JOURNAL);
      await draw({ seed: 'x', kinds: ['garbage'] }, { percent });
      await lists(200);
      const count = (await injectedFaults()).filter((fault) => fault === 'garbage').length;
      expect([percent, count >= least && count <= most]).toEqual([percent, true]);
      expect(await rules()).toMatchObject([{ matched: 200, acted: count }]);
    }
  });
});

describe('a set', () => {
  test('is one of ten, with its own description', () => {
    expect(CHAOS_SET_NAMES).toHaveLength(10);
    expect(new Set(CHAOS_SET_NAMES.map((name) => CHAOS_SETS[name].about)).size).toBe(10);
    const kindsOfSets = CHAOS_SET_NAMES.flatMap((name) => (name === 'tudo' ? [] : CHAOS_SETS[name].kinds));
    expect(kindsOfSets.toSorted()).toEqual([...FAULT_KINDS].toSorted());
  });

  /** The set `lentidao` waits: test/executable/before-after.test.ts runs it over a socket. */
  const quick = CHAOS_SET_NAMES.filter((name) => name !== 'lentidao' && name !== 'tudo');
  test.each(quick)('%s draws its own kinds and no other', async (set) => {
    await draw({ seed: '1', set });
    await work();
    const kinds = new Set(await injectedFaults());
    kinds.delete(null);
    expect([...kinds]).toEqual([...CHAOS_SETS[set].kinds]);
    expect(await rules()).toMatchObject([{ percent: CHAOS_SETS[set].percent, times: null, chaos: { set } }]);
  });

  test('loses answers of changes only, and no sign-in gets a fault of the session', async () => {
    const operations = async (set: ChaosSetName): Promise<unknown[]> => {
      await admin.call('DELETE', JOURNAL);
      await draw({ seed: '1', set }, { percent: 100 });
      await work();
      const entries = (await admin.call('GET', `${JOURNAL}?limit=1000`)).json;
      const failed = (entries as LoggedRequest[]).filter(({ fault }) => fault);
      return [...new Set(failed.map(({ operation }) => operation))].toSorted((one, other) =>
        (one ?? '') < (other ?? '') ? -1 : 1,
      );
    };
    expect(await operations('respostas-perdidas')).toEqual(['includeProduct']);
    expect(await operations('sessao-vencida')).toEqual(['includeProduct', 'listProducts']);
    expect(await operations('hora-cheia')).toEqual(['includeProduct', 'listProducts']);
    expect(await operations('parada-diaria')).toEqual([
      ...['authenticateWithKey', 'includeProduct', 'listProducts'],
    ]);
  });
});

describe('a chaos', () => {
  const ALWAYS = { percent: 100 };
  const DROPS = { seed: '1', kinds: ['drop'] };

  test('is listed with what it draws; a new one replaces it', async () => {
    await draw({ seed: 7 });
    const id = await draw({ ...DROPS, operations: ['listProducts'] }, { percent: 30, after: 2, times: 9 });
    expect(await rules()).toEqual([
      {
        id,
        operation: null,
        method: null,
        path: null,
        cpfCnpjRaiz: null,
        after: 2,
        times: 9,
        percent: 30,
        matched: 0,
        acted: 0,
        chaos: { seed: '1', set: null, kinds: ['drop'], operations: ['listProducts'] },
      },
    ]);
    await draw({ seed: '7' });
    expect(await rules()).toMatchObject([{ chaos: { set: 'tudo', kinds: FAULT_KINDS, operations: null } }]);
  });

  test('comes after every rule, and draws nothing for a request that a rule or a header makes fail', async () => {
    await draw(DROPS, ALWAYS);
    const rule = { times: 2, fault: { kind: 'garbage' } };
    expect((await admin.call('POST', FAULTS, rule)).status).toBe(200);
    await lists(2);
    await demo.call('GET', LIST, undefined, { 'X-Simular-Falha': 'status=503' });
    expect(await injectedFaults()).toEqual(['garbage', 'garbage', 'status']);
    expect((await rules()).map(({ matched }) => matched)).toEqual([2, 0]);
    await lists(1);
    expect((await injectedFaults()).at(-1)).toBe('drop');
  });

  test('acts if its rule matches, on its operations, after and as often as given', async () => {
    await draw({ ...DROPS, operations: ['listProducts'] }, { ...ALWAYS, after: 1, times: 2 });
    await quietly(demo.call('GET', SUBSCRIPTIONS));
    await lists(4);
    expect(await injectedFaults()).toEqual([null, null, 'drop', 'drop', null]);
    await draw(DROPS, { ...ALWAYS, path: '/portal/*' });
    await lists(1);
    await quietly(demo.call('GET', SUBSCRIPTIONS));
    expect((await injectedFaults()).slice(-2)).toEqual([null, 'drop']);
  });

  test('never affects pages, their automatic requests, the document, and the control of the instance', async () => {
    await draw(DROPS, ALWAYS);
    for (const path of ['/openapi.json', '/ajuda', '/appliance/api/session', '/healthz'])
      expect([path, (await demo.call('GET', path)).status]).toEqual([path, 200]);
    expect((await demo.call('GET', LIST, undefined, { 'x-catp-pagina': '1' })).status).toBeLessThan(300);
    expect((await demo.call('GET', '/catp/nada')).status).toBe(404);
    const signIn = (key: string) =>
      server.anybody.call('POST', SIGN_IN, undefined, {
        ...CREDENTIALS,
        'client-id': key,
        'client-secret': key,
      });
    expect((await signIn('admin')).status).toBe(200);
    await draw({ ...DROPS, kinds: ['daily-stop'] }, ALWAYS);
    expect([(await signIn('admin')).status, (await signIn('demo')).status]).toEqual([200, 422]);
    await draw(DROPS, ALWAYS);
    expect(await rules()).toMatchObject([{ matched: 0 }]);
  });

  test('is removed with all rules, or alone', async () => {
    const id = await draw(DROPS, ALWAYS);
    expect((await admin.call('DELETE', `${FAULTS}/${id}`)).status).toBe(204);
    await draw(DROPS, ALWAYS);
    expect((await admin.call('DELETE', FAULTS)).status).toBe(204);
    expect((await demo.call('GET', LIST)).status).toBeLessThan(300);
  });
});

describe('malformed:', () => {
  test.each([
    ['beside a fault', { chaos: { seed: '1' }, fault: { kind: 'drop' } }, ['/fault']],
    ['without a seed', { chaos: {} }, ['/chaos/seed']],
    ['a seed of 21 signs', { chaos: { seed: 'x'.repeat(21) } }, ['/chaos/seed']],
    ['a seed with an accent', { chaos: { seed: 'é' } }, ['/chaos/seed']],
    ['a set that there is not', { chaos: { seed: '1', set: 'nada' } }, ['/chaos/set']],
    ['a kind that there is not', { chaos: { seed: '1', kinds: ['boom'] } }, ['/chaos/kinds/0']],
    ['no kind', { chaos: { seed: '1', kinds: [] } }, ['/chaos/kinds']],
    ['a set and kinds', { chaos: { seed: '1', set: 'tudo', kinds: ['drop'] } }, ['/chaos/kinds']],
    [
      ...([
        'an operation that there is not',
        { chaos: { seed: '1', operations: ['listProdukts'] } },
      ] as const),
      ['/chaos/operations/0'],
    ],
    ['percent 101', { chaos: { seed: '1' }, percent: 101 }, ['/percent']],
  ])('%s', async (_, rule, paths) => {
    const reply = await admin.call('POST', FAULTS, rule);
    const problemPaths = (reply.json.detail as { path: string }[]).map(({ path }) => path);
    expect([reply.status, problemPaths]).toEqual([400, [...paths]]);
    expect(await rules()).toEqual([]);
  });

  test('a seed of 20 characters is valid', async () => {
    await draw({ seed: 'x'.repeat(20) });
  });
});
