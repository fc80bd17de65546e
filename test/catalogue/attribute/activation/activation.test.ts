import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { monotonicMs } from '../../../../src/clock.ts';
import { openCore } from '../../../../src/assembly/core.ts';
import { readSettings } from '../../../../src/settings/config.ts';
import { openFolder } from '../../../../src/db/folder.ts';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import {
  COMPANY,
  TABLES,
  activate,
  deactivations,
  include,
  load,
  product,
  situations,
  tableFile,
} from '../support.ts';

/** First day of the clock of a new server, which starts at 09:00 in Brasília. */
const TODAY = '2026-01-15';
const TOMORROW = '2026-01-16';
const NCM = '09012100';
const DOTTED = '0901.21.00';
const FINE = product(NCM, 'ATT_1');

const FIRST = tableFile('1', { [DOTTED]: [{ codigo: 'ATT_1' }] });
/** Table that requires one more attribute. */
const SECOND = tableFile('2', { [DOTTED]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }] });

let server: TestApp;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  await signIn();
});

afterEach(() => server.close());

async function signIn(): Promise<void> {
  admin = await server.as('admin');
  demo = await server.as('demo');
}

async function moveTo(instant: string): Promise<void> {
  const reply = await (await server.as('admin')).call('POST', '/appliance/api/clock', { set: instant });
  if (reply.status !== 200) throw new Error(reply.text);
  await signIn();
}

const accepts = async (body: object): Promise<boolean> =>
  (await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, body)).status === 200;

