/** The decision about a fetched table (contract section 19), and its notification. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/clock.ts';
import type { SettingName } from '../../../../src/settings/settings.ts';
import { type Client, type TestApp, openApp } from '../../../support/app.ts';
import { type TestOrigin, openOrigin } from '../../../support/origin.ts';
import { COMPANY, TABLES, activate, include, load, product, situations, tableFile } from '../support.ts';

let server: TestApp;
let origin: TestOrigin;
let admin: Client;
let demo: Client;

beforeEach(async () => {
  origin = await openOrigin('http');
});
afterEach(async () => {
  await server.close();
  await origin[Symbol.asyncDispose]();
});

async function open(settings: Partial<Record<SettingName, string>> = {}): Promise<void> {
  server = await openApp({
    settings: { 'atributos.origem': origin.url, 'atributos.horario': 'nunca', ...settings },
  });
  [admin, demo] = [await server.as('admin'), await server.as('demo')];
}

const serve = (table: object): void => origin.serves(JSON.stringify(table));
const fetchTable = () => server.app.core.catalogue.attribute.origin.runOnce();
const tables = async () => (await demo.call('GET', TABLES)).json;
// The tests move the clock by more than an hour, which ends a session.
const originStatus = async () => (await (await server.as('demo')).call('GET', `${TABLES}/origin`)).json;
const ready = async () => (await server.anybody.call('GET', '/readyz')).json;
const finding = async () =>
  (await admin.call('GET', '/appliance/api/doctor')).json.find(
    ({ check }: { check: string }) => check === 'attribute-table',
  );
async function metric(name: string): Promise<number | undefined> {
  const { text } = await server.anybody.call('GET', '/metrics');
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(text) ?? [];
  return value === undefined ? undefined : Number(value);
}

/** Builds NCMs from 0901.00.00, each with one attribute, mandatory in the first `required` NCMs. */
const many = (versao: string, ncms: number, required = ncms, codigo = 'ATT_1') =>
  tableFile(
    versao,
    Object.fromEntries(
      Array.from({ length: ncms }, (_, index) => [
        `0901.${String(index).padStart(2, '0')}.00`,
        [{ codigo, obrigatorio: index < required }],
      ]),
    ),
  );

describe('a fetched table', () => {
  test('waits for a person, with a message that has its impact', async () => {
    await open();
    await activate(admin, await load(admin, many('1', 20)));
    const codigo = await include(demo, product('09010000', 'ATT_1'));
    serve(many('2', 20, 20, 'ATT_2'));
    // Without any pair the table would be kept back; one NCM without pairs is below the limit.
    const withoutPairs = many('3', 20) as { listaNcm: { listaAtributos: { codigo: string }[] }[] };
    const [first] = withoutPairs.listaNcm;
    if (first !== undefined) first.listaAtributos = [];
    serve(withoutPairs);
    const outcome = await fetchTable();
    expect(outcome).toMatchObject({
      outcome: 'new',
      asks: 'activation',
      message:
        'A tabela 3 foi buscada e espera que alguém a ponha em vigor: 1 produto ativo deixaria de ser válido.',
    });
    expect(await tables()).toMatchObject([
      { versao: '1', inForce: true, fetched: false, keptBack: null },
      { versao: '3', inForce: false, fetched: true, keptBack: null },
    ]);
    expect(await originStatus()).toMatchObject({
      isSet: true,
      activates: 'conferir',
      last: { ok: true },
      nextAt: null,
    });
    expect((await ready()).notices).toContain(outcome.message);
    expect(await finding()).toMatchObject({ level: 'notice', message: outcome.message });
    expect(await situations(demo)).toEqual({ [codigo]: 'ATIVADO' });

    await activate(admin, 2);
    expect(await situations(demo)).toEqual({ [codigo]: 'DESATIVADO' });
    expect((await ready()).notices).not.toContain(outcome.message);
    expect(await finding()).toMatchObject({ level: 'ok' });
  });

  test('is put in force by the system if the setting allows it, with the products that this deactivates', async () => {
    await open({ 'atributos.ativar': 'sozinha' });
    serve(many('1', 20));
    expect(await fetchTable()).toMatchObject({ outcome: 'new', asks: 'nothing' });
    const codigo = await include(demo, product('09010000', 'ATT_1'));
    const next = many('2', 20) as { listaNcm: { listaAtributos: unknown[] }[] };
    next.listaNcm[0]?.listaAtributos.splice(0);
    serve(next);
    expect((await fetchTable()).message).toBe(
      'A tabela 2 foi buscada e está em vigor: 1 produto desativado.',
    );
    expect(await situations(demo, COMPANY)).toEqual({ [codigo]: 'DESATIVADO' });
    const { items } = (await admin.call('GET', '/appliance/api/audit?subject=tabela%202')).json;
    expect(items.map(({ action, actor }: { action: string; actor: string }) => [action, actor])).toEqual([
      ['ATIVACAO', 'sistema'],
      ['INCLUSAO', 'sistema'],
    ]);
    // A person puts the former table in force; another fetch of the same table does not replace it.
    await activate(admin, 1);
    expect(await fetchTable()).toMatchObject({ outcome: 'same', asks: 'nothing' });
    expect((await ready()).attributeTable.versao).toBe('1');
  });

  test('waits for a person if it would deactivate many products, even if the system may put it in force', async () => {
    await open({ 'atributos.ativar': 'sozinha' });
    serve(many('1', 20));
    await fetchTable();
    for (let n = 0; n < 11; n += 1) await include(demo, product(n < 10 ? '09010000' : '09010100', 'ATT_1'));
    const without = (versao: string, ncms: number) => {
      const table = many(versao, 20) as { listaNcm: { listaAtributos: unknown[] }[] };
      for (const { listaAtributos } of table.listaNcm.slice(0, ncms)) listaAtributos.splice(0);
      return table;
    };
    serve(without('2', 2));
    expect(await fetchTable()).toMatchObject({
      outcome: 'new',
      asks: 'activation',
      message:
        'A tabela 2 foi buscada e espera que alguém a ponha em vigor: 11 produtos ativos deixariam de ser válidos.',
    });
    expect((await ready()).attributeTable.versao).toBe('1');
    // Ten products need no confirmation.
    serve(without('3', 1));
    expect((await fetchTable()).message).toBe(
      'A tabela 3 foi buscada e está em vigor: 10 produtos desativados.',
    );
  });

  test('with other content under a known versao is reported, and not loaded', async () => {
    await open({ 'atributos.ativar': 'sozinha' });
    serve(many('1', 20));
    await fetchTable();
    serve(many('1', 19));
    await expect(fetchTable()).rejects.toThrow('já existe (tabela 1) com outro conteúdo');
    expect(await tables()).toMatchObject([{ versao: '1', ncms: 20, inForce: true }]);
    expect(await originStatus()).toMatchObject({ last: { ok: false } });
  });
});

