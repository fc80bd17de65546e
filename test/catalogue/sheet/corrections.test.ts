/**
 * Failed rows of a sheet with other values: by reason, by row, by received value, as often as needed
 * (contract section 24).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { cellTexts, read } from '../../sheet/support.ts';
import { ended, importRows, run, send, targetsIn } from './support.ts';

const IMPORTS = '/appliance/api/imports';

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});

afterEach(() => server.close());

const ROWS = [
  ['SKU', 'Nome', 'NCM', 'Modalidade', 'Obs.'],
  ['A1', 'Caixa', '39269090', 'Importação', 'fica'],
  ['A2', 'Balde', '3926', 'Importação', 'x'],
  ['A3', 'Tampa', '3926', 'compra', 'y'],
  ['A4', '', '39269090', 'Importação', 'z'],
];

const correct = (id: number, body: object) => demo.call('POST', `${IMPORTS}/${id}/corrections`, body);

/** Starts a correction, and waits for its end. */
async function correctToEnd(id: number, set: readonly object[], options: object = {}) {
  const started = await correct(id, { set, ...options });
  expect(started.json).toEqual({ id: expect.any(Number) });
  return ended(demo, started);
}

const outcomes = (rows: readonly { row: number; outcome: string }[]) =>
  rows.map(({ row, outcome }) => [row, outcome]);

const outcomeAndCodes = ({
  outcome,
  codigosInterno,
}: {
  outcome: string;
  codigosInterno: readonly string[];
}) => [outcome, ...codigosInterno];

