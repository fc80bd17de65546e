/** Exports with very many records or with overlapping members (contract section 16): disk and time are bounded. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { COMPARED_RECORDS_MAX } from '../../src/remote/compare/items.ts';
import { LISTED_RECORDS_MAX } from '../../src/remote/record-deletion.ts';
import { type Client, type TestApp, openApp } from '../support/app.ts';
import { COMPANY, compare } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  const admin = await server.as('admin');
  await admin.call('POST', '/appliance/api/remotes', { name: 'portal', companies: [COMPANY] });
});

afterEach(() => server.close());

describe('a file of a comparison', () => {
  const links = (count: number) => Buffer.from(`[${'{},'.repeat(count - 1)}{}]`);

  test('has at most a million records', async () => {
    const most = await compare(server, demo, { vinculos: links(COMPARED_RECORDS_MAX) });
    expect(most.comparison).toMatchObject({ state: 'done', error: null });
    const more = await compare(server, demo, { vinculos: links(COMPARED_RECORDS_MAX + 1) });
    expect(more.comparison).toMatchObject({
      state: 'failed',
      error: { code: 'CATP-ER1529', message: expect.stringContaining('tem mais de 1.000.000 registros') },
    });
    expect(readdirSync(join(server.folder, 'imports'))).toEqual([]);
  });

  test('that is a zip has no overlapping members', async () => {
    const text = new TextEncoder().encode(`[${'{},'.repeat(1000)}{}]`);
    const zip = Buffer.from(
      zipSync({ 'a.json': text, 'b.json': new TextEncoder().encode('[]') }, { level: 0 }),
    );
    const end = zip.length - 22;
    const first = zip.readUInt32LE(end + 16);
    const second = zip.indexOf('PK\u0001\u0002', first + 4, 'latin1');
    expect((await compare(server, demo, { vinculos: zip })).comparison.state).toBe('done');
    // The second member refers to the bytes of the first one.
    for (const at of [16, 20, 24, 42]) zip.writeUInt32LE(zip.readUInt32LE(first + at), second + at);
    expect((await compare(server, demo, { vinculos: zip })).comparison).toMatchObject({
      state: 'failed',
      error: { code: 'CATP-ER1529', message: expect.stringContaining('Zip corrompido: os membros têm mais') },
    });
  });
});

describe('earlier comparisons of a remote and a company', () => {
  const product = (codigo: number) => ({ codigo, denominacao: `P${codigo}`, situacao: 'Ativado' });
  const runComparison = async () => (await compare(server, demo, { produtos: [product(1)] })).id;
  const listing = (id: number, records: number) =>
    server.app.core.db
      .prepare('UPDATE remote_comparison SET counts = ? WHERE id = ?')
      .run(JSON.stringify({ produto: { soLa: records, igual: 7 }, operador: {}, vinculo: {} }), id);
  const statusOf = async (id: number) => (await demo.call('GET', `/appliance/api/comparisons/${id}`)).status;
  const recordsOf = (id: number) =>
    server.app.core.db.prepare('SELECT count(*) FROM remote_record WHERE comparison_id = ?').pluck().get(id);

  test('are kept up to two million listed records, then the oldest are deleted', async () => {
    const oldest = await runComparison();
    const older = await runComparison();
    listing(oldest, 1000);
    listing(older, LISTED_RECORDS_MAX - 1001);
    const newer = await runComparison(); // it lists one record
    expect([await statusOf(oldest), await statusOf(older), await statusOf(newer)]).toEqual([200, 200, 200]);
    const newest = await runComparison();
    expect([await statusOf(oldest), await statusOf(older), await statusOf(newer)]).toEqual([404, 200, 200]);
    expect([recordsOf(oldest), recordsOf(older), recordsOf(newest)]).toEqual([0, 1, 1]);
    listing(newest, LISTED_RECORDS_MAX);
    const last = await runComparison();
    for (const id of [older, newer, newest]) expect(await statusOf(id)).toBe(404);
    listing(last, LISTED_RECORDS_MAX + 1);
    expect(await statusOf(last)).toBe(200);
  });
});