describe('a table that lost more than 10 % of the one in force is kept back:', () => {
  test.each([
    ['NCMs, at the limit', many('2', 18), undefined],
    ['NCMs, beyond it', many('2', 17), 'perdeu 3 de 20 NCMs'],
    ['mandatory pairs, at the limit', many('2', 20, 18), undefined],
    ['mandatory pairs, beyond it', many('2', 20, 17), 'perdeu 3 de 20 pares obrigatórios'],
    ['pairs', many('2', 20, 20, 'ATT_2'), 'perdeu 20 de 20 pares de NCM e atributo'],
  ])('%s', async (_, table, reason) => {
    await open({ 'atributos.ativar': 'sozinha' });
    await activate(admin, await load(admin, many('1', 20)));
    serve(table);
    const { outcome, message } = await fetchTable();
    expect(outcome).toBe(reason === undefined ? 'new' : 'keptBack');
    expect((await ready()).attributeTable.versao).toBe(reason === undefined ? '2' : '1');
    if (reason === undefined) return;
    expect(message).toContain(`foi buscada e retida: ${reason} da tabela em vigor, mais de 10 %`);
    expect((await tables())[1]).toMatchObject({ keptBack: expect.stringContaining(reason) });
    expect((await ready()).notices).toContain(message);
    expect(await finding()).toMatchObject({ level: 'warning', message });
    expect((await originStatus()).last).toMatchObject({ ok: true, asksForSomebody: true });
    // Each fetch keeps the table back until a person decides.
    expect(await fetchTable()).toMatchObject({ outcome: 'keptBack' });
    await activate(admin, 2);
    expect((await tables())[1]).toMatchObject({ inForce: true, keptBack: null });
    expect(await fetchTable()).toMatchObject({ outcome: 'same', asks: 'nothing' });
  });
});

