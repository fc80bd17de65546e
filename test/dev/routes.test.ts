/** /appliance/api/clock and /reset, which only a development instance has (contract section 13). */
import { afterEach, describe, expect, test } from 'bun:test';
import { SystemClock, monotonicMs } from '../../src/clock.ts';
import { fillProducts } from '../catalogue/listing/fill.ts';
import { KEEP_ALIVE_MS } from '../../src/http/kept-alive.ts';
import { HandTime } from '../support/real-time.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';

const CLOCK = '/appliance/api/clock';
const RESET = '/appliance/api/reset';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(...options: Parameters<typeof openApp>): Promise<{ server: TestApp; admin: Client }> {
  server = await openApp(...options);
  return { server, admin: await server.as('admin') };
}

describe('access', () => {
  test('any user moves the clock, only an administrator resets, and nobody without a session', async () => {
    const opened = await open();
    const demo = await opened.server.as('demo');
    for (const [method, path] of [
      ['GET', CLOCK],
      ['POST', CLOCK],
      ['POST', RESET],
    ] as const)
      expect((await opened.server.anybody.call(method, path, {})).status).toBe(401);
    expect((await demo.call('POST', CLOCK, { advance: 'PT1M' })).status).toBe(200);
    expect((await demo.call('GET', CLOCK)).json.now).toBe('2026-01-15T09:01:00.000-03:00');
    expect((await demo.call('POST', RESET, {})).status).toBe(403);
  });

  test('catp serve has neither', async () => {
    const opened = await open({ parts: { mode: 'serve' } });
    for (const path of [CLOCK, RESET]) expect((await opened.admin.call('POST', path, {})).status).toBe(404);
  });
});

describe('the clock', () => {
  test('returns the time and that it is a test clock', async () => {
    const { admin } = await open();
    expect((await admin.call('GET', CLOCK)).json).toEqual({
      now: '2026-01-15T09:00:00.000-03:00',
      test: true,
    });
  });

  test.each([
    [{}],
    [{ advance: 'P1D', set: '2027-01-01T00:00:00Z' }],
    [{ advance: '1 day' }],
    [{ advance: 'P' }],
    [{ advance: 'P1Y2' }],
    [{ set: 'amanhã' }],
    [{ set: '2026-13-01T00:00:00Z' }],
    [{ set: '2026-02-30T00:00:00Z' }],
    [{ set: '2026' }],
    [{ set: '+275760-09-13T00:00:00Z' }],
    [{ advance: 'P9999999D' }],
    [{ advance: `P${'9'.repeat(30)}D` }],
    [{ set: '-000001-01-01T00:00:00Z' }],
    [{ advance: 1 }],
    [{ forward: 'P1D' }],
  ])('does not move by %p', async (body) => {
    const { server: opened, admin } = await open();
    const reply = await admin.call('POST', CLOCK, body);
    expect([reply.status, reply.json.code]).toEqual([400, 'PUCX-ER0010']);
    expect(opened.clock.now()).toBe(START);
  });

  test.each([
    ['P30D', '2026-02-14T09:00:00.000-03:00'],
    ['PT1H30M', '2026-01-15T10:30:00.000-03:00'],
    ['PT0.5S', '2026-01-15T09:00:00.500-03:00'],
    ['PT0S', '2026-01-15T09:00:00.000-03:00'],
    ['-PT1H', '2026-01-15T08:00:00.000-03:00'],
  ])('advances by %s', async (advance, now) => {
    const { admin } = await open();
    expect((await admin.call('POST', CLOCK, { advance })).json).toEqual({ now, test: true });
  });

  test('can be set to an instant, backwards too', async () => {
    const { admin } = await open();
    const reply = await admin.call('POST', CLOCK, { set: '2025-12-31T23:59:59Z' });
    expect(reply.json).toEqual({ now: '2025-12-31T20:59:59.000-03:00', test: true });
  });

  test.each([
    ['2026-03-10T10:00:00', '2026-03-10T10:00:00.000-03:00'],
    ['2026-03-10T10:00', '2026-03-10T10:00:00.000-03:00'],
    ['2026-03-10', '2026-03-10T00:00:00.000-03:00'],
    ['2026-03-10T10:00:00+0100', '2026-03-10T06:00:00.000-03:00'],
  ])('is set to %s: where no zone is named, Brasília', async (set, now) => {
    const { admin } = await open();
    expect((await admin.call('POST', CLOCK, { set })).json).toEqual({ now, test: true });
  });

  test('answers a long move with periodic spaces until its end', async () => {
    const time = new HandTime();
    const { server: opened, admin } = await open({ parts: { realTime: time } });
    const { writer } = opened.app.core;
    const write = writer.write.bind(writer);
    const gate = Promise.withResolvers<void>();
    writer.write = async (work) => {
      await gate.promise;
      return write(work);
    };
    const armed = time.armed(KEEP_ALIVE_MS);
    const moving = admin.call('POST', CLOCK, { advance: 'P1D' });
    await armed;
    const armedAgain = time.armed(KEEP_ALIVE_MS);
    time.pass(KEEP_ALIVE_MS);
    await armedAgain;
    gate.resolve();
    const { status, text, json } = await moving;
    expect([status, text.slice(0, 2), json.now]).toEqual([200, ' {', '2026-01-16T09:00:00.000-03:00']);
  });

  test('of the machine cannot be moved', async () => {
    const { server: opened } = await open({ parts: { clock: new SystemClock(), stopwatch: monotonicMs } });
    const admin = await opened.as('admin');
    expect((await admin.call('GET', CLOCK)).json.test).toBe(false);
    expect((await admin.call('POST', CLOCK, { advance: 'P1D' })).status).toBe(422);
  });

  test('determines every time: tokens expire with it', async () => {
    const { admin } = await open();
    await admin.call('POST', CLOCK, { advance: 'PT59M' });
    expect((await admin.call('GET', CLOCK)).status).toBe(200);
    await admin.call('POST', CLOCK, { advance: 'PT1M' });
    expect((await admin.call('GET', CLOCK)).status).toBe(401);
  });
});

