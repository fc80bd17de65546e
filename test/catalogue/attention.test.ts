/** GET /appliance/api/attention: the open problems of each company of a caller (contract section 25). */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { DAY_MS } from '../../src/clock.ts';
import { type Client, START, type TestApp, openApp } from '../support/app.ts';
import { compare, ran } from '../remote/support.ts';
import { activate, load, product, tableFile } from './attribute/support.ts';
import { ended, importRows } from './sheet/support.ts';

const PATH = '/appliance/api/attention';
const [FIRST, SECOND] = ['12345678', '87654321'];

let server: TestApp;
beforeAll(async () => {
  server = await openApp({ settings: { ambiente: 'producao' } });
});
afterAll(() => server.close());

const attentionOf = async (key: 'demo' | 'demo2' | 'estranho' | 'admin' | 'publico'): Promise<unknown> =>
  (await (await server.as(key)).call('GET', PATH)).json;

test('a request without a session is 401', async () => {
  expect((await server.anybody.call('GET', PATH)).status).toBe(401);
});

/** Item of every company until a table is in force. */
const NO_TABLE = { kind: 'semTabela', count: 1, tone: 'warning', href: '/atributos' };

test('lists no company for an administrator, the own one for a user, all for a public agent, also without a problem', async () => {
  expect(await attentionOf('admin')).toEqual([]);
  expect(await attentionOf('estranho')).toEqual([
    {
      cpfCnpjRaiz: '11222333',
      nome: expect.stringMatching(/\w/),
      items: [{ ...NO_TABLE, message: expect.stringContaining('Peça ao administrador') }],
    },
  ]);
  expect(await attentionOf('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [NO_TABLE] },
    { cpfCnpjRaiz: SECOND, items: [NO_TABLE] },
  ]);
  expect(await attentionOf('publico')).toMatchObject([
    { cpfCnpjRaiz: '11222333' },
    { cpfCnpjRaiz: FIRST },
    { cpfCnpjRaiz: SECOND },
  ]);
});