describe('failed rows', () => {
  test('are imported with one value for all, or with one for each received value; other rows are not touched', async () => {
    const { id, rows } = await importRows(demo, ROWS);
    expect(outcomes(rows)).toEqual([
      [2, 'created'],
      [3, 'failed'],
      [4, 'failed'],
      [5, 'failed'],
    ]);
    const second = await correctToEnd(id, [
      { member: 'ncm', map: { 3926: '39269090' } },
      { member: 'modalidade', value: 'Importação', rows: [4] },
    ]);
    expect(second.job).toMatchObject({ fromSheet: true, created: 2, failed: 1, fileName: 'planilha.csv' });
    expect(outcomes(second.rows)).toEqual([
      [3, 'created'],
      [4, 'created'],
      [5, 'failed'],
    ]);
    const third = await correctToEnd(second.id, [{ member: 'denominacao', value: 'Alça', rows: [5] }]);
    expect(third.rows).toMatchObject([
      { row: 5, outcome: 'created', name: 'Alça', codigosInterno: ['A4'], problems: [] },
    ]);
  });

  test('are selected by the code of their reason', async () => {
    const { id, rows } = await importRows(demo, ROWS);
    const [, , , fourth] = rows;
    const reason = fourth.problems[0].code;
    const { rows: after } = await correctToEnd(id, [{ reason, member: 'denominacao', value: 'Sem nome' }]);
    expect(after.find(({ row }: { row: number }) => row === 5).outcome).toBe('created');
  });

  test('are not touched if the same code refused another member', async () => {
    const { id, rows } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'Descrição'],
      ['Caixa', '', 'Importação', 'a'],
      ['', '39269090', 'Importação', 'b'],
    ]);
    const [first, second] = rows;
    const reason = first.problems[0].code;
    expect(second.problems[0].code).toBe(reason);
    const { rows: after } = await correctToEnd(id, [
      { reason, member: 'ncm', value: '39269090' },
      { reason, member: 'denominacao', value: 'Balde' },
    ]);
    expect(after.map(({ name }: { name: string }) => name)).toEqual(['Caixa', 'Balde']);
  });

  test('without a compound get its parts, which the reason names', async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'ATT_90002', 'ATT_90005', 'ATT_90004'],
      ['Vinho', '22042100', 'Importação', '12,5', 'Não', '01'],
    ]);
    const reasons = (await demo.call('GET', `${IMPORTS}/${id}/reasons`)).json;
    expect(reasons).toMatchObject([{ member: 'atributo:ATT_90010', accepted: null }]);
    const [{ reason, parts }] = reasons;
    expect(parts).toContainEqual({
      member: 'atributo:ATT_90010/ATT_90011',
      heading: 'Material',
      accepted: expect.arrayContaining([expect.stringMatching(/^01 - /)]),
    });
    const { rows } = await correctToEnd(id, [
      { reason, member: 'atributo:ATT_90010/ATT_90011', value: '01' },
      { reason, member: 'atributo:ATT_90010/ATT_90012', value: '0,75' },
    ]);
    expect(rows).toMatchObject([{ outcome: 'created', problems: [] }]);
  });

  test('may contain names of built-in JavaScript properties', async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '39269090', 'constructor'],
      ['Balde', '39269090', 'compra'],
    ]);
    const { rows } = await correctToEnd(id, [{ member: 'modalidade', map: { compra: 'Importação' } }]);
    expect(outcomes(rows)).toEqual([
      [2, 'failed'],
      [3, 'created'],
    ]);
    expect(rows[0].errors[0]).toContain('recebido "constructor"');
  });

  test('are imported unchanged without corrections, and a dry run of them is written afterwards', async () => {
    const { id } = await importRows(demo, ROWS);
    const again = await correctToEnd(id, []);
    expect(outcomes(again.rows).map(([, outcome]) => outcome)).toEqual(['failed', 'failed', 'failed']);
    const dry = await correctToEnd(id, [{ member: 'ncm', map: { 3926: '39269090' } }], { simular: true });
    expect(dry.job).toMatchObject({ simular: true, created: 1, failed: 2 });
    const real = await run(demo, { from: dry.id });
    expect(real.job).toMatchObject({ simular: false, created: 1, failed: 2 });
  });

  test('of a dry run keep the good rows from dry run to dry run, which are all written at the end; a real run has the failed rows only', async () => {
    const dry = { simular: true };
    const first = await importRows(
      demo,
      [
        ['SKU', 'Nome', 'NCM', 'Modalidade'],
        ['CH-1', 'Um', '39269090', 'Importação'],
        ['CH-2', 'Dois', '3926909X', 'Importação'],
        ['CH-3', 'Três', '3926909Y', 'Importação'],
      ],
      dry,
    );
    const second = await correctToEnd(first.id, [{ member: 'ncm', map: { '3926909X': '39269090' } }], dry);
    expect(second.job).toMatchObject({ created: 2, failed: 1 });
    const last = [{ member: 'ncm', map: { '3926909Y': '39269090' } }];
    const third = await correctToEnd(second.id, last, dry);
    expect(third.job).toMatchObject({ created: 3, kind: 'correcao', corrects: second.id });
    const nextRound = await correctToEnd(second.id, last);
    expect(nextRound.rows.map(({ row }: { row: number }) => row)).toEqual([4]);
    const real = await run(demo, { from: third.id });
    expect(real.rows.map(outcomeAndCodes)).toEqual([
      ['created', 'CH-1'],
      ['created', 'CH-2'],
    ]);
    expect(real.job.notices).toEqual([
      { message: `1 linha de fora, porque a importação ${nextRound.id} já a gravou.` },
    ]);
  });

  test('can get values without a column, and be emptied', async () => {
    const wine = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'Descrição'],
      ['Vinho', '22042100', 'Importação', 'x'.repeat(4000)],
    ]);
    const { rows } = await correctToEnd(wine.id, [
      { member: 'descricao', value: '' },
      { member: 'atributo:ATT_90002', value: '12,5' },
      { member: 'atributo:ATT_90005', value: 'Não' },
      { member: 'atributo:ATT_90004', value: '01' },
      { member: 'atributo:ATT_90010/ATT_90011', value: '01' },
      { member: 'atributo:ATT_90010/ATT_90012', value: '0,75' },
    ]);
    expect(rows).toMatchObject([{ outcome: 'created', problems: [] }]);
  });

  test('have other keys than the rows that were written', async () => {
    const { id } = await importRows(demo, [
      ['Código interno', 'Nome', 'NCM', 'Modalidade'],
      ['K1', 'Caixa', '39269090', 'Importação'],
      ['K1', 'Balde', '39269090', 'Importação'],
    ]);
    const same = await correctToEnd(id, [{ member: 'denominacao', value: 'Tampa', rows: [3] }]);
    expect(same.rows[0].errors[0]).toContain('mesma chave da linha 2');
    const other = await correctToEnd(id, [{ member: 'codigosInterno', value: 'K2' }]);
    expect(other.rows).toMatchObject([{ outcome: 'created', codigosInterno: ['K2'] }]);
  });

  test('repeat a row that an earlier round wrote, until the key of either changes', async () => {
    const ncm = (...received: readonly string[]) => ({
      member: 'ncm',
      map: Object.fromEntries(received.map((one) => [one, '39269090'])),
    });
    const { id } = await importRows(demo, [
      ['Código interno', 'Nome', 'NCM', 'Modalidade'],
      ['DUPB-1', 'Grampeador metálico', '39269090', 'Importação'],
      ['DUPB-1', 'Grampeador ERRADO repetido', '39269090', 'Importação'],
      ['DUPB-2', 'Caixa', '3926909X', 'Importação'],
      ['DUPB-3', 'Balde', '3926909Y', 'Importação'],
      ['DUPB-3', 'Tampa', '39269090', 'Importação'],
    ]);
    const second = await correctToEnd(id, [
      ncm('3926909X'),
      { member: 'codigosInterno', rows: [5], value: 'DUPB-4' },
    ]);
    expect(outcomes(second.rows)).toEqual([
      [3, 'failed'],
      [4, 'created'],
      [5, 'failed'],
      [6, 'created'],
    ]);
    const third = await correctToEnd(second.id, [ncm('3926909Y')]);
    const again = await correctToEnd(third.id, []);
    for (const { rows } of [third, again])
      expect(rows[0]).toMatchObject({ row: 3, errors: [expect.stringContaining('mesma chave da linha 2')] });
    const last = await correctToEnd(again.id, [{ member: 'codigosInterno', value: 'DUPB-5' }]);
    expect(outcomes(last.rows)).toEqual([[3, 'created']]);
  });
});