describe('a reset', () => {
  test('removes all records and restores the fixed users, who stay signed in', async () => {
    const { server: opened, admin } = await open();
    const demo = await opened.as('demo');
    await demo.call('POST', '/catp/api/ext/produto/12345678', PRODUCT);
    await admin.call('POST', '/appliance/api/companies', { cpfCnpjRaiz: '99999999', nome: 'Nova' });
    expect((await admin.call('POST', RESET)).status).toBe(204);
    expect((await demo.call('GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678')).status).toBe(204);
    const companies = (await admin.call('GET', '/appliance/api/companies')).json;
    expect(companies.map(({ cpfCnpjRaiz }: { cpfCnpjRaiz: string }) => cpfCnpjRaiz).toSorted()).toEqual([
      '11222333',
      '12345678',
      '87654321',
    ]);
    expect((await demo.call('POST', '/catp/api/ext/produto/12345678', PRODUCT)).json.codigo).toBe(1);
  });

  test('of ten thousand products is fast', async () => {
    const { server: opened, admin } = await open();
    const { db } = opened.app.core;
    fillProducts(db, 10_000);
    db.exec("INSERT INTO product_internal_code SELECT company_id, 'C' || id, id FROM product");
    expect((await admin.call('POST', RESET)).status).toBe(204);
    expect(db.prepare('SELECT count(*) FROM product').pluck().get()).toBe(0);
    // A tenth of a second; ten seconds or more without the index by code, or without the order that avoids
    // the search.
  }, 5000);

  test('leaves no row of any record, except the history of the schema', async () => {
    const { server: opened, admin } = await open();
    const { db } = opened.app.core;
    const demo = await opened.as('demo');
    // The audit has one page for each group of writes, and the number of groups depends on the machine.
    const tables = db
      .prepare<[], string>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'audit_page' ORDER BY name",
      )
      .pluck()
      .all();
    // A page of the audit is one transaction: the number of pages for the same entries depends on timing.
    const rowsOf = (table: string): string =>
      table === 'audit_page' ? 'SELECT max(last_seq) FROM audit_page' : `SELECT count(*) FROM "${table}"`;
    const counts = (): Record<string, number | undefined> =>
      Object.fromEntries(tables.map((table) => [table, db.prepare<[], number>(rowsOf(table)).pluck().get()]));
    const before = counts();
    await demo.call('POST', '/catp/api/ext/produto/12345678', PRODUCT);
    await demo.call('POST', '/portal/api/ext/webhook', { evento: 'x', endpoint: 'https://erp.invalid' });
    expect(counts()).not.toEqual(before);
    await admin.call('POST', RESET);
    expect(counts()).toEqual(before);
  });
});
