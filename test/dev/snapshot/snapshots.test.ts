/** /appliance/api/snapshots: the whole state is stored under a name, and restored (contract section 15). */
import { afterEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS, SystemClock, TestClock, monotonicMs } from '../../../src/clock.ts';
import { fillProducts } from '../../catalogue/listing/fill.ts';
import { type Client, START, type TestApp, openApp } from '../../support/app.ts';

const BASE = '/appliance/api/snapshots';
const CLOCK = '/appliance/api/clock';
const RESET = '/appliance/api/reset';
const OF_COMPANY = '/catp/api/ext/produto/12345678';
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const PRODUCT = { denominacao: 'Parafuso', modalidade: 'AMBOS', ncm: '73181500' };

let server: TestApp | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(...options: Parameters<typeof openApp>) {
  const opened = (server = await openApp(...options));
  return { opened, admin: await opened.as('admin'), demo: await opened.as('demo') };
}

const include = (client: Client, denominacao: string) =>
  client.call('POST', OF_COMPANY, { ...PRODUCT, denominacao });

async function names(client: Client): Promise<string[]> {
  const reply = await client.call('GET', LIST);
  return reply.status === 204
    ? []
    : reply.json.map(({ denominacao }: { denominacao: string }) => denominacao);
}

/** Returns the rows of every table except the history of the schema, and the state of each sequence. */
function contentOf({ app }: TestApp): Record<string, unknown[]> {
  const { db } = app.core;
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
    )
    .pluck()
    .all();
  return Object.fromEntries(tables.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
}

describe('access', () => {
  test('only an administrator is admitted', async () => {
    const { opened, demo } = await open();
    for (const [method, path] of [
      ['GET', BASE],
      ['POST', `${BASE}/um`],
      ['POST', `${BASE}/um/restore`],
      ['DELETE', `${BASE}/um`],
    ] as const) {
      expect((await opened.anybody.call(method, path)).status).toBe(401);
      expect((await demo.call(method, path)).status).toBe(403);
    }
  });

  test('catp serve has no snapshots', async () => {
    const { admin } = await open({ parts: { mode: 'serve' } });
    for (const [method, path] of [
      ['GET', BASE],
      ['POST', `${BASE}/um`],
      ['POST', `${BASE}/um/restore`],
      ['DELETE', `${BASE}/um`],
    ] as const)
      expect((await admin.call(method, path)).status).toBe(404);
  });
});

describe('a name', () => {
  test.each(['a', '0', '-', 'antes-do-teste-2', 'a'.repeat(40)])('can be %s', async (name) => {
    const { admin } = await open();
    expect((await admin.call('POST', `${BASE}/${name}`)).status).toBe(200);
    expect((await admin.call('POST', `${BASE}/${name}/restore`)).status).toBe(204);
    expect((await admin.call('DELETE', `${BASE}/${name}`)).status).toBe(204);
  });

  test.each(['A', 'a_b', 'a.b', 'a@1', 'a%2Fb', 'ação', 'a'.repeat(41), 'a%20b', 'a%0A'])(
    'is not %s',
    async (name) => {
      const { admin, opened } = await open();
      for (const [method, path] of [
        ['POST', `${BASE}/${name}`],
        ['POST', `${BASE}/${name}/restore`],
        ['DELETE', `${BASE}/${name}`],
      ] as const) {
        const reply = await admin.call(method, path);
        expect(reply.json.message).toContain('letras minúsculas');
        expect([reply.status, reply.json.code, reply.json.detail[0].path]).toEqual([
          400,
          'PUCX-ER0010',
          'name',
        ]);
      }
      expect(readdirSync(opened.folder)).not.toContain('snapshots');
    },
  );

  test('that is unknown is 404, and the answer lists the known ones', async () => {
    const { admin } = await open();
    await admin.call('POST', `${BASE}/um`);
    for (const [method, path] of [
      ['POST', `${BASE}/dois/restore`],
      ['DELETE', `${BASE}/dois`],
    ] as const) {
      const reply = await admin.call(method, path);
      expect([reply.status, reply.json.code]).toEqual([404, 'APPL-ER0404']);
      expect(reply.json.message).toBe('Não existe o snapshot "dois". Guardados: "um".');
    }
  });

  test('unknown among many: ten are listed, and the others counted', async () => {
    const { admin } = await open();
    const refusal = async (): Promise<unknown> => (await admin.call('DELETE', `${BASE}/outro`)).json.message;
    const names = Array.from({ length: 11 }, (_, at) => `s${10 + at}`);
    const ten = names.slice(0, 10).map((name) => `"${name}"`);
    for (const name of names.slice(0, 10)) await admin.call('POST', `${BASE}/${name}`);
    expect(await refusal()).toBe(`Não existe o snapshot "outro". Guardados: ${ten.join(', ')}.`);
    await admin.call('POST', `${BASE}/s20`);
    expect(await refusal()).toBe(`Não existe o snapshot "outro". Guardados: ${ten.join(', ')} … e mais 1.`);
  });
});