test('lists one company on request; a company of others is 403', async () => {
  const demo = await server.as('demo');
  expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=${SECOND}`)).json).toMatchObject([
    { cpfCnpjRaiz: SECOND },
  ]);
  expect((await demo.call('GET', `${PATH}?cpfCnpjRaiz=11222333`)).status).toBe(403);
});

test('counts drafts and products that the system deactivated, each with the page that corrects it', async () => {
  const demo = await server.as('demo');
  for (const denominacao of ['x', 'y'])
    await demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: SECOND, denominacao });
  await demo.call('POST', `/catp/api/ext/produto/${FIRST}`, product('73181500'));
  const admin = await server.as('admin');
  const table = tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1' }] });
  await activate(admin, await load(admin, table));
  const deactivatedItem = {
    kind: 'paraCorrigir',
    count: 1,
    href: `/corrigir?cpfCnpjRaiz=${FIRST}`,
    tone: 'error',
    message: expect.stringContaining('1 produto desativado pelo sistema'),
  };
  const drafts = {
    kind: 'rascunhos',
    count: 2,
    href: `/produtos?cpfCnpjRaiz=${SECOND}&situacao=RASCUNHO`,
    tone: 'info',
    message: expect.stringContaining('2 rascunhos por terminar'),
  };
  expect(await attentionOf('demo')).toMatchObject([
    { cpfCnpjRaiz: FIRST, items: [deactivatedItem] },
    { cpfCnpjRaiz: SECOND, items: [drafts] },
  ]);
  // The list has no item of other companies.
  expect(await attentionOf('demo2')).toMatchObject([{ cpfCnpjRaiz: FIRST, items: [deactivatedItem] }]);
});

test('counts the differences to each remote without those that a run settled, and the steps of a waiting run', async () => {
  const server = await openApp();
  const [demo, admin] = [await server.as('demo'), await server.as('admin')];
  for (const [name, ...companies] of [
    ['alheio', SECOND],
    ['casa', FIRST],
    ['portal', FIRST, SECOND],
  ])
    await admin.call('POST', '/appliance/api/remotes', { name, companies });
  const itemsOf = async (): Promise<object[][]> =>
    (await demo.call('GET', PATH)).json.map(({ items }: { items: { kind: string }[] }) =>
      items.filter(({ kind }) => kind !== 'semTabela'),
    );
  expect(await itemsOf()).toEqual([[], []]);
  for (const ncm of ['39269090', '39269091'])
    await demo.call('POST', `/catp/api/ext/produto/${FIRST}`, product(ncm));
  const { comparison } = await compare(server, demo, {});
  expect(comparison.counts.produto).toEqual({ soAqui: 2 });
  const href = `/remotos?cpfCnpjRaiz=${FIRST}&remote=portal`;
  const differences = {
    kind: 'remotos',
    id: 'portal',
    count: 2,
    href,
    tone: 'warning',
    message: '2 registros diferem do remoto portal.',
  };
  const rest = { ...differences, count: 1, message: '1 registro difere do remoto portal.' };
  expect(await itemsOf()).toEqual([[differences], []]);
  const run = await ran(server, comparison.id, [
    { codigo: 1, outcome: 'sent', there: 1 },
    { codigo: 2, outcome: 'refused', message: 'não' },
  ]);
  expect(await itemsOf()).toEqual([[rest], []]);
  const { db } = server.app.core;
  const setStep = (state: string, dueAt: number | null) => {
    db.prepare('UPDATE remote_run SET state = ? WHERE id = ?').run(state, run);
    db.prepare('UPDATE remote_step SET due = ? WHERE run_id = ? AND n = 2').run(dueAt, run);
  };
  for (const state of ['paused', 'resting']) {
    setStep(state, 0);
    expect(await itemsOf()).toEqual([
      [{ ...rest, message: `1 passo à espera no envio ao remoto portal; ${rest.message}` }],
      [],
    ]);
  }
  for (const state of ['running', 'done', 'cancelled']) {
    setStep(state, state === 'running' ? 0 : null);
    expect(await itemsOf()).toEqual([[rest], []]);
  }
  // A user that represents only the other company sees only the remotes of that company.
  await compare(server, demo, {}, { cpfCnpjRaiz: SECOND }, 'alheio');
  await compare(server, demo, {}, { cpfCnpjRaiz: FIRST, force: 'true' }, 'casa');
  expect(await itemsOf()).toMatchObject([
    [
      { id: 'casa', count: 2 },
      { id: 'portal', count: 1 },
    ],
    [],
  ]);
  await server.close();
});

describe('failed imports', () => {
  const IMPORTS = '/appliance/api/imports';
  const BAD = [
    ['Código interno', 'Denominação', 'NCM', 'Modalidade'],
    ['A1', 'Caixa', '39269090', 'Importação'],
    ['A2', 'Balde', '3926', 'Importação'],
    ['A3', 'Tampa', '3927', 'Importação'],
  ];
  let server: TestApp;
  let demo: Client;
  beforeEach(async () => {
    server = await openApp();
    demo = await server.as('demo');
  });
  afterEach(() => server.close());

  const itemOf = async (kind = 'importacoes', company = FIRST) =>
    (await demo.call('GET', `${PATH}?cpfCnpjRaiz=${company}`)).json[0].items.find(
      (item: { kind: string }) => item.kind === kind,
    );

  test('are counted as imports, and a newer import does not remove an older one', async () => {
    const first = await importRows(demo, BAD);
    expect(first.job.failed).toBe(2);
    expect(await itemOf()).toEqual({
      kind: 'importacoes',
      count: 1,
      day: '2026-01-15',
      href: `/importar/${first.id}`,
      tone: 'error',
      message: expect.stringContaining('planilha.csv: 2 linhas com erro na importação'),
    });
    for (let more = 0; more < 6; more += 1) {
      await importRows(demo, BAD, { simular: true });
      await importRows(demo, [BAD[0] ?? [], [`B${more}`, `Outra ${more}`, '39269090', 'Importação']]);
    }
    expect(await itemOf()).toMatchObject({ count: 1, href: `/importar/${first.id}` });
    const second = await importRows(demo, [...BAD.slice(0, 1), ['C1', 'Copo', '1', 'Importação']]);
    expect(await itemOf()).toMatchObject({ count: 2, href: `/importar/${second.id}` });
    expect(await itemOf('importacoes', SECOND)).toBeUndefined();
  });

  test('are not counted after a correction; failed corrections are, also after an undo', async () => {
    const { id } = await importRows(demo, BAD);
    const correct = async (value: string) =>
      ended(
        demo,
        await demo.call('POST', `${IMPORTS}/${id}/corrections`, { set: [{ member: 'ncm', value }] }),
      );
    const again = await correct('39');
    expect(await itemOf()).toMatchObject({ count: 1, href: `/importar/${again.id}` });
    const { id: correctionId } = await correct('39269090');
    expect(await itemOf()).toBeUndefined();
    await ended(demo, await demo.call('POST', `${IMPORTS}/${correctionId}/undo`, {}));
    expect(await itemOf()).toMatchObject({ count: 1, href: `/importar/${again.id}` });
  });

  test('are not counted after an undo, a cancellation or the deletion of their results', async () => {
    const [undoneImport, deletedImport] = [await importRows(demo, BAD), await importRows(demo, BAD)];
    expect(await itemOf()).toMatchObject({ count: 2 });
    await ended(demo, await demo.call('POST', `${IMPORTS}/${undoneImport.id}/undo`, {}));
    expect(await itemOf()).toMatchObject({ count: 1 });
    expect((await demo.call('DELETE', `${IMPORTS}/${deletedImport.id}/results`)).status).toBe(204);
    expect(await itemOf()).toBeUndefined();
  });

  test('with an unreadable file are listed for every company of the sender', async () => {
    const form = new FormData();
    form.set('file', new File(['[{'], 'a.json'));
    form.set('tipo', 'produto');
    await ended(demo, await demo.call('POST', IMPORTS, form));
    for (const company of [FIRST, SECOND])
      expect(await itemOf('importacoes', company)).toMatchObject({
        count: 1,
        message: expect.stringContaining('a.json não pôde ser lido'),
      });
  });

  test('are hidden by a dismissal until another one fails, for every user, and the audit records it', async () => {
    const dismiss = (body: object) =>
      demo.call('POST', `${PATH}/dismissals`, { cpfCnpjRaiz: FIRST, kind: 'importacoes', ...body });
    const [first, second] = [await importRows(demo, BAD), await importRows(demo, BAD)];
    expect((await dismiss({ id: `${first.id}` })).status).toBe(204);
    expect(await itemOf()).toMatchObject({ count: 1, href: `/importar/${second.id}` });
    expect((await dismiss({})).status).toBe(204);
    expect(await itemOf()).toBeUndefined();
    const other = await server.as('demo2');
    expect((await other.call('GET', PATH)).json[0].items).toMatchObject([NO_TABLE]);
    const third = await importRows(demo, BAD);
    expect(await itemOf()).toMatchObject({ count: 1, href: `/importar/${third.id}` });
    const unknown = await dismiss({ id: '999' });
    expect([unknown.status, unknown.text]).toEqual([404, expect.stringContaining('999')]);
    const admin = await server.as('admin');
    const { items } = (await admin.call('GET', '/appliance/api/audit?subject=atencao')).json;
    expect(items.map((one: { subject: string }) => one.subject)).toContain(
      `atencao ${FIRST}/importacoes/${first.id}`,
    );
  });

  test('and drafts are listed again when there are more of them; a dismissal for another company is refused', async () => {
    const draft = (denominacao: string) =>
      demo.call('POST', '/appliance/api/products/drafts', { cpfCnpjRaiz: FIRST, denominacao });
    const order = { cpfCnpjRaiz: FIRST, kind: 'rascunhos' };
    await draft('x');
    expect((await demo.call('POST', `${PATH}/dismissals`, order)).status).toBe(204);
    expect(await itemOf('rascunhos')).toBeUndefined();
    await draft('y');
    expect(await itemOf('rascunhos')).toMatchObject({ count: 2 });
    // After the dismissal one draft is deactivated and another one created, so the list has something new.
    expect((await demo.call('POST', `${PATH}/dismissals`, order)).status).toBe(204);
    await demo.call('PUT', `/catp/api/ext/produto/desativar/${FIRST}/1`);
    expect(await itemOf('rascunhos')).toBeUndefined();
    await draft('z');
    expect(await itemOf('rascunhos')).toMatchObject({ count: 2 });
    const stranger = await server.as('estranho');
    expect((await stranger.call('POST', `${PATH}/dismissals`, order)).status).toBe(403);
    expect((await demo.call('POST', `${PATH}/dismissals`, { ...order, kind: 'x' })).status).toBe(400);
  });
});

test('products that lack a future requirement are a warning, and an error from seven days before', async () => {
  const server = await openApp({ settings: { ambiente: 'producao' } });
  const admin = await server.as('admin');
  const tableWithEnd = (to: string) =>
    tableFile('1', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false, to }] });
  await activate(admin, await load(admin, tableWithEnd('2026-02-13')));
  await (await server.as('demo')).call('POST', `/catp/api/ext/produto/${FIRST}`, product('73181500'));
  const toneAfter = async (days: number): Promise<unknown> => {
    server.clock.moveTo(START + days * DAY_MS);
    const { json } = await (await server.as('demo')).call('GET', PATH);
    return json[0].items.map((item: { kind: string; count: number; tone: string }) => [
      item.kind,
      item.count,
      item.tone,
    ]);
  };
  // The requirement starts on 2026-02-14, 30 days after 2026-01-15.
  expect(await toneAfter(0)).toEqual([['prazos', 1, 'warning']]);
  expect(await toneAfter(22)).toEqual([['prazos', 1, 'warning']]);
  expect(await toneAfter(23)).toEqual([['prazos', 1, 'error']]);
  await server.close();
});

test('failing subscriptions of the caller are listed for each of its companies, the oldest first', async () => {
  const server = await openApp();
  const demo = await server.as('demo');
  for (const evento of ['catp-prod-alterado', 'catp-prod-incluido'])
    await demo.call('POST', '/portal/api/ext/webhook', { evento, endpoint: 'https://erp.invalid/' });
  server.app.core.db.exec(`UPDATE subscription SET failing_since = ${START} - id * ${DAY_MS}`);
  for (const { items } of (await demo.call('GET', PATH)).json)
    expect(items).toMatchObject([
      { kind: 'assinaturas', id: '2', message: expect.stringContaining('desde 13/01/2026') },
      { kind: 'assinaturas', id: '1', message: expect.stringContaining('desde 14/01/2026') },
      NO_TABLE,
    ]);
  expect(JSON.stringify((await (await server.as('demo2')).call('GET', PATH)).json)).not.toContain(
    'assinaturas',
  );
  await server.close();
});
