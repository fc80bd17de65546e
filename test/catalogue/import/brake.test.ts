/** The brakes before imports (contract sections 24 and 25): files, sheets, corrections, undo; on both sides of each limit. */
import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { VersionedItems } from '../../../src/catalogue/versioned/items.ts';
import { type Client, type Reply, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, ended, importRows, run } from '../sheet/support.ts';

const IMPORTS = '/appliance/api/imports';
const PRODUCTS = '/catp/api/ext/produto';
const OPERATORS = '/catp/api/ext/operador-estrangeiro';

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
});
afterEach(() => server.close());

const item = (seq: number, more: object = {}) => ({
  seq,
  cpfCnpjRaiz: COMPANY,
  denominacao: `Parafuso ${seq}`,
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
  codigosInterno: [`P-${seq}`],
  ...more,
});
const upTo = <T>(count: number, itemOf: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => itemOf(index + 1));

async function include(count: number): Promise<void> {
  for (let done = 0; done < count; done += 100) {
    const items = upTo(Math.min(100, count - done), (n) => item(n + done)).map((one, index) => ({
      ...one,
      seq: index + 1,
    }));
    const { json } = await demo.call('POST', PRODUCTS, items);
    expect(json.every(({ sucesso }: { sucesso: boolean }) => sucesso)).toBe(true);
  }
}

const file = (items: object[], fields: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ tipo: 'produto', ...fields })) form.set(name, value);
  form.set('file', new File([JSON.stringify(items)], 'itens.json'));
  return form;
};
const refusal = ({ status, json }: Reply) => [
  status,
  ...(json.detail ?? []).map((one: { code: string }) => one.code),
];
const active = async (): Promise<number> =>
  (await demo.call('GET', `/appliance/api/products?cpfCnpjRaiz=${COMPANY}&situacao=ATIVADO&limit=1`)).json
    .total;

