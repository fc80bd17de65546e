/** The reasons of failed items, by rule and member (contract section 24). */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { importRows } from '../sheet/support.ts';
import { COMPANY, IMPORTS, PLAIN, importerOf, item } from './undo-support.ts';

let server: TestApp;
let demo: Client;
let by: ReturnType<typeof importerOf>;

beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
  by = importerOf(demo);
});

afterEach(() => server.close());

const reasonsOf = async (id: number, client = demo) => {
  const { status, json } = await client.call('GET', `${IMPORTS}/${id}/reasons`);
  expect(status).toBe(200);
  return json;
};

describe('the reasons of a spreadsheet', () => {
  test('are grouped by rule and member, the most frequent first, with the received and the accepted values', async () => {
    const { id } = await importRows(
      demo,
      [
        ['Nome', 'Classificação', 'Modalidade'],
        ['Um', '39269090', 'Impor'],
        ['Dois', '39269090', 'Vender'],
        ['Três', '123', 'Importação'],
        ['Quatro', '39269090', 'Vender'],
        ['Cinco', '', 'Importação'],
      ],
      { mapping: [{ index: 1, target: 'ncm' }] },
    );
    const reasons = await reasonsOf(id);
    expect(reasons[0]).toEqual({
      reason: expect.any(String),
      heading: 'Modalidade',
      member: 'modalidade',
      message: expect.stringContaining('Impor'),
      count: 3,
      rows: [2, 3, 5],
      received: [
        { value: 'Vender', count: 2 },
        { value: 'Impor', count: 1 },
      ],
      accepted: ['Importação e exportação', 'Exportação', 'Importação'],
      ambiguous: null,
      parts: [],
    });
    expect(reasons.slice(1)).toMatchObject([
      {
        member: 'ncm',
        heading: 'Classificação',
        count: 2,
        rows: [4, 6],
        accepted: null,
        received: [
          { value: '123', count: 1 },
          { value: '', count: 1 },
        ],
      },
    ]);
  });

  test('name attributes by the table in force, and its values in words', async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade', 'ATT_90001', 'ATT_90005'],
      ['Café', '09012100', 'Importação', '77', 'Sim'],
    ]);
    const reasons = await reasonsOf(id);
    const reasonOf = (member: string) => reasons.find((one: { member: string }) => one.member === member);
    expect(reasonOf('atributo:ATT_90001')).toMatchObject({
      heading: 'ATT_90001',
      rows: [2],
      received: [{ value: '77', count: 1 }],
      accepted: expect.arrayContaining([expect.stringMatching(/^01 - /)]),
    });
    // The sheet has no column for this attribute.
    expect(reasonOf('atributo:ATT_90006')).toMatchObject({
      heading: expect.not.stringContaining('ATT_'),
      received: [{ value: '', count: 1 }],
    });
  });

  test('list the first ten rows, and the twenty most frequent values', async () => {
    const row = (at: number, modality: string) => [`Caixa ${at}`, '39269090', modality];
    const repeatedRows = Array.from({ length: 20 }, (_, at) => [
      row(at, `Tipo ${at}`),
      row(at, `Tipo ${at}`),
    ]);
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade'],
      row(0, 'Só uma vez'),
      ...repeatedRows.flat(),
      row(99, 'Tipo 7'),
    ]);
    const [first] = await reasonsOf(id);
    expect(first).toMatchObject({ member: 'modalidade', count: 42 });
    expect(first.rows).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(first.received).toHaveLength(20);
    expect(first.received.slice(0, 2)).toEqual([
      { value: 'Tipo 7', count: 3 },
      { value: 'Tipo 0', count: 2 },
    ]);
    expect(first.received).not.toContainEqual({ value: 'Só uma vez', count: 1 });
  });

  test("list the values of a person's correction that failed too", async () => {
    const { id } = await importRows(demo, [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '1', 'Importação'],
    ]);
    const [{ reason, received }] = await reasonsOf(id);
    const map = { [received[0].value]: '22' };
    const correction = await demo.call('POST', `${IMPORTS}/${id}/corrections`, {
      set: [{ reason, member: 'ncm', map }],
    });
    expect(correction.status).toBe(202);
    const again = await by.ended(correction.json.id);
    expect(await reasonsOf(again.id)).toMatchObject([
      { member: 'ncm', rows: [2], received: [{ value: '22', count: 1 }] },
    ]);
  });

  test('of the whole row have no member', async () => {
    const codigo = await by.include();
    const order = { key: 'codigo' };
    const { id } = await importRows(
      demo,
      [
        ['Código', 'Nome'],
        [String(codigo), 'Mudada'],
      ],
      { ...order, simular: true },
    );
    await by.replace(codigo, { ...PLAIN, denominacao: 'Outra' });
    const { json } = await demo.call('POST', IMPORTS, { from: id });
    const { id: written } = await by.ended(json.id);
    expect(await reasonsOf(written)).toMatchObject([
      { reason: 'CATP-ER1027', member: null, heading: null, rows: [2], received: [], accepted: null },
    ]);
  });

  test('are empty for an import without failures, and for one without stored results', async () => {
    const rows = [
      ['Nome', 'NCM', 'Modalidade'],
      ['Caixa', '39269090', 'Importação'],
    ];
    expect(await reasonsOf((await importRows(demo, rows)).id)).toEqual([]);
    const { id } = await importRows(demo, [...rows, ['Outra', '1', 'Importação']]);
    expect(await reasonsOf(id)).toHaveLength(1);
    expect((await demo.call('DELETE', `${IMPORTS}/${id}/results`)).status).toBe(204);
    expect(await reasonsOf(id)).toEqual([]);
  });
});

