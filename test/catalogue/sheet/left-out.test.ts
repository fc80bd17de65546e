/**
 * Every ignored part of a file is reported (contract section 24): other sheets, sums, skipped rows,
 * members of a zip.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { zipSync } from 'fflate';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { rowsXml, xlsxOf } from '../../sheet/support.ts';
import { COMPANY, ended, importRows, run, send } from './support.ts';

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

describe('in a file with several sheets', () => {
  const cover = sheetOf('Capa', ['Catálogo 2026'], ['Emitido por', 'Fulano'], ['Revisão', '3']);
  const parts = sheetOf('Peças', HEADINGS, row('Porca'));
  const engines = sheetOf('Motores', HEADINGS, row('Motor 1'), row('Motor 2'));

  test('the first recognised one is imported, and the others are named', async () => {
    const { json } = await send(demo, xlsxOf({ sheets: [cover, parts, engines] }), { name: 'a.xlsx' });
    expect(json.table).toBe(1);
    const { job, rows } = await run(demo, { sheet: json.id, simular: true });
    expect(rows).toMatchObject([{ outcome: 'created', name: 'Porca' }]);
    expect(messages(job)).toEqual(['Capa: 1 linha, não importada.', 'Motores: 2 linhas, não importada.']);
    const realRun = await run(demo, { from: job.id });
    expect(messages(realRun.job)).toEqual(messages(job));
  });

  test('hidden ones come last, and a requested one is imported', async () => {
    const sheets = [{ ...engines, state: 'hidden' }, parts];
    const { json } = await send(demo, xlsxOf({ sheets }), { name: 'a.xlsx' });
    expect(json.sheets.map((one: { name: string }) => one.name)).toEqual(['Peças', 'Motores']);
    const { job } = await run(demo, { sheet: json.id, table: 1, simular: true });
    expect(job).toMatchObject({ total: 2, notices: [] });
  });
});

describe('a last row', () => {
  test('that sums the others is left out, and named', async () => {
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

  test('that is a record stays, and so does a sum in another row', async () => {
    const record = await importRows(demo, [HEADINGS, row('Porca'), row('Total flex')], { simular: true });
    expect(record.job).toMatchObject({ created: 2, notices: [] });
    const name = await importRows(demo, [HEADINGS, row('Porca'), ['Totalflex', '', '']], { simular: true });
    expect(name.job).toMatchObject({ total: 2, notices: [] });
    const middle = await importRows(demo, [HEADINGS, ['Total', '', ''], row('Porca')], { simular: true });
    expect(middle.job).toMatchObject({ total: 2, failed: 1, notices: [] });
  });
});

test('requested rows are skipped, before a dry run and after it', async () => {
  const rows = [HEADINGS, row('A'), row('B'), row('C')];
  const { job } = await importRows(demo, rows, { skip: [3], simular: true });
  expect(job).toMatchObject({ total: 2, created: 2 });
  expect(messages(job)).toEqual(['1 linha de fora, como pedido: 3.']);
  const realRun = await run(demo, { from: job.id, skip: [4] });
  expect(realRun.rows).toMatchObject([{ row: 2, outcome: 'created' }]);
  expect(messages(realRun.job)).toEqual([
    '1 linha de fora, como pedido: 3.',
    '1 linha de fora, como pedido: 4.',
  ]);
  expect((await run(demo, { from: job.id, skip: [0] })).started.status).toBe(400);
  expect((await run(demo, { from: job.id, key: 'codigo' })).started.status).toBe(400);
});

describe('in a zip', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const json = bytes(
    JSON.stringify([{ seq: 1, cpfCnpjRaiz: COMPANY, denominacao: 'A', situacao: 'RASCUNHO' }]),
  );
  const parts = xlsxOf({ sheets: [sheetOf('Peças', HEADINGS, row('Porca'), row('Sem NCM').with(1, ''))] });
  const engines = bytes(`${[HEADINGS, row('Motor')].map((cells) => cells.join(';')).join('\r\n')}\r\n`);

  function zipForm(files: Record<string, Uint8Array>, fields: Record<string, string> = {}): FormData {
    const form = new FormData();
    form.set('file', new File([zipSync(files)], 'a.zip'));
    form.set('tipo', 'produto');
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return form;
  }
  const OF_COMPANY = { cpfCnpjRaiz: COMPANY };

  test('sheets are imported like JSON members, and other files are named', async () => {
    const files = { 'a.json': json, 'itens.xlsx': parts, 'motores.csv': engines, 'leia-me.txt': bytes('x') };
    const dry = await run(demo, zipForm(files, { ...OF_COMPANY, simular: 'true' }));
    expect(dry.job).toMatchObject({ state: 'done', total: 4, created: 3, failed: 1, simular: true });
    const { job, rows, id } = await run(demo, zipForm(files, OF_COMPANY));
    expect(job).toMatchObject({ state: 'done', total: 4, created: 3, failed: 1, cpfCnpjRaiz: COMPANY });
    expect(rows).toMatchObject([
      { file: 'a.json', outcome: 'created', name: 'A' },
      { file: 'itens.xlsx', row: 2, outcome: 'created', name: 'Porca' },
      { file: 'itens.xlsx', row: 3, outcome: 'failed', problems: [{ cell: 'B3', heading: 'NCM' }] },
      { file: 'motores.csv', row: 2, outcome: 'created', name: 'Motor' },
    ]);
    expect(rows[0].row).toBeUndefined();
    expect(messages(job)).toEqual([
      'leia-me.txt: não é um arquivo .json nem uma planilha, não importado.',
      'itens.xlsx: Colunas: Nome → denominacao; NCM → ncm; Modalidade → modalidade. Chave: nenhuma.',
      'motores.csv: Colunas: Nome → denominacao; NCM → ncm; Modalidade → modalidade. Chave: nenhuma.',
    ]);
    const path = `/appliance/api/imports/${id}`;
    for (const reply of [
      await demo.call('POST', `${path}/corrections`, { set: [] }),
      await demo.call('GET', `${path}/failed.xlsx`),
      await demo.call('POST', '/appliance/api/imports', { from: dry.id }),
    ]) {
      expect(reply.status).toBe(422);
      expect(reply.json.detail[0].message).toContain(
        'é de um zip com 2 planilhas ("itens.xlsx", "motores.csv"), e um zip é importado inteiro. Corrija a planilha',
      );
    }
    const undo = await ended(demo, await demo.call('POST', `/appliance/api/imports/${id}/undo`, {}));
    expect(undo.job).toMatchObject({ total: 3, deactivated: 3, failed: 0 });
  });

  test('sheets without JSON members are imported, and other sheets of a workbook are named', async () => {
    const workbook = xlsxOf({
      sheets: [sheetOf('Peças', HEADINGS, row('Porca')), sheetOf('Motores', HEADINGS, row('Motor'))],
    });
    const { job, rows } = await run(demo, zipForm({ 'itens.xlsx': workbook }, OF_COMPANY));
    expect(rows).toMatchObject([{ outcome: 'created', name: 'Porca' }]);
    expect(messages(job)).toContain('itens.xlsx: Motores: 1 linha, não importada.');
  });

  test('a sheet without a company belongs to the only company of its sender, or is refused', async () => {
    const { started } = await run(demo, zipForm({ 'itens.csv': engines }));
    expect(started.status).toBe(400);
    expect(started.json.errors ?? started.json).toBeDefined();
    expect(started.text).toContain('cpfCnpjRaiz');
    const demo2 = await server.as('demo2');
    const ownRun = await run(demo2, zipForm({ 'itens.csv': engines }));
    expect(ownRun.rows).toMatchObject([{ outcome: 'created', name: 'Motor' }]);
  });

  test('an unreadable sheet refuses the zip, and is named', async () => {
    const { started } = await run(demo, zipForm({ 'a.json': json, 'itens.xlsx': bytes('PKx') }, OF_COMPANY));
    expect(started.status).toBe(422);
    expect(started.text).toContain('itens.xlsx: ');
    const list = await demo.call('GET', '/appliance/api/imports');
    expect(list.json).toEqual([]);
  });

  test('a sheet without a known column is named as left out; as the only member it is refused', async () => {
    const colorSheet = bytes('Cor;Peso\r\nazul;3\r\n');
    const { job } = await run(demo, zipForm({ 'a.json': json, 'cores.csv': colorSheet }, OF_COMPANY));
    expect(messages(job)).toEqual(['cores.csv: não importada; nenhuma coluna foi reconhecida.']);
    const { started } = await run(demo, zipForm({ 'cores.csv': colorSheet, 'b.txt': json }, OF_COMPANY));
    expect(started.status).toBe(422);
    expect(started.text).toContain('cores.csv');
    expect(started.text).toContain('b.txt');
  });

  test('a zip of other kinds of members only is refused with their names', async () => {
    const { job } = await run(demo, zipForm({ 'leia-me.txt': json, 'foto.png': json }));
    expect(job).toMatchObject({ state: 'failed' });
    expect(job.error).toContain('foto.png');
  });

  test('the mirror mode leaves sheets out, and names them', async () => {
    const { job } = await run(demo, zipForm({ 'a.json': json, 'itens.xlsx': parts }, { modo: 'espelho' }));
    expect(messages(job)).toEqual([
      'itens.xlsx: uma planilha, não importada; o modo espelho é só de arquivos .json.',
    ]);
  });

  test('options of one sheet are refused if the zip has two', async () => {
    const planilha = JSON.stringify({ mapping: [{ index: 0, target: 'denominacao' }] });
    const oneSheet = await run(
      demo,
      zipForm({ 'a.csv': engines }, { ...OF_COMPANY, planilha, simular: 'true' }),
    );
    expect(oneSheet.job).toMatchObject({ total: 1 });
    const twoSheets = await run(
      demo,
      zipForm({ 'a.csv': engines, 'b.csv': engines }, { ...OF_COMPANY, planilha }),
    );
    expect(twoSheets.started.status).toBe(400);
    expect(twoSheets.started.text).toContain('mapping');
  });

  test('a brake stops a zip of sheets before it starts', async () => {
    const names = Array.from({ length: 6 }, (_, index) => `${index}`);
    const sheet = (name: string, ncm: string): Uint8Array =>
      bytes(
        [
          'SKU;Nome;NCM;Modalidade;Situação',
          ...names.map((code) => `K${code};${name} ${code};${ncm};IMP;Rascunho`),
        ].join('\r\n'),
      );
    await run(demo, zipForm({ 'a.csv': sheet('Porca', '39269090') }, OF_COMPANY));
    const changed = { 'a.csv': sheet('Motor', '73181500') };
    const { started } = await run(demo, zipForm(changed, OF_COMPANY));
    expect(started.status).toBe(422);
    expect(started.text).toContain('APPL-ER0450');
    const { job } = await run(demo, zipForm(changed, { ...OF_COMPANY, expected: '6' }));
    expect(job).toMatchObject({ newVersion: 6 });
  });
});