describe('putting a table in force', () => {
  test('is refused to a user who is not an administrator', async () => {
    const id = await load(admin, FIRST);
    expect((await demo.call('POST', `${TABLES}/${id}/activate`)).status).toBe(403);
    expect((await server.anybody.call('POST', `${TABLES}/${id}/activate`)).status).toBe(401);
  });

  test('answers 404 for an unknown table', async () => {
    expect((await admin.call('POST', `${TABLES}/99/activate`)).status).toBe(404);
  });

  test.each([
    [{ on: 'amanhã' }, 400],
    [{ on: '2026-02-30' }, 400],
    [{ dia: TOMORROW }, 400],
    [{ on: '2026-01-14' }, 422],
    [{ on: TODAY }, 200],
    [{ on: TOMORROW }, 200],
  ])('with %j answers %d', async (body, status) => {
    const id = await load(admin, FIRST);
    const reply = await admin.call('POST', `${TABLES}/${id}/activate`, body);
    expect(reply.status).toBe(status);
    if (status === 422) expect(reply.json.detail).toMatchObject([{ code: 'CATP-ER1197', path: '/on' }]);
  });

  test('deactivates the products that it does not admit, as the system, and a new version activates one again', async () => {
    await activate(admin, await load(admin, FIRST));
    const codigo = await include(demo, FINE);
    const id = await load(admin, SECOND);
    expect(await activate(admin, id)).toEqual({ deactivated: 1, events: 1 });
    expect(await situations(demo)).toEqual({ [codigo]: 'DESATIVADO' });
    expect(deactivations(server)).toEqual([[COMPANY, NCM, [codigo]]]);
    const body = product(NCM, 'ATT_1', 'ATT_2');
    const newVersion = await demo.call('PUT', `/catp/api/ext/produto/${COMPANY}/${codigo}`, body);
    expect(newVersion.json).toMatchObject({ versao: '2', situacao: 'ATIVADO' });
  });

  test('does not touch drafts and deactivated products', async () => {
    const draft = { seq: 1, cpfCnpjRaiz: COMPANY, ...FINE, situacao: 'RASCUNHO' };
    await demo.call('POST', '/catp/api/ext/produto', [draft, { ...draft, seq: 2, ncm: undefined }]);
    const codigo = await include(demo, FINE);
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${codigo}`);
    expect(await activate(admin, await load(admin, SECOND))).toEqual({ deactivated: 0, events: 0 });
    expect(await situations(demo)).toEqual({ 1: 'RASCUNHO', 2: 'RASCUNHO', 3: 'DESATIVADO' });
  });

  test('puts an older table in force again', async () => {
    const first = await load(admin, FIRST);
    await activate(admin, first);
    await activate(admin, await load(admin, SECOND));
    expect(await accepts(FINE)).toBe(false);
    await activate(admin, first);
    expect(await accepts(FINE)).toBe(true);
    expect((await admin.call('GET', TABLES)).json).toMatchObject([{ inForce: true }, { inForce: false }]);
  });

  test('by another process is valid for the very next request', async () => {
    const id = await load(admin, SECOND);
    expect(await accepts(FINE)).toBe(true);
    const otherProcess = openCore({
      folder: openFolder(server.folder),
      settings: readSettings({ environment: {}, commandLine: [] }),
      clock: server.clock,
      stopwatch: monotonicMs,
    });
    expect(
      await otherProcess.catalogue.attribute.service.activate(id, undefined, 'teste', { user: 'teste' }),
    ).toEqual({
      deactivated: 1,
      events: 1,
    });
    await otherProcess.close();
    expect(await accepts(FINE)).toBe(false);
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('skips products whose NCM has the same rules in both tables', async () => {
    await activate(admin, await load(admin, FIRST));
    await include(demo, FINE);
    const { db } = server.app.core;
    // The invalid text makes any read of the product fail.
    db.exec('UPDATE product SET atributos = NULL');
    const same = tableFile('2', { [DOTTED]: [{ codigo: 'ATT_1' }], '0901.22.00': [] });
    expect(await activate(admin, await load(admin, same))).toEqual({ deactivated: 0, events: 0 });
    const laterTable = tableFile('3', { [DOTTED]: [{ codigo: 'ATT_1', to: '2030-01-01' }] });
    expect(await activate(admin, await load(admin, laterTable))).toEqual({ deactivated: 1, events: 1 });
  });
});

describe('a scheduled table', () => {
  beforeEach(async () => {
    await activate(admin, await load(admin, FIRST));
    await include(demo, FINE);
    await activate(admin, await load(admin, SECOND), TOMORROW);
  });

  test('is listed with its day, and changes nothing before that day', async () => {
    expect((await admin.call('GET', TABLES)).json).toMatchObject([
      { versao: '1', inForce: true, scheduledOn: [] },
      { versao: '2', inForce: false, scheduledOn: [TOMORROW] },
    ]);
    await moveTo('2026-01-16T02:59:59Z'); // 23:59:59 in Brasília
    expect(await accepts(FINE)).toBe(true);
    expect(deactivations(server)).toEqual([]);
  });

  test('judges from the first second of its day, and deactivates at 00:05', async () => {
    await moveTo('2026-01-16T03:00:00Z');
    expect(await accepts(FINE)).toBe(false);
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO' });
    await moveTo('2026-01-16T03:04:59Z');
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO' });
    await moveTo('2026-01-16T03:05:00Z');
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
    expect(deactivations(server)).toEqual([[COMPANY, NCM, [1]]]);
    await moveTo('2026-01-20T12:00:00Z');
    expect(deactivations(server)).toHaveLength(1);
  });

  test('is put in force at the start if its day was missed', async () => {
    await server.close({ keepFolder: true });
    server.clock.moveTo(Date.parse('2026-01-20T12:00:00Z'));
    server = await openApp({ folder: server.folder, clock: server.clock });
    await server.app.core.catalogue.attribute.service.runOnce(); // waits for the run that the start began
    await signIn();
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
    expect(deactivations(server)).toHaveLength(1);
  });

  test('is replaced by one that is scheduled later for the same day', async () => {
    await activate(admin, (await admin.call('GET', TABLES)).json[0].id, TOMORROW);
    await moveTo('2026-01-16T12:00:00Z');
    expect(await accepts(FINE)).toBe(true);
    expect(deactivations(server)).toEqual([]);
  });
});

describe('a cancelled schedule', () => {
  const DAYS = [TOMORROW, '2026-01-18'];
  let id: number;
  beforeEach(async () => {
    await activate(admin, await load(admin, FIRST));
    await include(demo, FINE);
    id = await load(admin, SECOND);
    for (const on of DAYS) await activate(admin, id, on);
  });

  const cancel = (query = '', by = admin, table = id) =>
    by.call('DELETE', `${TABLES}/${table}/activate${query}`);
  const days = async (): Promise<unknown> => (await admin.call('GET', TABLES)).json[1].scheduledOn;

  test('is refused to a user who is not an administrator', async () => {
    expect((await cancel('', demo)).status).toBe(403);
    expect(await days()).toEqual(DAYS);
  });

  test('of one day leaves the other days scheduled', async () => {
    const { status, text } = await cancel(`?on=${TOMORROW}`);
    expect([status, text, await days()]).toEqual([204, '', [DAYS[1]]]);
    await moveTo('2026-01-17T12:00:00Z');
    expect(await accepts(FINE)).toBe(true);
    await moveTo('2026-01-18T12:00:00Z');
    expect(await accepts(FINE)).toBe(false);
  });

  test('of all days never puts the table in force, and is in the audit', async () => {
    expect((await cancel()).status).toBe(204);
    expect(await days()).toEqual([]);
    const { items } = (await admin.call('GET', '/appliance/api/audit?limit=1')).json;
    expect(items).toMatchObject([
      { action: 'CANCELAMENTO', subject: `tabela ${id}`, before: '2', after: '1' },
    ]);
    await moveTo('2026-01-20T12:00:00Z');
    expect(await accepts(FINE)).toBe(true);
    expect(deactivations(server)).toEqual([]);
    await activate(admin, id, '2026-01-21'); // the table can be scheduled again
    expect(await days()).toEqual(['2026-01-21']);
  });

  test('answers 404 for a day that is not scheduled, and names the scheduled days', async () => {
    const { status, json } = await cancel('?on=2026-01-17');
    expect([status, json.message]).toEqual([404, expect.stringContaining(DAYS.join(', '))]);
    expect((await cancel('', admin, 99)).status).toBe(404);
    expect((await cancel('?on=logo')).status).toBe(400);
    expect(await days()).toEqual(DAYS);
  });

  test('answers 404 once the day has come, and the table stays in force', async () => {
    await moveTo('2026-01-18T12:00:00Z');
    expect((await cancel()).status).toBe(404);
    expect(await accepts(FINE)).toBe(false);
  });

  test('is possible for a table that was in force before the clock was put back', async () => {
    await moveTo('2026-01-18T12:00:00Z');
    await moveTo('2026-01-15T12:00:00Z');
    expect((await cancel()).status).toBe(204);
    await moveTo('2026-01-20T12:00:00Z');
    expect(await accepts(FINE)).toBe(true);
  });
});

describe('a table whose pairs start and end', () => {
  const CHANGING = tableFile('1', {
    [DOTTED]: [
      { codigo: 'ATT_1' },
      { codigo: 'ATT_2', from: '2026-01-17' },
      { codigo: 'ATT_3', obrigatorio: false, to: '2026-01-19' },
    ],
  });

  beforeEach(async () => {
    await activate(admin, await load(admin, CHANGING));
  });

  test('deactivates products on the day on which a pair starts, not before', async () => {
    await include(demo, FINE);
    await moveTo('2026-01-17T02:59:59Z');
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO' });
    await moveTo('2026-01-17T03:05:00Z');
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
  });

  test('deactivates no product when a pair ends: its value stays, and a missing value is not required', async () => {
    await moveTo('2026-01-17T12:00:00Z');
    await include(demo, product(NCM, 'ATT_1', 'ATT_2', 'ATT_3'));
    await include(demo, product(NCM, 'ATT_1', 'ATT_2'));
    await moveTo('2026-01-20T03:05:00Z');
    await moveTo('2026-02-15T12:00:00Z');
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO', 2: 'ATIVADO' });
    expect(await accepts(product(NCM, 'ATT_1', 'ATT_2', 'ATT_3'))).toBe(true);
    expect(await accepts(product(NCM, 'ATT_1', 'ATT_2'))).toBe(true);
  });

  test('accepts a value for a pair that starts later, and refuses one for an attribute that the NCM does not have', async () => {
    expect(await accepts(product(NCM, 'ATT_1', 'ATT_2'))).toBe(true);
    expect(await accepts(product(NCM, 'ATT_1', 'ATT_9'))).toBe(false);
  });

  test('accepts values for a scheduled table before its day, and its sweep deactivates no such product', async () => {
    const scheduled = tableFile('2', {
      [DOTTED]: [{ codigo: 'ATT_1' }, { codigo: 'ATT_2' }, { codigo: 'ATT_9' }],
    });
    const withFutureValues = product(NCM, 'ATT_1', 'ATT_2', 'ATT_9');
    expect(await accepts(withFutureValues)).toBe(false);
    await activate(admin, await load(admin, scheduled), '2026-01-25');
    await include(demo, withFutureValues);
    await include(demo, product(NCM, 'ATT_1', 'ATT_2'));
    await moveTo('2026-01-18T12:00:00Z');
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO', 2: 'ATIVADO' });
    await moveTo('2026-01-25T12:00:00Z');
    expect(await situations(demo)).toEqual({ 1: 'ATIVADO', 2: 'DESATIVADO' });
  });

  test('runs no sweep on other days', async () => {
    const sweeps = () =>
      server.app.core.db.prepare('SELECT day FROM attribute_sweep ORDER BY id').pluck().all();
    await moveTo('2026-02-15T12:00:00Z');
    expect(sweeps()).toEqual([TODAY, '2026-01-17']);
  });

  test('runs one sweep for all missed days', async () => {
    await include(demo, FINE);
    await server.close({ keepFolder: true });
    server.clock.moveTo(Date.parse('2026-02-15T12:00:00Z'));
    server = await openApp({ folder: server.folder, clock: server.clock });
    await server.app.core.catalogue.attribute.service.runOnce();
    await signIn();
    expect(await situations(demo)).toEqual({ 1: 'DESATIVADO' });
    expect(server.app.core.db.prepare('SELECT day FROM attribute_sweep ORDER BY id').pluck().all()).toEqual([
      TODAY,
      '2026-02-15',
    ]);
  });
});

test('is the table of a development instance again after a reset', async () => {
  const dev = await openApp({ demo: true });
  try {
    const administrator = await dev.as('admin');
    const { db } = dev.app.core;
    expect(db.prepare('SELECT count(*) AS n FROM product').get()).toEqual({ n: 12 });
    await activate(administrator, await load(administrator, SECOND));
    expect((await dev.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '2' });
    expect((await administrator.call('POST', '/appliance/api/reset')).status).toBe(204);
    expect((await dev.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '1' });
    // The ids start again at 1, so the cache of the former tables must not serve the new ones.
    const wrong = { ...FINE, ncm: '09012100' };
    const reply = await (await dev.as('demo')).call('POST', `/catp/api/ext/produto/${COMPANY}`, wrong);
    expect(reply.json.detail[0].message).toContain('ATT_90001');
  } finally {
    await dev.close();
  }
});