describe('the reasons of a file of JSON', () => {
  test('have the same members with the words of the record, and the values that a file accepts', async () => {
    const { id } = await by.importFile([
      item({ ncm: '1' }),
      item({ seq: 2, ncm: '2', modalidade: 'VENDA' }),
      item({ seq: 3, codigosInterno: ['A', 'A'] }),
      'um texto',
    ] as readonly object[]);
    expect(await reasonsOf(id)).toMatchObject([
      { member: 'ncm', heading: 'NCM', count: 2, rows: [0, 1], received: [], accepted: null },
      { member: 'modalidade', heading: 'Modalidade', accepted: ['AMBOS', 'EXPORTACAO', 'IMPORTACAO'] },
      { member: 'codigosInterno', heading: 'Códigos internos', count: 1 },
      { member: null, heading: null, count: 1 },
    ]);
  });

  test('name attributes and parts of compounds by the member of the problem', async () => {
    const { id } = await by.importFile([
      item({
        denominacao: 'Vinho',
        ncm: '22042100',
        atributos: [{ atributo: 'ATT_90002', valor: 'muito' }],
        atributosCompostos: [{ atributo: 'ATT_90010', valores: [{ atributo: 'ATT_90011', valor: '77' }] }],
      }),
    ]);
    const members = new Map((await reasonsOf(id)).map((one: { member: string }) => [one.member, one]));
    expect(members.get('atributo:ATT_90002')).toMatchObject({ heading: expect.stringMatching(/^Teor/) });
    expect(members.get('atributo:ATT_90010/ATT_90011')).toMatchObject({
      heading: expect.not.stringContaining('ATT_'),
      accepted: expect.arrayContaining(['01']),
    });
    expect(members.get('atributo:ATT_90005')).toMatchObject({ accepted: ['true', 'false'] });
  });

  test('count an item once for each reason, and have the place where it starts', async () => {
    const lines = [1, 2].map((seq) => JSON.stringify(item({ seq, codigosInterno: ['A', 'A', 'A'] })));
    const form = new FormData();
    form.set('file', new File([`[\n${lines.join(',\n')}\n]`], 'itens.json'));
    form.set('tipo', 'produto');
    const { json } = await demo.call('POST', IMPORTS, form);
    const { id } = await by.ended(json.id);
    expect(await reasonsOf(id)).toMatchObject([{ member: 'codigosInterno', count: 2, rows: [2, 3] }]);
  });

  test('list lines of items that share only the first line', async () => {
    const [first, second, third] = [1, 2, 3].map((seq) =>
      JSON.stringify(item({ seq, codigosInterno: ['A', 'A'] })),
    );
    for (const [text, rows] of [
      [`[${first},${second},\n${third}]`, [1, 1, 2]],
      [`[${first},${second},${third}]`, [0, 1, 2]],
      [`[${first}]`, [1]],
    ] as const) {
      const form = new FormData();
      form.set('file', new File([text], 'itens.json'));
      form.set('tipo', 'produto');
      const { id } = await by.ended((await demo.call('POST', IMPORTS, form)).json.id);
      expect(await reasonsOf(id)).toMatchObject([{ member: 'codigosInterno', rows }]);
    }
  });

  test('count the stored items; of more items only the number is known', async () => {
    await server.close();
    server = await openApp({ demo: true, settings: { 'importacao.falhas': '2' } });
    demo = await server.as('demo');
    by = importerOf(demo);
    const { id, job } = await by.importFile([1, 2, 3].map((seq) => item({ seq, ncm: '1' })));
    expect(job).toMatchObject({ failed: 3, failedNotKept: 1 });
    expect(await reasonsOf(id)).toMatchObject([{ member: 'ncm', count: 2 }]);
  });
});

test('the reasons of a bulk change have the same form', async () => {
  const codigo = await by.include();
  const { id } = await by.change({ codigos: [codigo], set: { modalidade: 'EXPORTACAO' } });
  expect(await reasonsOf(id)).toMatchObject([
    { reason: 'CATP-ER1003', member: 'modalidade', heading: 'Modalidade', count: 1, received: [] },
  ]);
});

test('the reasons of links and of an undo have the same form', async () => {
  const link = { seq: 1, cpfCnpjRaiz: COMPANY, codigoProduto: 99_999, conhecido: false, codigoPais: 'XX' };
  const { id } = await by.importFile([link], { tipo: 'fabricante' });
  expect(await reasonsOf(id)).toMatchObject([
    { member: 'codigoProduto', heading: 'Produto' },
    { member: 'codigoPais', heading: 'País' },
  ]);
  const job = await by.importFile([item({})]);
  await by.undo(job.id);
  const again = await by.undo(job.id);
  expect(await reasonsOf(again.id)).toMatchObject([{ reason: 'CATP-ER1027', member: null, count: 1 }]);
});

test('the reasons of an unknown import, or of another user, are refused', async () => {
  const { id } = await by.importFile([item({ ncm: '1' })]);
  expect((await demo.call('GET', `${IMPORTS}/999/reasons`)).status).toBe(404);
  const stranger = await server.as('estranho');
  expect((await stranger.call('GET', `${IMPORTS}/${id}/reasons`)).status).toBe(404);
});
