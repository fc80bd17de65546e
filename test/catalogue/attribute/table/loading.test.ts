import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { publicTable } from '../../../support/public-table.ts';
import { zipOf } from '../../../../src/files/zip-out.ts';
import { TABLES, activate, load, product, tableFile } from '../support.ts';

const FIRST = tableFile('1', { '0901.21.00': [{ codigo: 'ATT_1' }] });

let server: TestApp;
let admin: Client;

beforeEach(async () => {
  server = await openApp();
  admin = await server.as('admin');
});

afterEach(() => server.close());

const zipped = async (name: string, text: string): Promise<Uint8Array> =>
  new Response(
    zipOf(
      name,
      (async function* () {
        yield text;
      })(),
      0,
    ),
  ).bytes();

describe('loading a table', () => {
  test('requires signing in', async () => {
    expect((await server.anybody.call('POST', TABLES, FIRST)).status).toBe(401);
  });

  test.each(['demo', 'estranho'] as const)('is refused to %s', async (key) => {
    expect((await (await server.as(key)).call('POST', TABLES, FIRST)).status).toBe(403);
    expect(await admin.call('GET', TABLES)).toMatchObject({ status: 200, text: '[]' });
  });

  test('reports an empty file each time', async () => {
    const json = { 'content-type': 'application/json' };
    for (const turn of ['first', 'second'])
      expect([turn, (await admin.call('POST', TABLES, new Uint8Array(), json)).status]).toEqual([turn, 422]);
  });

  test('answers 415 for another content type', async () => {
    const reply = await admin.call('POST', TABLES, 'a;b', { 'content-type': 'text/csv' });
    expect(reply.status).toBe(415);
    expect(reply.json.message).toContain('application/zip');
  });

  test.each([
    ['that is truncated', '{"versao":"2",', 'CATP-ER1190', null],
    ['of another layout', '{"tabela":[]}', 'CATP-ER1191', '/versao'],
    ['with a repeated member', '{"versao":"2","listaNcm":[{"a":1,"a":1}]}', 'CATP-ER1191', '/listaNcm/0/a'],
    ['without bytes', '', 'CATP-ER1190', null],
    ['that only starts like a zip', 'PK\u0003\u0004 nothing', 'CATP-ER1190', null],
  ])('refuses a file %s with its place, and the one in force stays', async (_, text, code, path) => {
    await activate(admin, await load(admin, FIRST));
    const reply = await admin.call('POST', TABLES, text, { 'content-type': 'application/json' });
    expect(reply.status).toBe(422);
    expect(reply.json.detail[0]).toMatchObject({ code, path });
    expect((await admin.call('GET', TABLES)).json).toMatchObject([{ versao: '1', inForce: true }]);
    expect((await server.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '1' });
  });

  test('refuses other content under a known versao, and keeps the stored one', async () => {
    await load(admin, FIRST);
    const changedTable = tableFile('1', { '0901.21.00': [{ codigo: 'ATT_2' }] });
    const reply = await admin.call('POST', TABLES, changedTable);
    expect(reply.status).toBe(422);
    expect(reply.json.detail).toMatchObject([{ code: 'CATP-ER1196', field: 'versao', path: '/versao' }]);
    expect((await admin.call('GET', TABLES)).json).toHaveLength(1);
  });

  test('refuses a file with more or other content than the stored one, also in members that are not read', async () => {
    await load(admin, FIRST);
    const { detalhesAtributos } = FIRST as { detalhesAtributos: object[] };
    const [detail] = detalhesAtributos;
    for (const other of [
      { ...FIRST, geradoEm: '2026-01-15' },
      { ...FIRST, detalhesAtributos: [{ ...detail, observacao: 'outra' }] },
      JSON.parse(JSON.stringify(FIRST).replace('0901.21.00', '09012100')),
    ]) {
      const reply = await admin.call('POST', TABLES, other);
      expect([reply.status, reply.json.detail?.[0]?.code]).toEqual([422, 'CATP-ER1196']);
    }
  });

  test('recognises the same table in another layout or in a zip', async () => {
    const id = await load(admin, FIRST);
    expect(await load(admin, FIRST)).toBe(id);
    const pretty = await admin.call('POST', TABLES, JSON.stringify(FIRST, null, 2));
    expect(pretty).toMatchObject({ status: 200, json: { id } });
    const reordered = Object.fromEntries(Object.entries(FIRST).reverse());
    expect(await load(admin, reordered as typeof FIRST)).toBe(id);
    const zip = await zipped('qualquer', JSON.stringify(FIRST));
    const again = await admin.call('POST', TABLES, zip, { 'content-type': 'application/zip' });
    expect(again).toMatchObject({ status: 200, json: { id, versao: '1', ncms: 1, attributes: 1 } });
    expect((await admin.call('GET', TABLES)).json).toHaveLength(1);
  });

  test('keeps the digits of its numbers, when read and when served', async () => {
    const text = JSON.stringify(FIRST)
      .replace('"versao":"1"', '"versao":1.10')
      .replace('"tamanhoMaximo":10', '"tamanhoMaximo":10.0,"ordem":12345678901234567890');
    const reply = await admin.call('POST', TABLES, text);
    expect(reply).toMatchObject({ status: 200, json: { versao: '1.10' } });
    await activate(admin, reply.json.id);
    const answer = await admin.call('GET', '/cadatributos/api/ext/atributo-ncm/09012100');
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"tamanhoMaximo":10.0,"ordem":12345678901234567890');
  });

  test('of the same file twice at the same time creates one table', async () => {
    const ids = await Promise.all([load(admin, FIRST), load(await server.as('admin'), FIRST)]);
    expect(ids[0]).toBe(ids[1]);
  });

  test('puts nothing in force', async () => {
    await load(admin, FIRST);
    expect((await admin.call('GET', TABLES)).json).toMatchObject([{ inForce: false, scheduledOn: [] }]);
    const readiness = (await server.anybody.call('GET', '/readyz')).json;
    expect(readiness).toMatchObject({ ready: true, attributeTable: null });
    expect(readiness.notices[0]).toContain('Nenhuma tabela');
  });

  test('keeps every row of a large table', async () => {
    const size = { ncms: 1500, pairs: 9000, attributes: 300 };
    const reply = await admin.call('POST', TABLES, publicTable(size), { 'content-type': 'application/json' });
    expect(reply).toMatchObject({ status: 200, json: { ncms: 1500, attributes: 300 } });
    const count = (table: string) =>
      server.app.core.db
        .prepare<[], number>(`SELECT count(*) FROM ${table} WHERE table_id = ${reply.json.id}`)
        .pluck()
        .get();
    expect(count('attribute_table_ncm')).toBe(1500);
    expect(count('attribute_table_detail')).toBe(300);
  });
});