describe('a correction is refused', () => {
  test('for an import without failures, without a sheet, or that does not exist', async () => {
    const good = await importRows(demo, ROWS.slice(0, 2));
    expect(await correct(good.id, { set: [] })).toMatchObject({
      status: 422,
      json: { message: 'Nenhuma linha desta importação falhou.' },
    });
    const form = new FormData();
    form.set('file', new File(['[]'], 'a.json'));
    form.set('tipo', 'produto');
    const json = await run(demo, form);
    expect((await correct(json.id, { set: [] })).status).toBe(404);
    expect((await correct(999, { set: [] })).status).toBe(404);
  });

  test('if its value matches no row, and nothing is started', async () => {
    const { id } = await importRows(demo, ROWS);
    const before = (await demo.call('GET', IMPORTS)).json.length;
    const answer = await correct(id, {
      set: [
        { member: 'ncm', map: { 3926: '39269090' } },
        { member: 'ncm', map: { 7318: '73181500' } },
        { member: 'denominacao', value: 'X', rows: [2] },
      ],
    });
    expect(answer.status).toBe(422);
    expect(answer.json.detail.map((one: { path: string }) => one.path)).toEqual(['/set/1', '/set/2']);
    expect((await demo.call('GET', IMPORTS)).json).toHaveLength(before);
  });

  test.each([
    [{ member: 'peso', value: '1' }, '/set/0/member'],
    [{ member: 'ncm' }, '/set/0/value'],
    [{ member: 'ncm', value: '1', map: { 1: '2' } }, '/set/0/value'],
    [{ member: 'ncm', map: { 1: 2 } }, '/set/0/map'],
    [{ member: 'ncm', map: { 1: { skip: false } } }, '/set/0/map'],
    [{ member: 'ncm', value: 12 }, '/set/0/value'],
    [{ member: 'ncm', value: { skip: true, rows: 1 } }, '/set/0/value'],
    [{ member: 'ncm', value: 'x'.repeat(4001) }, '/set/0/value'],
    [{ member: 'ncm', value: '1', rows: [0] }, '/set/0/rows/0'],
  ])('that is none: %p', async (one, path) => {
    const { id } = await importRows(demo, ROWS);
    const answer = await correct(id, { set: [one] });
    expect(answer.status).toBe(400);
    expect(answer.json.detail[0].path).toBe(path);
  });

  test('after the rows were deleted', async () => {
    const { id } = await importRows(demo, ROWS);
    await demo.call('DELETE', `${IMPORTS}/${id}/results`);
    expect((await correct(id, { set: [] })).status).toBe(422);
    expect((await demo.call('GET', `${IMPORTS}/${id}/failed.xlsx`)).status).toBe(404);
  });
});