describe('a restore', () => {
  test('restores every row and every sequence, despite any later writes', async () => {
    const { opened, admin, demo } = await open({ demo: true });
    await demo.call('POST', '/portal/api/ext/webhook', subscription('catp-prod-alterado'));
    await include(demo, 'Antes');
    await admin.call('POST', `${BASE}/um`);
    const content = contentOf(opened);
    await include(demo, 'Depois');
    await demo.call('POST', '/portal/api/ext/webhook', subscription('catp-oper-alterado'));
    await admin.call('POST', '/appliance/api/companies', { cpfCnpjRaiz: '99999999', nome: 'Nova' });
    expect((await admin.call('POST', `${BASE}/um/restore`)).status).toBe(204);
    expect(contentOf(opened)).toEqual(content);
    expect(opened.app.core.db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(opened.app.core.db.pragma('journal_mode', { simple: true })).toBe('wal');
  });

  test('can be repeated, and numbers continue as at the snapshot', async () => {
    const { admin, demo } = await open();
    await include(demo, 'Antes');
    await admin.call('POST', `${BASE}/um`);
    for (const name of ['Primeiro', 'Segundo', 'Terceiro']) {
      expect((await include(demo, name)).json.codigo).toBe(2);
      expect(await names(demo)).toEqual(['Antes', name]);
      await admin.call('POST', `${BASE}/um/restore`);
      expect(await names(demo)).toEqual(['Antes']);
    }
  });

  test('of ten thousand products is fast, and so is one to an empty state', async () => {
    const { opened, admin, demo } = await open();
    await admin.call('POST', `${BASE}/vazio`);
    fillProducts(opened.app.core.db, 10_000);
    await admin.call('POST', `${BASE}/cheio`);
    await admin.call('POST', `${BASE}/vazio/restore`);
    expect(await names(demo)).toEqual([]);
    await admin.call('POST', `${BASE}/cheio/restore`);
    expect(opened.app.core.db.prepare('SELECT count(*) FROM product').pluck().get()).toBe(10_000);
    const sizes = (await admin.call('GET', BASE)).json as { bytes: number }[];
    // An empty snapshot is the schema without rows.
    expect(sizes[0]?.bytes).toBeGreaterThan(4_000_000 + (sizes[1]?.bytes ?? Infinity));
  }, 5000);

  test('keeps the users of the snapshot signed in, and nobody else', async () => {
    const { opened, admin, demo } = await open();
    await admin.call('POST', '/appliance/api/users', {
      documento: '11144477735',
      nome: 'Nova',
      tipo: 'PRIV',
    });
    await admin.call('POST', `${BASE}/com`);
    await admin.call('DELETE', '/appliance/api/users/00000000272');
    await admin.call('POST', `${BASE}/sem`);
    await admin.call('POST', `${BASE}/com/restore`);
    const second = await opened.as('demo2');
    expect((await second.call('GET', LIST)).status).toBe(204);
    await admin.call('POST', `${BASE}/sem/restore`);
    expect((await second.call('GET', LIST)).status).toBe(401);
    expect((await demo.call('GET', LIST)).status).toBe(204);
    await admin.call('POST', `${BASE}/com/restore`);
    expect((await second.call('GET', LIST)).status).toBe(204);
    expect((await admin.call('GET', BASE)).json.map(({ name }: { name: string }) => name)).toEqual([
      'com',
      'sem',
    ]);
  });

  test('restores the rights with the representations, and the table in force with its products', async () => {
    const { admin, demo, opened } = await open({ demo: true });
    await admin.call('POST', `${BASE}/um`);
    const rights = { documento: '00000000191', cpfCnpjRaiz: '12345678', perfil: 'IMPEXP' };
    await admin.call('DELETE', '/appliance/api/representations', rights);
    expect((await demo.call('GET', LIST)).status).toBe(403);
    await admin.call('POST', `${BASE}/um/restore`);
    expect((await demo.call('GET', LIST)).status).toBe(200);
    const inForce = async () =>
      (await opened.anybody.call('GET', '/readyz')).json.attributeTable as object | null;
    const before = await inForce();
    await admin.call('POST', `${BASE}/um/restore`);
    expect(await inForce()).toEqual(before);
  });

  test('resets the hourly limit of every user', async () => {
    const { admin, demo } = await open({ settings: { limiteHorario: '3' } });
    await admin.call('POST', `${BASE}/um`);
    for (const status of [204, 204, 204, 422]) expect((await demo.call('GET', LIST)).status).toBe(status);
    await admin.call('POST', `${BASE}/um/restore`);
    expect((await demo.call('GET', LIST)).status).toBe(204);
  });
});

describe('the test clock', () => {
  test('that a restore moves days ahead ends no session; each lasts as long as before from there on', async () => {
    const { opened, admin } = await open();
    const setClock = (set: number) => admin.call('POST', CLOCK, { set: new Date(set).toISOString() });
    const then = START + 5 * 24 * 60 * MINUTE_MS;
    expect((await setClock(then)).status).toBe(200);
    const laterAdmin = await opened.as('admin');
    expect((await laterAdmin.call('POST', `${BASE}/depois`)).status).toBe(200);
    expect((await laterAdmin.call('POST', CLOCK, { set: new Date(START).toISOString() })).status).toBe(200);
    const [owner, early] = [await opened.as('admin'), await opened.as('demo')];
    expect((await owner.call('POST', CLOCK, { advance: 'PT30M' })).status).toBe(200);
    const neverSeen = await opened.as('demo2');
    expect((await owner.call('POST', `${BASE}/depois/restore`)).status).toBe(204);
    for (const client of [early, neverSeen]) expect((await client.call('GET', LIST)).status).toBe(204);
    const read = await owner.call('GET', CLOCK);
    expect(read.json.now).toContain('2026-01-20T');
    expect(Number(read.headers.get('x-csrf-expiration'))).toBe(then + 30 * MINUTE_MS);
    expect((await owner.call('POST', CLOCK, { advance: 'PT29M' })).status).toBe(200);
    expect((await early.call('GET', LIST)).status).toBe(204);
    expect((await owner.call('POST', CLOCK, { advance: 'PT2M' })).status).toBe(200);
    expect([(await early.call('GET', LIST)).status, (await neverSeen.call('GET', LIST)).status]).toEqual([
      401, 204,
    ]);
  });

  const now = async (admin: Client): Promise<string> => (await admin.call('GET', CLOCK)).json.now;

  test('is restored from a later time', async () => {
    const { admin } = await open();
    await admin.call('POST', `${BASE}/um`);
    await admin.call('POST', CLOCK, { advance: 'PT30M' });
    await admin.call('POST', `${BASE}/um/restore`);
    expect(await now(admin)).toBe('2026-01-15T09:00:00.000-03:00');
  });

  test('is restored from an earlier time, and work that was due in between is skipped', async () => {
    const { opened, admin } = await open();
    const ran: string[] = [];
    await admin.call('POST', CLOCK, { advance: 'PT50M' });
    await admin.call('POST', `${BASE}/um`);
    await admin.call('POST', CLOCK, { set: new Date(START).toISOString() });
    for (const job of opened.app.core.jobs)
      (job as { runOnce: typeof job.runOnce }).runOnce = () => (ran.push(job.name), {});
    await admin.call('POST', `${BASE}/um/restore`);
    expect(await now(admin)).toBe('2026-01-15T09:50:00.000-03:00');
    await admin.call('POST', CLOCK, { advance: 'PT1M' });
    expect(ran).toEqual([]);
  });

  test('of the machine continues, whatever the snapshot has', async () => {
    const first = await open();
    await first.admin.call('POST', `${BASE}/um`);
    const { folder } = first.opened;
    await first.opened.close({ keepFolder: true });
    const parts = { clock: new SystemClock(), stopwatch: monotonicMs };
    const { admin } = await open({ folder, parts });
    expect((await admin.call('POST', `${BASE}/um/restore`)).status).toBe(204);
    expect((await admin.call('GET', CLOCK)).json.test).toBe(false);
    expect(Date.parse(await now(admin))).toBeGreaterThan(START);
  });
});

describe('the list', () => {
  test('has name, time and size, sorted by name', async () => {
    const { admin } = await open();
    expect((await admin.call('GET', BASE)).json).toEqual([]);
    const reply = await admin.call('POST', `${BASE}/dois`);
    await admin.call('POST', CLOCK, { advance: 'PT1M' });
    await admin.call('POST', `${BASE}/antes`);
    const list = (await admin.call('GET', BASE)).json;
    expect(list).toEqual([
      { name: 'antes', at: '2026-01-15T09:01:00.000-03:00', bytes: expect.any(Number) },
      { name: 'dois', at: '2026-01-15T09:00:00.000-03:00', bytes: expect.any(Number) },
    ]);
    expect(reply.json).toEqual(list[1]);
    expect(list[0].bytes).toBeGreaterThan(4096);
  });

  test('survives a reset and a restart', async () => {
    const first = await open();
    await include(first.demo, 'Guardado');
    await first.admin.call('POST', `${BASE}/um`);
    await first.admin.call('POST', RESET);
    expect(await names(first.demo)).toEqual([]);
    const { folder } = first.opened;
    await first.opened.close({ keepFolder: true });
    const { admin, demo } = await open({ folder, clock: new TestClock(START + MINUTE_MS) });
    expect((await admin.call('POST', `${BASE}/um/restore`)).status).toBe(204);
    expect(await names(demo)).toEqual(['Guardado']);
  });

  test('has a repeated name once, with the later state; a removed one not at all', async () => {
    const { admin, demo } = await open();
    await admin.call('POST', `${BASE}/um`);
    await include(demo, 'Segundo');
    await admin.call('POST', `${BASE}/um`);
    await admin.call('POST', RESET);
    await admin.call('POST', `${BASE}/um/restore`);
    expect(await names(demo)).toEqual(['Segundo']);
    expect((await admin.call('GET', BASE)).json).toHaveLength(1);
    expect((await admin.call('DELETE', `${BASE}/um`)).status).toBe(204);
    expect((await admin.call('GET', BASE)).json).toEqual([]);
    expect((await admin.call('POST', `${BASE}/um/restore`)).status).toBe(404);
  });
});

describe('concurrent work', () => {
  test('an import in progress at the snapshot continues from there, with its file', async () => {
    const { opened, admin, demo } = await open();
    const { runner } = opened.app.core.imports;
    await runner.stop(); // the import stays in the queue
    const items = ['Um', 'Dois'].map((denominacao, at) => ({
      ...PRODUCT,
      denominacao,
      seq: at + 1,
      cpfCnpjRaiz: '12345678',
    }));
    const upload = new FormData();
    upload.append('file', new File([JSON.stringify(items)], 'itens.json'));
    upload.append('tipo', 'produto');
    const started = await demo.call('POST', '/appliance/api/imports', upload);
    const { id } = started.json;
    await admin.call('POST', `${BASE}/na-fila`);
    await runner.resume();
    await runner.idle();
    expect(await names(demo)).toEqual(['Um', 'Dois']);
    expect(readdirSync(join(opened.folder, 'imports'))).toEqual([]);
    await admin.call('POST', `${BASE}/na-fila/restore`);
    await runner.idle();
    expect((await demo.call('GET', `/appliance/api/imports/${id}`)).json).toMatchObject({
      state: 'done',
      created: 2,
      failed: 0,
    });
    expect(await names(demo)).toEqual(['Um', 'Dois']);
  });

  test('a running list ends as it began; the next one has the restored state', async () => {
    const { opened, admin, demo } = await open({ over: 'http' });
    await admin.call('POST', `${BASE}/vazio`);
    fillProducts(opened.app.core.db, 5000);
    const listed = demo.call('GET', LIST);
    await admin.call('POST', `${BASE}/vazio/restore`);
    const { status, text } = await listed;
    // The read began before or after the restore: it returns one state, never a mixture.
    if (status === 200) expect(JSON.parse(text) as object[]).toHaveLength(5000);
    else expect(status).toBe(204);
    expect(await names(demo)).toEqual([]);
  });

  test('many simultaneous writes, snapshots, restores and resets all succeed, and the state is one of the requested ones', async () => {
    const { opened, admin, demo } = await open();
    await admin.call('POST', `${BASE}/vazio`);
    const replies = await Promise.all([
      ...Array.from({ length: 30 }, (_, at) => include(demo, `P${at}`)),
      admin.call('POST', `${BASE}/um`),
      admin.call('POST', `${BASE}/vazio/restore`),
      ...Array.from({ length: 30 }, (_, at) => include(demo, `Q${at}`)),
      admin.call('POST', RESET),
      admin.call('POST', `${BASE}/um/restore`),
      admin.call('POST', `${BASE}/um`),
    ]);
    expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
    const before = contentOf(opened);
    await admin.call('POST', RESET);
    await admin.call('POST', `${BASE}/um/restore`);
    expect(contentOf(opened)).toEqual(before);
    expect(opened.app.core.db.pragma('integrity_check', { simple: true })).toBe('ok');
  });
});

const subscription = (evento: string) => ({ evento, endpoint: 'https://erp.empresa.com.br/catp' });
