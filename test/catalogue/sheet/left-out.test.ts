/** Nothing of a file vanishes without a word (contract section 24): other sheets, sums, rows left out, members of a zip. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { rowsXml, xlsxOf } from '../../sheet/support.ts';
import { COMPANY, importRows, run, send } from './support.ts';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const HEADINGS = ['Nome', 'NCM', 'Modalidade'];
const row = (name: string): readonly string[] => [name, '39269090', 'IMP'];
const sheetOf = (name: string, ...rows: (readonly string[])[]) => ({ name, data: rowsXml(rows) });
const messages = (job: { notices: { message: string }[] }) => job.notices.map(({ message }) => message);

describe('of a file with several sheets', () => {
  const cover = sheetOf('Capa', ['Catálogo 2026'], ['Emitido por', 'Fulano'], ['Revisão', '3']);
  const parts = sheetOf('Peças', HEADINGS, row('Porca'));
  const engines = sheetOf('Motores', HEADINGS, row('Motor 1'), row('Motor 2'));

  test('the first that is recognised is imported, and the others are named', async () => {
    const { json } = await send(demo, xlsxOf({ sheets: [cover, parts, engines] }), { name: 'a.xlsx' });
    expect(json.table).toBe(1);
    const { job, rows } = await run(demo, { sheet: json.id, simular: true });
    expect(rows).toMatchObject([{ outcome: 'created', name: 'Porca' }]);
    expect(messages(job)).toEqual(['Capa: 1 linha, não importada.', 'Motores: 2 linhas, não importada.']);
    const written = await run(demo, { from: job.id });
    expect(messages(written.job)).toEqual(messages(job));
  });

  test('a hidden one comes last, and one that is named is imported', async () => {
    const sheets = [{ ...engines, state: 'hidden' }, parts];
    const { json } = await send(demo, xlsxOf({ sheets }), { name: 'a.xlsx' });
    expect(json.sheets.map((one: { name: string }) => one.name)).toEqual(['Peças', 'Motores']);
    const { job } = await run(demo, { sheet: json.id, table: 1, simular: true });
    expect(job).toMatchObject({ total: 2, notices: [] });
  });
});

describe('a last row', () => {
  test('that sums up the others is left out, and named', async () => {
    const { job, rows } = await importRows(
      demo,
      [
        ['Nome', 'NCM', 'Modalidade', 'Preço'],
        [...row('Porca'), '1'],
        ['Total geral', '', '', '1'],
      ],
      { simular: true },
    );
    expect(rows).toMatchObject([{ outcome: 'created' }]);
    expect(messages(job)).toEqual([
      'A linha 3 (“Total geral”) ficou de fora: é um total, e não um registro.',
    ]);
  });

  test('that is a record stays, and so does a sum that stands elsewhere', async () => {
    const record = await importRows(demo, [HEADINGS, row('Porca'), row('Total flex')], { simular: true });
    expect(record.job).toMatchObject({ created: 2, notices: [] });
    const name = await importRows(demo, [HEADINGS, row('Porca'), ['Totalflex', '', '']], { simular: true });
    expect(name.job).toMatchObject({ total: 2, notices: [] });
    const middle = await importRows(demo, [HEADINGS, ['Total', '', ''], row('Porca')], { simular: true });
    expect(middle.job).toMatchObject({ total: 2, failed: 1, notices: [] });
  });
});

test('rows are left out as asked, before a dry run and after it', async () => {
  const rows = [HEADINGS, row('A'), row('B'), row('C')];
  const { job } = await importRows(demo, rows, { skip: [3], simular: true });
  expect(job).toMatchObject({ total: 2, created: 2 });
  expect(messages(job)).toEqual(['1 linha de fora, como pedido: 3.']);
  const written = await run(demo, { from: job.id, skip: [4] });
  expect(written.rows).toMatchObject([{ row: 2, outcome: 'created' }]);
  expect(messages(written.job)).toEqual([
    '1 linha de fora, como pedido: 3.',
    '1 linha de fora, como pedido: 4.',
  ]);
  expect((await run(demo, { from: job.id, skip: [0] })).started.status).toBe(400);
  expect((await run(demo, { from: job.id, key: 'codigo' })).started.status).toBe(400);
});

test('members of a zip that are no JSON are named', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const zip = zipSync({
    'a.json': bytes(
      JSON.stringify([{ seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'A', situacao: 'RASCUNHO' }]),
    ),
    'itens.xlsx': bytes('x'),
    'leia-me.txt': bytes('x'),
  });
  const form = new FormData();
  form.set('file', new File([zip], 'a.zip'));
  form.set('tipo', 'produto');
  const { job } = await run(demo, form);
  expect(job).toMatchObject({ state: 'done', total: 1 });
  expect(messages(job)).toEqual([
    'itens.xlsx: uma planilha, não importada; envie-a fora do zip.',
    'leia-me.txt: não é um arquivo .json, não importado.',
  ]);
});
