/** Corrections of the products that a bulk change refused (contract sections 24 and 25). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';

const COMPANY = '12345678';
const CHANGES = '/appliance/api/products/changes';
const IMPORTS = '/appliance/api/imports';
const PRODUCTS = '/catp/api/ext/produto';
const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo;

const get = async (codigo: number) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

async function ended(path: string, order: object) {
  const started = await demo.call('POST', path, order);
  expect([started.status, started.json]).toEqual([202, { id: expect.any(Number) }]);
  const { id } = started.json;
  for (;;) {
    const { json: job } = await demo.call('GET', `${IMPORTS}/${id}`);
    if (job.state === 'queued' || job.state === 'running') {
      await new Promise<void>((resolve) => setImmediate(resolve));
      continue;
    }
    const rows = (await demo.call('GET', `${IMPORTS}/${id}/results`)).json;
    return { id, job, rows };
  }
}

const change = (order: object) => ended(CHANGES, { cpfCnpjRaiz: COMPANY, ...order });
const correct = (id: number, order: object) => ended(`${IMPORTS}/${id}/corrections`, order);
const refused = (id: number, order: object, client = demo) =>
  client.call('POST', `${IMPORTS}/${id}/corrections`, order);

/** Runs a change that fails, because 99 is not in the domain of the attribute. */
async function runFailingChange(simular = false) {
  const one = await include(PLAIN);
  const set = { descricao: 'Verde', atributos: { ATT_90040: '99' } };
  const { id, job, rows } = await change({ codigos: [one], set, simular });
  expect(job).toMatchObject({ failed: 1, newVersion: 0 });
  return { one, id, problem: rows[0].problems[0] };
}

describe('a correction of a bulk change', () => {
  test('replaces the refused value in the failed products', async () => {
    const { one, id, problem } = await runFailingChange();
    const good = await include(PLAIN);
    const set = [{ reason: problem.code, member: 'atributo:ATT_90040', value: '01' }];
    const { id: correctionId, job } = await correct(id, { set });
    expect(job).toMatchObject({
      kind: 'correcao',
      changesMany: true,
      fromSheet: false,
      corrects: id,
      total: 1,
    });
    expect(job).toMatchObject({ state: 'done', newVersion: 1, failed: 0 });
    expect(await get(one)).toMatchObject({
      versao: '2',
      descricao: 'Verde',
      atributos: [{ atributo: 'ATT_90040', valor: '01' }],
    });
    expect(await get(good)).toMatchObject({ versao: '1' });
    expect((await demo.call('GET', `${IMPORTS}/${id}`)).json.correctedBy).toBe(correctionId);
  });

  test('finds a value by the value of the order, and fails for another one', async () => {
    const { one, id } = await runFailingChange();
    const none = await refused(id, { set: [{ member: 'atributo:ATT_90040', map: { '98': '01' } }] });
    expect([none.status, none.json.detail[0].path]).toEqual([422, '/set/0']);
    // A single problem has its place once.
    expect(none.json.message).toStartWith('set[0]: nenhum produto que falhou');
    await correct(id, { set: [{ member: 'atributo:ATT_90040', map: { '99': null } }] });
    expect(await get(one)).toMatchObject({ versao: '2', atributos: [] });
  });

  test('does not replace accepted values of the order', async () => {
    const { one, id } = await runFailingChange();
    const reply = await refused(id, { set: [{ member: 'descricao', value: 'Azul' }] });
    expect(reply.status).toBe(422);
    const set = [
      { member: 'atributo:ATT_90040', value: '01' },
      { member: 'descricao', map: { Verde: 'Azul' } },
    ];
    await correct(id, { set });
    expect(await get(one)).toMatchObject({ descricao: 'Azul' });
  });

  test('skips a product with skip, and reports it', async () => {
    const { one, id } = await runFailingChange();
    const { job } = await correct(id, { set: [{ member: 'atributo:ATT_90040', value: { skip: true } }] });
    expect(job).toMatchObject({ total: 0, notices: [{ message: `1 produto de fora: ${one}.` }] });
  });

  test('that fails can be corrected again, and keeps the first correction', async () => {
    const { one, id } = await runFailingChange();
    const first = await correct(id, { set: [{ member: 'descricao', map: { Verde: 'Azul' } }] });
    expect(first.job).toMatchObject({ failed: 1 });
    await correct(first.id, { set: [{ member: 'atributo:ATT_90040', value: '01' }] });
    expect(await get(one)).toMatchObject({ versao: '2', descricao: 'Azul' });
  });

  test('that is repeated applies once', async () => {
    const { one, id } = await runFailingChange();
    const body = { set: [{ member: 'atributo:ATT_90040', value: '01' }] };
    const { id: correctionId } = await correct(id, body);
    const again = await refused(id, body);
    expect([again.status, again.json.message]).toEqual([
      422,
      expect.stringContaining(`importação ${correctionId}`),
    ]);
    expect(await get(one)).toMatchObject({ versao: '2' });
  });

  test('as a dry run stores nothing, and is written afterwards', async () => {
    const { one, id } = await runFailingChange(true);
    const body = { set: [{ member: 'atributo:ATT_90040', value: '01' }], simular: true };
    const { id: dryRunId, rows } = await correct(id, body);
    expect(rows).toMatchObject([{ outcome: 'newVersion' }]);
    expect(await get(one)).toMatchObject({ versao: '1' });
    await change({ from: dryRunId });
    expect(await get(one)).toMatchObject({ versao: '2', descricao: 'Verde' });
  });

  test('is undone like any other change', async () => {
    const { one, id } = await runFailingChange();
    const { id: correctionId } = await correct(id, { set: [{ member: 'atributo:ATT_90040', value: '01' }] });
    await ended(`${IMPORTS}/${correctionId}/undo`, {});
    expect(await get(one)).toMatchObject({ versao: '3', descricao: null });
  });
});

test('refuses entries that a bulk change does not support', async () => {
  const { id } = await runFailingChange();
  for (const [entry, path] of [
    [{ member: 'ncm', value: '73181500' }, '/set/0/member'],
    [{ member: 'descricao', rows: [1], value: 'x' }, '/set/0/rows'],
    [{ member: 'descricao' }, '/set/0/value'],
    [{ member: 'modalidade', value: 'X' }, '/set/0/value'],
    [{ member: 'denominacao', map: { '': 'x'.repeat(5000) } }, '/set/0/map'],
  ] as const) {
    const { status, json } = await refused(id, { set: [entry] });
    expect([path, status, json.detail[0].path]).toEqual([path, 400, path]);
  }
});

test('is refused for a change without failures, an unknown one, or one of another company', async () => {
  const codigo = await include(PLAIN);
  const { id } = await change({ codigos: [codigo], set: { descricao: 'Azul' } });
  expect((await refused(id, { set: [] })).status).toBe(422);
  expect((await refused(999, { set: [] })).status).toBe(404);
  const { id: failed } = await runFailingChange();
  expect([403, 404]).toContain((await refused(failed, { set: [] }, await server.as('estranho'))).status);
});
