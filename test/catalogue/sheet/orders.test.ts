/**
 * The order for a sheet (contract section 24): dry runs, invalid orders, remembered choices, sheets
 * inside the request.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { SHEET_LIMITS } from '../../../src/sheet/limits.ts';
import { simpleXlsx, xlsxWeighing } from '../../sheet/support.ts';
import { COMPANY, SHEETS, csv, importRows, run, send } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const get = async (codigo: number | string) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, content)).json.codigo;

const PLAIN = { denominacao: 'Caixa', modalidade: 'IMPORTACAO', ncm: '39269090' };
describe('a dry run', () => {
  test('writes nothing, and is then written as it was shown; records that changed since are skipped', async () => {
    const [one, two] = [await include(PLAIN), await include({ ...PLAIN, denominacao: 'Balde' })];
    const dry = await importRows(
      demo,
      [
        ['Código no catálogo', 'Descrição detalhada'],
        [String(one), 'a'],
        [String(two), 'b'],
        ['999999', 'c'],
      ],
      { simular: true },
    );
    expect(dry.job).toMatchObject({ simular: true, newVersion: 2, failed: 1 });
    expect(await get(one)).toMatchObject({ descricao: null, versao: '1' });
    await demo.call('PUT', `${PRODUCTS}/${COMPANY}/${two}`, {
      ...PLAIN,
      denominacao: 'Balde',
      descricao: 'x',
    });
    const { rows, job } = await run(demo, { from: dry.id });
    expect(job).toMatchObject({ simular: false, state: 'done' });
    expect(rows).toMatchObject([
      { row: 2, outcome: 'newVersion' },
      { row: 3, outcome: 'failed', problems: [{ code: 'CATP-ER1027' }] },
      { row: 4, outcome: 'failed' },
    ]);
    expect(await get(one)).toMatchObject({ descricao: 'a' });
    expect((await run(demo, { from: job.id })).started).toMatchObject({ status: 422 });
  });
});

describe('an order', () => {
  test('with impossible members is refused, member by member', async () => {
    const { json } = await send(
      demo,
      csv([
        ['Nome', 'NCM'],
        ['a', '39269090'],
      ]),
    );
    const refusalOf = async (options: object) => {
      const { started } = await run(demo, { sheet: json.id, ...options });
      return [started.status, started.json.detail?.[0]?.path];
    };
    expect(await refusalOf({ mapping: [{ index: 0, target: 'cor' }] })).toEqual([400, '/mapping/0/target']);
    expect(await refusalOf({ mapping: [{ index: 9, target: 'ncm' }] })).toEqual([400, '/mapping/0/index']);
    const both = [0, 1].map((index) => ({ index, target: 'ncm' }));
    expect(await refusalOf({ mapping: both })).toEqual([400, '/mapping']);
    expect(
      await refusalOf({
        mapping: [
          { index: 0, target: null },
          { index: 1, target: null },
        ],
      }),
    ).toEqual([400, '/mapping']);
    expect(await refusalOf({ constants: { cor: 'x' } })).toEqual([400, '/constants/cor']);
    expect(await refusalOf({ values: { ncm: { a: 1 } } })).toEqual([400, '/values/ncm']);
    expect(await refusalOf({ key: 'codigo' })).toEqual([400, '/key']);
    expect(await refusalOf({ empty: 'talvez' })).toEqual([400, '/empty']);
    expect(await refusalOf({ from: 1 })).toEqual([400, '/sheet']);
    expect(await refusalOf({ table: 3 })).toEqual([422, null]);
    expect((await run(demo, { sheet: 999 })).started.status).toBe(404);
    expect((await run(demo, { from: 999 })).started.status).toBe(404);
    expect((await run(await server.as('demo2'), { sheet: json.id })).started.status).toBe(404);
    expect((await run(demo, {})).started.status).toBe(400);
  });

  test('gives a requested target to its column instead of the guessed one', async () => {
    const { rows } = await importRows(
      demo,
      [
        ['Nome', 'Outro', 'Situação'],
        ['a', 'b', 'Rascunho'],
      ],
      { mapping: [{ index: 1, target: 'denominacao' }], simular: true },
    );
    expect(rows[0].changes).toContainEqual(expect.objectContaining({ member: 'denominacao', after: 'b' }));
  });
});

/** Builds an upload form with a sheet and its order. */
function formOf(sheet: Uint8Array<ArrayBuffer>, planilha?: string): FormData {
  const form = new FormData();
  form.set('file', new File([sheet], 'a.xlsx'));
  form.set('tipo', 'produto');
  form.set('cpfCnpjRaiz', COMPANY);
  if (planilha !== undefined) form.set('planilha', planilha);
  return form;
}

test('a sheet in the request accepts 50 MiB and refuses one byte more, also when other files may be larger', async () => {
  const { maxBytes } = SHEET_LIMITS;
  const rows = [
    ['Nome', 'Situação'],
    ['Pesada', 'Rascunho'],
  ];
  expect((await run(demo, formOf(xlsxWeighing(rows, maxBytes)))).job).toMatchObject({ created: 1 });
  const filesBefore = readdirSync(join(server.folder, 'imports'));
  const { status, json } = (await run(demo, formOf(xlsxWeighing(rows, maxBytes + 1)))).started;
  expect([status, json.message]).toEqual([413, `O corpo passa do limite de ${maxBytes} bytes.`]);
  expect(readdirSync(join(server.folder, 'imports'))).toEqual(filesBefore);
});

test('a sheet in the request is imported by the guess, or by planilha', async () => {
  const sheet = simpleXlsx([
    ['Nome', 'NCM', 'Modalidade', 'X'],
    ['Caixa', '39269090', 'IMP', 'd'],
  ]);
  const form = (planilha?: string) => formOf(sheet, planilha);
  expect((await run(demo, form())).rows).toMatchObject([{ outcome: 'created', file: 'a.xlsx' }]);
  const order = { mapping: [{ index: 3, target: 'descricao' }], simular: true };
  expect((await run(demo, form(JSON.stringify(order)))).rows[0].changes).toContainEqual(
    expect.objectContaining({ member: 'descricao', after: 'd' }),
  );
  expect((await run(demo, form('{'))).started.status).toBe(400);
  expect((await run(demo, form('{"key":"x"}'))).started.json.detail[0].path).toBe('/planilha/key');
  expect((await run(await server.as('estranho'), form())).started.status).toBe(403);
});

test('an import of a sheet belongs to its company, continues after a restart, and its cells are deleted with its rows', async () => {
  const { id } = await importRows(
    demo,
    [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '39269090', 'IMP'],
    ],
    { simular: true },
  );
  const { folder, clock } = server;
  await server.close({ keepFolder: true });
  server = await openApp({ folder, clock });
  demo = await server.as('demo');
  expect((await run(demo, { from: id })).rows).toMatchObject([{ outcome: 'created', row: 2 }]);
  await demo.call('DELETE', `/appliance/api/imports/${id}/results`);
  expect((await run(demo, { from: id })).started.status).toBe(422);
  expect((await demo.call('GET', `${SHEETS}/999`)).status).toBe(404);
});