describe('the sheet of failed rows', () => {
  const failedOf = async (id: number): Promise<Uint8Array> =>
    (await demo.call('GET', `${IMPORTS}/${id}/failed.xlsx`)).bytes;

  test('has the columns and cells of the sender with the reasons after them, and is mapped in the same way when imported', async () => {
    const { id } = await importRows(demo, ROWS, { mapping: [{ index: 4, target: 'descricao' }] });
    const content = await failedOf(id);
    const [sheet] = await read(content);
    const texts = sheet?.rows.map(cellTexts) ?? [];
    expect(texts[0]).toEqual([...(ROWS[0] ?? []), 'Erro na importação']);
    expect(texts.slice(1).map((row) => row.slice(0, 5))).toEqual(ROWS.slice(2));
    expect(texts[1]?.[5]).toContain('3926');
    const upload = await send(demo, content);
    expect(targetsIn(upload)).toEqual({
      SKU: 'codigosInterno',
      Nome: 'denominacao',
      NCM: 'ncm',
      Modalidade: 'modalidade',
      'Obs.': 'descricao',
      'Erro na importação': null,
    });
  });

  test('names members in the reasons by the headings of the sender, or by those of catp', async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'Clas. Fiscal'],
      ['Caixa', ''],
    ]);
    const [sheet] = await read(await failedOf(id));
    const reason = (sheet?.rows ?? []).map(cellTexts)[1]?.at(-1);
    expect(reason).toContain('Clas. Fiscal: falta; informe');
    expect(reason).toContain('Modalidade: falta; informe');
  });

  test('has set values, new columns for missing ones, numbers as numbers, and marked wrong cells', async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'Teor alcoólico'],
      ['Vinho', '22042100', 'Importação', '12,5'],
    ]);
    const { id: second } = await correctToEnd(id, [
      { member: 'denominacao', value: 'Vinho tinto', rows: [2] },
    ]);
    const [sheet] = await read(await failedOf(second));
    const [headings, row] = sheet?.rows.map(cellTexts) ?? [];
    expect(headings?.slice(0, 4)).toEqual(['Nome', 'NCM', 'Modalidade', 'Teor alcoólico']);
    expect(headings).toContain('ATT_90005');
    expect(row?.[0]).toBe('Vinho tinto');
    const targets = targetsIn(await send(demo, await failedOf(second)));
    expect(targets['ATT_90005']).toBe('atributo:ATT_90005');
  });
});

test('the results are downloaded as CSV and XLSX, with the internal codes and a row for each problem', async () => {
  const { id } = await importRows(demo, [
    ['SKU', 'Nome', 'NCM', 'Modalidade', 'Situação'],
    ['A1', 'Caixa', '39269090.0', 'Importação', ''],
    ['A2', 'Balde', '39269090', 'compra', 'talvez'],
  ]);
  const text = (await demo.call('GET', `${IMPORTS}/${id}/results.csv`)).text;
  const [head, ...lines] = text.trim().split('\r\n');
  expect(head).toBe(
    'Arquivo;Linha;Nome;Códigos internos;Código;Versão;Resultado;Erro;Célula;Ponteiro;Código do erro;O que muda;Avisos',
  );
  expect(lines[0]).toStartWith('planilha.csv;2;Caixa;A1;');
  expect(lines[0]).toContain(';"NCM: recebido ""39269090.0"", lido como 39269090: a planilha');
  expect(lines.filter((line) => line.includes(';A2;'))).toHaveLength(2);
  const failed = await demo.call('GET', `${IMPORTS}/${id}/results.xlsx?outcome=failed`);
  const [sheet] = await read(failed.bytes);
  expect(sheet?.rows.map(({ cells }) => [cells.get(3)?.text, cells.get(8)?.text])).toEqual([
    ['Códigos internos', 'Célula'],
    ['A2', 'E3'],
    ['A2', 'D3'],
  ]);
  expect((await demo.call('GET', `${IMPORTS}/999/results.csv`)).status).toBe(404);
});

test('the results of a dry run say what would happen, those of a run what happened', async () => {
  const rows = [
    ['Nome', 'NCM', 'Modalidade'],
    ['Cadeira', '39269090', 'Importação'],
    ['Mesa', '39269090', 'compra'],
  ];
  const outcomes = async (options: object) => {
    const { id } = await importRows(demo, rows, options);
    const { text } = await demo.call('GET', `${IMPORTS}/${id}/results.csv`);
    return text
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(';')[6]);
  };
  expect(await outcomes({ simular: true })).toEqual(['Seria incluído', 'Erro']);
  expect(await outcomes({})).toEqual(['Incluído', 'Erro']);
});