describe('deactivations', () => {
  const deactivations = (count: number) => upTo(count, (n) => item(n, { codigo: n, situacao: 'DESATIVADO' }));

  test('a file deactivates ten without confirmation and eleven with their number, next to any other items', async () => {
    await include(22);
    const eleven = [...deactivations(11), item(12, { codigo: 12, descricao: 'x' })];
    const braked = await demo.call('POST', IMPORTS, file(eleven));
    expect(refusal(braked)).toEqual([422, 'APPL-ER0451']);
    expect(braked.json.detail[0]).toMatchObject({ path: '/expected' });
    expect(braked.json.detail[0].message).toContain('11 produtos seriam desativados, mais que 10');
    expect(refusal(await demo.call('POST', IMPORTS, file(eleven, { expected: '10' })))).toEqual([
      422,
      'APPL-ER0451',
    ]);
    for (const expected of ['-1', 'x', '{}', '{"a":1}'])
      expect((await demo.call('POST', IMPORTS, file(eleven, { expected }))).status).toBe(400);
    expect(await active()).toBe(22);
    expect((await demo.call('GET', IMPORTS)).json).toEqual([]);
    const dry = await run(demo, file(eleven, { simular: 'true' }));
    expect(dry.job).toMatchObject({ state: 'done', deactivated: 11 });
    expect((await run(demo, file(deactivations(10)))).job).toMatchObject({ deactivated: 10 });
    const rest = upTo(11, (n) => item(n + 10, { codigo: n + 10, situacao: 'DESATIVADO' }));
    expect((await run(demo, file(rest, { expected: '11' }))).job).toMatchObject({ deactivated: 11 });
    // Deactivated products do not count again.
    expect((await run(demo, file(deactivations(11)))).job).toMatchObject({ state: 'done' });
  });

  test.each([
    [11, 202],
    [12, 422],
  ])('a file may deactivate 5 %% of the active products: %d of 220 is %d', async (count, status) => {
    await include(220);
    expect((await demo.call('POST', IMPORTS, file(deactivations(count)))).status).toBe(status);
  });

  test.each(['DESATIVADO  ', ' Desativado', 'desativado'])('a file deactivates by %j', async (situacao) => {
    await include(11);
    const items = upTo(11, (n) => item(n, { codigo: n, situacao }));
    expect(refusal(await demo.call('POST', IMPORTS, file(items)))).toEqual([422, 'APPL-ER0451']);
    expect((await run(demo, file(items, { expected: '11' }))).job).toMatchObject({ deactivated: 11 });
  });

  test('a file of versions deactivates by a deactivated version', async () => {
    await include(11);
    const items = upTo(11, (n) => item(n, { codigo: n, versao: '2', situacao: 'Desativado' }));
    const versions = (more: object = {}) => file(items, { modo: 'espelho', ...more });
    expect(refusal(await demo.call('POST', IMPORTS, versions()))).toEqual([422, 'APPL-ER0451']);
    expect(await active()).toBe(11);
    expect((await run(demo, versions({ expected: '11' }))).job).toMatchObject({ newVersion: 11 });
    expect(await active()).toBe(0);
  });

  test('a sheet deactivates by its column Situação', async () => {
    await include(11);
    const rows = [['Código', 'Situação'], ...upTo(11, (n) => [String(n), 'Desativado'])];
    const { started } = await importRows(demo, rows);
    expect(refusal(started)).toEqual([422, 'APPL-ER0451']);
    const dry = await importRows(demo, rows, { simular: true });
    expect(dry.job).toMatchObject({ state: 'done', deactivated: 11 });
    expect(refusal(await demo.call('POST', IMPORTS, { from: dry.id }))).toEqual([422, 'APPL-ER0451']);
    expect(await active()).toBe(11);
    expect((await run(demo, { from: dry.id, expected: 11 })).job).toMatchObject({ deactivated: 11 });
  });

  test('an undo deactivates created records', async () => {
    const { id } = await run(demo, file(upTo(11, (n) => item(n))));
    const undo = (body: object) => demo.call('POST', `${IMPORTS}/${id}/undo`, body);
    expect(refusal(await undo({}))).toEqual([422, 'APPL-ER0451']);
    expect((await ended(demo, await undo({ simular: true }))).job).toMatchObject({ deactivated: 11 });
    expect((await ended(demo, await undo({ expected: 11 }))).job).toMatchObject({ deactivated: 11 });
    expect(await active()).toBe(0);
  });

  test('a deactivation of operators names the products that use them', async () => {
    const maker = { cpfCnpjRaiz: COMPANY, logradouro: 'Straße 1', nomeCidade: 'Berlin', codigoPais: 'DE' };
    const operators = upTo(11, (seq) => ({ ...maker, seq, nome: `Maker ${seq}` }));
    expect((await demo.call('POST', OPERATORS, operators)).status).toBe(200);
    await include(1);
    const link = { codigoProduto: 1, conhecido: true, codigoPais: 'DE', codigoOperadorEstrangeiro: 'OPE_1' };
    expect((await demo.call('POST', `/catp/api/ext/fabricante/${COMPANY}`, link)).status).toBe(200);
    const items = operators.map((one, index) => ({
      ...one,
      codigo: `OPE_${index + 1}`,
      situacao: 'DESATIVADO',
    }));
    const braked = await demo.call('POST', IMPORTS, file(items, { tipo: 'operador-estrangeiro' }));
    expect(refusal(braked)).toEqual([422, 'APPL-ER0451']);
    expect(braked.json.detail[0].message).toMatch(
      /11 operadores seriam desativados, .* Produtos que ainda os usam: 1\.$/,
    );
    const form = file(items, { tipo: 'operador-estrangeiro', expected: '11' });
    expect((await run(demo, form)).job).toMatchObject({ deactivated: 11 });
  });
});