describe('the limit of a file (importacao.maximo)', () => {
  const text = JSON.stringify(
    tableFile('1', { '0901.21.00': Array.from({ length: 5 }, (_, index) => ({ codigo: `ATT_${index}` })) }),
  );
  const bytes = Buffer.byteLength(text);

  test.each([
    [bytes - 1, 413],
    [bytes, 200],
  ])('of %d bytes answers %d', async (limit, status) => {
    const small = await openApp({ settings: { 'importacao.maximo': String(limit) } });
    try {
      const reply = await (await small.as('admin')).call('POST', TABLES, text);
      expect(reply.status).toBe(status);
    } finally {
      await small.close();
    }
  });

  test('also limits the content of a zip', async () => {
    const small = await openApp({ settings: { 'importacao.maximo': String(bytes - 1) } });
    try {
      const zip = await zipped('tabela', text);
      const reply = await (
        await small.as('admin')
      ).call('POST', TABLES, zip, { 'content-type': 'application/zip' });
      expect(reply.status).toBe(422);
      expect(reply.json.detail[0]).toMatchObject({ code: 'CATP-ER1190' });
    } finally {
      await small.close();
    }
  });
});

describe('a load that a crash interrupted', () => {
  test('leaves no rows, and the file can be loaded again', async () => {
    const { db } = server.app.core;
    db.exec(`
      INSERT INTO attribute_table (versao, sha256, ncms, attributes, json_bytes, json_crc32, deflated_bytes, boundaries, state)
        VALUES ('1', '', 1, 1, 0, 0, 0, '[]', 'loading');
      INSERT INTO attribute_table_ncm VALUES (1, '09012100', '[]', '');
      INSERT INTO attribute_table_detail VALUES (1, 'ATT_1', '{}');
      INSERT INTO attribute_table_file VALUES (1, 0, x'00');
    `);
    expect((await admin.call('GET', TABLES)).json).toEqual([]);
    expect((await admin.call('GET', `${TABLES}/1/impact`)).status).toBe(404);
    await server.close({ keepFolder: true });
    server = await openApp({ folder: server.folder });
    admin = await server.as('admin');
    for (const table of ['attribute_table', 'attribute_table_ncm', 'attribute_table_detail'])
      expect(server.app.core.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
    expect(await load(admin, FIRST)).toBeGreaterThan(1);
  });
});

describe('the setting atributos.arquivo', () => {
  test('stops the start with a broken file, and names the fault', async () => {
    const path = `${server.folder}/tabela.json`;
    await Bun.write(path, '{"versao":"1"}');
    await expect(openApp({ settings: { 'atributos.arquivo': path } })).rejects.toThrow('listaNcm');
  });

  test('puts a table in force at the first start only', async () => {
    const path = `${server.folder}/tabela.json`;
    await Bun.write(path, JSON.stringify(FIRST));
    const settings = { 'atributos.arquivo': path };
    const first = await openApp({ settings });
    const demo = await first.as('demo');
    const refusal = await demo.call('POST', '/catp/api/ext/produto/12345678', product('09012100'));
    expect(refusal.status).toBe(422);
    await Bun.write(path, JSON.stringify(tableFile('2', {})));
    await first.close({ keepFolder: true });
    const second = await openApp({ settings, folder: first.folder });
    expect((await second.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({ versao: '1' });
    await second.close();
  });

  test('is reported after a reset if the file is no longer a table, also to users who can still sign in', async () => {
    const path = `${server.folder}/tabela.json`;
    await Bun.write(path, JSON.stringify(FIRST));
    const brokenServer = await openApp({ settings: { 'atributos.arquivo': path } });
    await Bun.write(path, '{"versao":"1"}');
    const reply = await (await brokenServer.as('admin')).call('POST', '/appliance/api/reset');
    expect([reply.status, reply.json.message]).toEqual([422, expect.stringContaining('listaNcm')]);
    await Bun.write(path, JSON.stringify(FIRST));
    expect((await (await brokenServer.as('admin')).call('POST', '/appliance/api/reset')).status).toBe(204);
    expect((await brokenServer.anybody.call('GET', '/readyz')).json.attributeTable).toMatchObject({
      versao: '1',
    });
    await brokenServer.close();
  });
});
