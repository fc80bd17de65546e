/** An order that is repeated after a lost answer never acts twice (contract sections 16, 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type Reply, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, ended, importRows, run } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
});

afterEach(() => server.close());

const IMPORTS = '/appliance/api/imports';
const HEADINGS = ['Nome', 'NCM', 'Modalidade'];
const GOOD = ['Um', '39269090', 'Importação'];
const BAD = ['Dois', 'x1', 'Importação'];
const WORSE = ['Três', 'x2', 'Importação'];

const countProducts = async (): Promise<number> =>
  (await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}`)).json.total;
const correct = (id: number, map: Record<string, string>, more = {}) =>
  demo.call('POST', `${IMPORTS}/${id}/corrections`, { set: [{ member: 'ncm', map }], ...more });
const statusesOf = (answers: readonly Reply[]): number[] =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);
const X1 = { x1: '39269090' };

describe('a dry run', () => {
  test('of a sheet without a key is written once by three concurrent orders', async () => {
    const { id } = await importRows(demo, [HEADINGS, GOOD, ['Quatro', ...GOOD.slice(1)]], { simular: true });
    const answers = await Promise.all([1, 2, 3].map(() => demo.call('POST', IMPORTS, { from: id })));
    expect(statusesOf(answers)).toEqual([202, 422, 422]);
    const first = answers.find(({ status }) => status === 202);
    await ended(demo, first as (typeof answers)[0]);
    expect(await countProducts()).toBe(2);
    const again = await demo.call('POST', IMPORTS, { from: id });
    expect([again.status, again.json.detail[0]]).toMatchObject([
      422,
      { code: 'CATP-ER1041', message: expect.stringContaining(`pela importação ${first?.json.id}`) },
    ]);
  });

  test('of a bulk change of products is written once too', async () => {
    const { json } = await demo.call('POST', `/catp/api/ext/produto/${COMPANY}`, {
      denominacao: 'Um',
      modalidade: 'IMPORTACAO',
      ncm: '39269090',
    });
    const order = { cpfCnpjRaiz: COMPANY, codigos: [json.codigo], set: { descricao: 'Nova' }, simular: true };
    const { id } = await ended(demo, await demo.call('POST', '/appliance/api/products/changes', order));
    const write = { cpfCnpjRaiz: COMPANY, from: id };
    const answers = await Promise.all(
      [1, 2, 3].map(() => demo.call('POST', '/appliance/api/products/changes', write)),
    );
    expect(statusesOf(answers)).toEqual([202, 422, 422]);
  });
});

describe('a correction', () => {
  test('that three concurrent orders send creates each record once', async () => {
    const { id } = await importRows(demo, [HEADINGS, GOOD, BAD]);
    const answers = await Promise.all([1, 2, 3].map(() => correct(id, X1)));
    expect(statusesOf(answers)).toEqual([202, 422, 422]);
    const first = await ended(demo, answers.find(({ status }) => status === 202) as (typeof answers)[0]);
    expect(await countProducts()).toBe(2);
    expect((await demo.call('GET', `${IMPORTS}/${id}`)).json).toMatchObject({ correctedBy: first.id });
    const again = await correct(id, X1);
    expect([again.status, again.json.detail[0].message]).toEqual([
      422,
      expect.stringContaining(`pela importação ${first.id}`),
    ]);
  });

  test('skips the rows that another one has written, with a notice; rows that failed again are corrected from either', async () => {
    const { id } = await importRows(demo, [HEADINGS, BAD, WORSE]);
    const first = await ended(demo, await correct(id, X1));
    expect(first.job).toMatchObject({ created: 1, failed: 1, kind: 'correcao', corrects: id });
    const fromFirst = await ended(demo, await correct(id, { x2: '39269090', ...X1 }));
    expect(fromFirst.job).toMatchObject({
      created: 1,
      failed: 0,
      total: 1,
      notices: [{ message: `1 linha de fora, porque a importação ${first.id} já a gravou.` }],
    });
    expect((await correct(first.id, { x2: '39269090' })).status).toBe(422);
    expect(await countProducts()).toBe(2);
  });

  test('that was undone can be sent again', async () => {
    const { id } = await importRows(demo, [HEADINGS, BAD]);
    const first = await ended(demo, await correct(id, X1));
    await ended(demo, await demo.call('POST', `${IMPORTS}/${first.id}/undo`));
    expect((await demo.call('GET', `${IMPORTS}/${id}`)).json.correctedBy).toBeNull();
    expect((await demo.call('GET', `${IMPORTS}/${first.id}`)).json.undoneBy).toBe(first.id + 1);
    expect((await ended(demo, await correct(id, X1))).job).toMatchObject({ created: 1 });
  });

  test('is recognised although the rows of the earlier one are deleted', async () => {
    const { id } = await importRows(demo, [HEADINGS, BAD]);
    const first = await ended(demo, await correct(id, X1));
    await demo.call('DELETE', `${IMPORTS}/${first.id}/results`);
    expect((await correct(id, X1)).status).toBe(422);
  });

  test('accepts 1,000 entries, and 200,000 values and row numbers together', async () => {
    const { id } = await importRows(demo, [HEADINGS, BAD], { simular: true });
    const set = (entries: object[]) =>
      demo.call('POST', `${IMPORTS}/${id}/corrections`, { set: entries, simular: true });
    const one = { member: 'ncm', value: '39269090' };
    const rows = Array.from({ length: 199_999 }, (_, at) => at + 1);
    expect((await set(Array.from({ length: 1000 }, () => one))).status).toBe(202);
    expect((await set(Array.from({ length: 1001 }, () => one))).status).toBe(400);
    expect((await set([{ ...one, rows }])).status).toBe(202);
    const tooMany = await set([{ ...one, rows: [...rows, 200_000] }]);
    expect([tooMany.status, tooMany.json.detail[0]]).toMatchObject([
      400,
      { path: '/set', message: expect.stringContaining('200001') },
    ]);
  });
});

test('a dry run of a correction does not repeat what its import wrote', async () => {
  const dry = await importRows(demo, [HEADINGS, GOOD, BAD], { simular: true });
  const dryCorrection = await ended(demo, await correct(dry.id, X1, { simular: true }));
  const written = await run(demo, { from: dry.id });
  expect(written.job).toMatchObject({ created: 1, failed: 1 });
  const rest = await run(demo, { from: dryCorrection.id });
  expect(rest.job).toMatchObject({ created: 1, total: 1 });
  expect(await countProducts()).toBe(2);
});