describe('a sheet changes the identity of products', () => {
  const HEADINGS = ['Código', 'Denominação', 'NCM'];
  const rows = (changed: number, same: number) => [
    HEADINGS,
    ...upTo(changed + same, (n) => [
      String(n),
      n > changed ? `Parafuso ${n}` : `Válvula ${n}`,
      n > changed ? '73181500' : '84818095',
    ]),
  ];

  test.each([
    [4, 0, 202],
    [5, 5, 202],
    [5, 4, 422],
    [5, 0, 422],
  ])('%d changed and %d not: %d', async (changed, same, status) => {
    await include(12);
    for (const simular of [true, false]) {
      const { started } = await importRows(demo, rows(changed, same), { simular });
      expect(started.status).toBe(status);
      if (status === 422) expect(refusal(started)).toEqual([422, 'APPL-ER0450']);
    }
  });

  test('the refusal has the count, the key and three examples; the number confirms it', async () => {
    await include(6);
    const { started } = await importRows(demo, rows(6, 0));
    expect(started.json.detail).toHaveLength(1);
    const { message, path } = started.json.detail[0];
    expect(path).toBe('/expected');
    expect(message).toContain('6 de 6 linhas que encontram um produto pela coluna Código');
    expect(message).toContain('parecem outros produtos');
    expect(message.match(/→/g)).toHaveLength(3);
    expect(refusal((await importRows(demo, rows(6, 0), { expected: 5 })).started)).toEqual([
      422,
      'APPL-ER0450',
    ]);
    const dry = await importRows(demo, rows(6, 0), { expected: 6, simular: true });
    expect(dry.job).toMatchObject({ newVersion: 6 });
    expect(refusal(await demo.call('POST', IMPORTS, { from: dry.id }))).toEqual([422, 'APPL-ER0450']);
    expect((await run(demo, { from: dry.id, expected: { changed: 6 } })).job).toMatchObject({
      newVersion: 6,
    });
  });

  test('only rows that succeed count, without new records and changes of only the name', async () => {
    await include(12);
    const wrong = [...rows(5, 3), ['9', 'Válvula', '1'], ['10', 'Válvula', '2']];
    expect(refusal((await importRows(demo, wrong)).started)).toEqual([422, 'APPL-ER0450']);
    const names = [HEADINGS, ...upTo(10, (n) => [String(n), `Outro ${n}`, '73181500'])];
    expect((await importRows(demo, names)).started.status).toBe(202);
  });

  test('rows meet products by any of their codes, with any leading zeros; new ones are not applied', async () => {
    const codes = [['A-1'], ['B-1', 'A-2'], ['007'], ['12'], ['0003', 'A-5'], ['A-6']];
    const items = codes.map((codigosInterno, index) => item(index + 1, { codigosInterno }));
    await demo.call('POST', PRODUCTS, items);
    const keys = ['A-1', 'X-2 | A-2', '7', '0012', '3', 'A-6', 'N-1', 'N-2', '00'];
    const sheet = [
      ['Código do material', 'Denominação', 'NCM', 'Modalidade'],
      ...keys.map((key, index) => [key, `Válvula ${index}`, '84818095', 'Importação']),
    ];
    const applied = spyOn(VersionedItems.prototype, 'apply');
    const { started } = await importRows(demo, sheet);
    expect(refusal(started)).toEqual([422, 'APPL-ER0450']);
    expect(started.json.detail[0].message).toContain('6 de 6 linhas que encontram um produto');
    expect(applied).not.toHaveBeenCalled(); // it would have included the new products
    applied.mockRestore();
    const { job } = await importRows(demo, sheet, { expected: 6 });
    expect(job).toMatchObject({ newVersion: 6, created: 3 });
  });

  test('a sheet that also deactivates many requires both numbers', async () => {
    await include(40);
    const both = [
      [...HEADINGS, 'Situação'],
      ...upTo(12, (n) => [String(n), `Válvula ${n}`, '84818095', '']),
      ...upTo(11, (n) => [String(n + 12), '', '', 'Desativado']),
    ];
    const { started } = await importRows(demo, both);
    expect(refusal(started)).toEqual([422, 'APPL-ER0450', 'APPL-ER0451']);
    expect(started.json.detail[0].message).toContain('envie expected: {"changed": 12, "deactivated": 11}');
    for (const expected of [12, 11, { changed: 12 }, { changed: 12, deactivated: 10 }])
      expect((await importRows(demo, both, { expected })).started.status).toBe(422);
    const done = await importRows(demo, both, { expected: { changed: 12, deactivated: 11 } });
    expect(done.job).toMatchObject({ newVersion: 12, deactivated: 11 });
  });

  test('corrections of failed rows require the number too', async () => {
    await include(6);
    const wrong = [HEADINGS, ...upTo(6, (n) => [String(n), `Válvula ${n}`, '8481'])];
    const { id, job } = await importRows(demo, wrong);
    expect(job).toMatchObject({ failed: 6 });
    const correct = (more: object) =>
      demo.call('POST', `${IMPORTS}/${id}/corrections`, {
        set: [{ member: 'ncm', value: '84818095' }],
        ...more,
      });
    expect(refusal(await correct({}))).toEqual([422, 'APPL-ER0450']);
    expect((await ended(demo, await correct({ expected: 6 }))).job).toMatchObject({ newVersion: 6 });
  });
});