describe('on a schedule', () => {
  /** Advances the clock; the jobs that become due run. */
  const pass = async (ms: number) =>
    (await server.as('admin')).call('POST', '/appliance/api/clock', { advance: `PT${ms / MINUTE_MS}M` });

  test('a table is fetched at its time, and each hour after a failure', async () => {
    await open({ 'atributos.horario': '12:30', 'atributos.ativar': 'sozinha' });
    // The first fetch runs at the start, 2026-01-15 09:00; the origin has no table yet.
    while ((await originStatus()).last === null) await Bun.sleep(1);
    expect(await originStatus()).toMatchObject({
      last: { ok: false },
      nextAt: '2026-01-15T09:30:00.000-03:00',
    });
    const requestCount = () => origin.requests.length;
    expect(requestCount()).toBe(1);
    await pass(HOUR_MS);
    expect([requestCount(), (await originStatus()).nextAt]).toEqual([2, '2026-01-15T10:30:00.000-03:00']);
    expect((await ready()).notices.join()).toContain('A busca é repetida a cada hora.');
    expect(await metric('catp_attribute_table_fetch_ok')).toBe(0);
    serve(many('1', 3));
    await pass(HOUR_MS);
    expect([requestCount(), (await originStatus()).nextAt]).toEqual([3, '2026-01-15T12:30:00.000-03:00']);
    expect((await ready()).attributeTable).toEqual({
      versao: '1',
      since: '2026-01-15',
      loadedAt: '2026-01-15T10:30:00.000-03:00',
      origin: {
        at: '2026-01-15T10:30:00.000-03:00',
        ok: true,
        message: 'A tabela 1 foi buscada e está em vigor: 0 produtos desativados.',
      },
    });
    await pass(HOUR_MS);
    expect(requestCount()).toBe(3);
    await pass(HOUR_MS);
    expect(requestCount()).toBe(4);
    expect(await metric('catp_attribute_table_fetch_ok')).toBe(1);
    expect(await metric('catp_attribute_table_age_seconds')).toBe(30 * 60);
  });

  test('the age counts from the last good fetch or the loading, and warns only if an origin is set', async () => {
    await open({ 'atributos.origem': '' });
    await activate(admin, await load(admin, many('1', 3)));
    await pass(8 * DAY_MS);
    demo = await server.as('demo');
    admin = await server.as('admin');
    expect(await metric('catp_attribute_table_age_seconds')).toBe((8 * DAY_MS) / 1000);
    expect(await metric('catp_attribute_table_fetch_ok')).toBeUndefined();
    expect(await finding()).toMatchObject({ level: 'ok' });
    expect(await originStatus()).toEqual({ isSet: false, activates: 'conferir', last: null, nextAt: null });
    await server.close({ keepFolder: true });
    const { folder, clock } = server;
    const settings = { 'atributos.origem': origin.url, 'atributos.horario': 'nunca' };
    server = await openApp({ folder, clock, settings });
    admin = await server.as('admin');
    const message = 'Há 8 dias nenhuma busca da tabela de atributos dá certo.';
    expect(await finding()).toMatchObject({ level: 'warning', message });
    expect((await ready()).notices).toContain(message);
    serve(many('1', 3));
    await fetchTable();
    expect(await metric('catp_attribute_table_age_seconds')).toBe(0);
    expect(await finding()).toMatchObject({ level: 'ok' });
  });

  test('a fetch by a clock that was a year ahead is ignored: the age counts from the loading, and the next fetch is within the hour', async () => {
    await open({ 'atributos.horario': '12:30' });
    while ((await originStatus()).last === null) await Bun.sleep(1);
    await activate(admin, await load(admin, many('1', 3)));
    serve(many('1', 3));
    const { clock } = server;
    const start = clock.now();
    clock.moveTo(start + 365 * DAY_MS);
    expect(await fetchTable()).toMatchObject({ outcome: 'same' });
    clock.moveTo(start + 8 * DAY_MS);
    admin = await server.as('admin');
    expect(await metric('catp_attribute_table_age_seconds')).toBe((8 * DAY_MS) / 1000);
    expect(await finding()).toMatchObject({ level: 'warning' });
    expect(await originStatus()).toMatchObject({
      last: { ok: true },
      nextAt: '2026-01-23T09:30:00.000-03:00',
    });
    const requestsBefore = origin.requests.length;
    await pass(HOUR_MS);
    expect(origin.requests.length).toBe(requestsBefore + 1);
    expect(await originStatus()).toMatchObject({
      last: { ok: true },
      nextAt: '2026-01-23T12:30:00.000-03:00',
    });
    expect((await ready()).notices).toEqual([]);
    await pass(HOUR_MS);
    expect(origin.requests.length).toBe(requestsBefore + 1);
  });

  test.each([
    [7, 'ok'],
    [8, 'warning'],
  ])('%i days after the last fetch the age is %s by the default settings', async (days, level) => {
    await open();
    serve(many('1', 3));
    await fetchTable();
    await activate(admin, 1);
    await pass(days * DAY_MS);
    admin = await server.as('admin');
    expect(await finding()).toMatchObject({ level });
  });
});

test('the address is shown only after signing in', async () => {
  await open();
  expect((await server.anybody.call('GET', `${TABLES}/origin`)).status).toBe(401);
  expect((await demo.call('GET', `${TABLES}/origin`)).status).toBe(200);
});
