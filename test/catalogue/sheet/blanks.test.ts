/**
 * Blanks at the ends of attributes: free texts keep theirs, in every input and output (contract sections
 * 4, 24 and 25).
 */
import { afterEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { COMPANY, csv, ended, run, send, targetsIn } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto';
const PLAIN = { denominacao: ' Caixa ', modalidade: 'IMPORTACAO', ncm: '39269090' };

let server: TestApp;
let demo: Client;

const open = async (options: Parameters<typeof openApp>[0] = {}) => {
  server = await openApp(options);
  demo = await server.as('demo');
};

afterEach(() => server.close());

const include = async (content: object): Promise<number> =>
  (await demo.call('POST', `${PRODUCTS}/${COMPANY}`, { ...PLAIN, ...content })).json.codigo;

const get = async (codigo: number) =>
  (await demo.call('GET', `${PRODUCTS}?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const change = async (codigo: number, atributos: object) =>
  ended(
    demo,
    await demo.call('POST', '/appliance/api/products/changes', {
      cpfCnpjRaiz: COMPANY,
      codigos: [codigo],
      set: { atributos },
    }),
  );

const part = (atributo: string, valor: string) => ({ atributo, valor });

describe.each(['csv', 'xlsx'])('an exported %s', (format) => {
  async function expectUnchangedImport(target: string): Promise<void> {
    const { bytes } = await demo.call('GET', `/appliance/api/products.${format}?cpfCnpjRaiz=${COMPANY}`);
    const upload = await send(demo, bytes);
    expect(Object.values(targetsIn(upload))).toContain(target);
    const { job, rows } = await run(demo, { sheet: upload.json.id });
    expect(rows.filter(({ outcome }: { outcome: string }) => outcome !== 'unchanged')).toEqual([]);
    expect(job.unchanged).toBeGreaterThan(0);
  }

  test('is imported unchanged with its blanks without a table', async () => {
    await open();
    await include({
      atributos: [part('ATT_1', ' abc ')],
      atributosMultivalorados: [{ atributo: 'ATT_2', valores: [' a', 'b ', 'c'] }],
      atributosCompostos: [{ atributo: 'ATT_3', valores: [part('ATT_4', ' d '), part('ATT_5', 'e')] }],
      atributosCompostosMultivalorados: [
        { atributo: 'ATT_6', valores: [[part('ATT_7', ' g ')], [part('ATT_7', 'h '), part('ATT_8', ' i')]] },
      ],
    });
    await expectUnchangedImport('atributo:ATT_1');
  });

  test('is imported unchanged with its blanks when a table has the attribute', async () => {
    await open({ demo: true });
    await include({ atributos: [part('ATT_90032', ' X-1 '), part('ATT_90040', '01')] });
    await expectUnchangedImport('atributo:ATT_90032');
  });
});

test('a sheet may remove blanks from one value of a cell, and the other values keep theirs', async () => {
  await open();
  const codigo = await include({
    atributos: [part('A', ' abc ')],
    atributosMultivalorados: [{ atributo: 'B', valores: [' a', 'b '] }],
  });
  const sheet = csv([
    ['Código', 'x', 'y'],
    [String(codigo), 'abc', 'a|c'],
  ]);
  const upload = await send(demo, sheet);
  const mapping = [
    { index: 1, target: 'atributo:A' },
    { index: 2, target: 'atributo:B' },
  ];
  await run(demo, { sheet: upload.json.id, mapping });
  expect(await get(codigo)).toMatchObject({
    atributos: [part('A', 'abc')],
    atributosMultivalorados: [{ atributo: 'B', valores: [' a', 'c'] }],
  });
});

describe('a bulk change', () => {
  test('keeps the blanks of free texts; a blank value is no value', async () => {
    await open();
    const codigo = await include({ atributos: [part('C', 'c')] });
    await change(codigo, { A: ' abc ', B: [' a', ' '], C: '  ', D: { E: ' e', F: ' ' } });
    expect(await get(codigo)).toMatchObject({
      atributos: [part('A', ' abc ')],
      atributosMultivalorados: [{ atributo: 'B', valores: [' a'] }],
      atributosCompostos: [{ atributo: 'D', valores: [part('E', ' e')] }],
    });
  });

  test('removes the blanks around codes, numbers and days of the table', async () => {
    await open({ demo: true });
    const codigo = await include({});
    await change(codigo, { ATT_90032: ' X-1 ', ATT_90040: ' 01 ' });
    expect((await get(codigo)).atributos).toEqual([part('ATT_90032', ' X-1 '), part('ATT_90040', '01')]);
    const coffee = await include({
      ncm: '09012100',
      atributos: [part('ATT_90001', '01'), part('ATT_90005', 'false')],
    });
    const { rows } = await change(coffee, {
      ATT_90005: ' true ',
      ATT_90006: ' 01 ',
      ATT_90007: ' 2030-12-31 ',
    });
    expect(rows).toMatchObject([{ outcome: 'newVersion', problems: [] }]);
    expect((await get(coffee)).atributos).toContainEqual(part('ATT_90007', '2030-12-31'));
  });
});
