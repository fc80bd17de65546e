/**
 * An attribute that is single for one modality and multivalued for the other goes into the list of the
 * product's modality (contract sections 8, 24 and 25).
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { activate, include, load, tableFile } from '../attribute/support.ts';
import { COMPANY, ended, importRows, run, send } from './support.ts';

const single = { modalidade: 'Importação', multivalorado: false };
const several = { modalidade: 'Exportação', multivalorado: true };
const before = { dataFimVigencia: '2025-12-31' };

/** ATT_1 and ATT_2 differ by modality, in both orders; ATT_3 changed this year; ATT_4 is a compound. */
const PAIRS = [
  { codigo: 'ATT_1', ...single },
  { codigo: 'ATT_1', ...several },
  { codigo: 'ATT_2', ...several },
  { codigo: 'ATT_2', ...single },
  { codigo: 'ATT_3', ...single, multivalorado: true, ...before },
  { codigo: 'ATT_3', ...single, dataInicioVigencia: '2026-01-01' },
  { codigo: 'ATT_4', ...single },
];

function table(): object {
  const codigos = ['ATT_1', 'ATT_2', 'ATT_3', 'ATT_4', 'ATT_5'].map((codigo) => ({ codigo }));
  const { detalhesAtributos, ...file } = tableFile('9', { '3926.90.90': codigos }) as {
    readonly detalhesAtributos: readonly { readonly codigo: string }[];
  };
  const [part] = detalhesAtributos.slice(-1);
  const listaAtributos = PAIRS.map((pair) => ({
    obrigatorio: false,
    dataInicioVigencia: '2020-01-01',
    ...pair,
  }));
  return {
    ...file,
    listaNcm: [{ codigoNcm: '3926.90.90', listaAtributos }],
    detalhesAtributos: detalhesAtributos
      .slice(0, -1)
      .map((detail) =>
        detail.codigo === 'ATT_4'
          ? { ...detail, formaPreenchimento: 'COMPOSTO', listaSubatributos: [part] }
          : detail,
      ),
  };
}

let server: TestApp;
let demo: Client;

beforeEach(async () => {
  server = await openApp();
  demo = await server.as('demo');
  const admin = await server.as('admin');
  await activate(admin, await load(admin, table()));
});

afterEach(() => server.close());

const get = async (codigo: number) =>
  (await demo.call('GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)).json[0];

const change = async (codigo: number, atributos: object) =>
  ended(
    demo,
    await demo.call('POST', '/appliance/api/products/changes', {
      cpfCnpjRaiz: COMPANY,
      codigos: [codigo],
      set: { atributos },
    }),
  );

const ncm = '39269090';
const one = (...codes: readonly string[]) => ({
  atributos: codes.map((atributo) => ({ atributo, valor: 'a' })),
  atributosMultivalorados: [] as object[],
});
const many = (...codes: readonly string[]) => ({
  atributos: [] as object[],
  atributosMultivalorados: codes.map((atributo) => ({ atributo, valores: ['a', 'b'] })),
});
const product = (modalidade: string, lists: object = {}) =>
  include(demo, { denominacao: `Caixa ${modalidade}`, modalidade, ncm, ...lists });

describe.each([
  ['IMPORTACAO', one('ATT_1', 'ATT_2'), 'a'],
  ['EXPORTACAO', many('ATT_1', 'ATT_2'), 'a | b'],
] as const)('for %s', (modalidade, lists, cell) => {
  test('a new row and a row of an existing product are accepted', async () => {
    const codigo = await product(modalidade);
    const { rows } = await importRows(demo, [
      ['Código', 'Nome', 'NCM', 'Modalidade', 'ATT_1', 'ATT_2'],
      ['', 'Nova', ncm, modalidade, cell, cell],
      [String(codigo), 'Outra', ncm, modalidade, cell, cell],
    ]);
    expect(rows).toMatchObject([
      { outcome: 'created', problems: [] },
      { outcome: 'newVersion', problems: [] },
    ]);
    for (const row of rows) expect(await get(Number(row.codigo))).toMatchObject(lists);
  });

  test('a bulk change of products is accepted', async () => {
    const codigo = await product(modalidade);
    const value = modalidade === 'IMPORTACAO' ? 'a' : ['a', 'b'];
    const { rows } = await change(codigo, { ATT_1: value, ATT_2: value });
    expect(rows).toMatchObject([{ outcome: 'newVersion', problems: [] }]);
    expect(await get(codigo)).toMatchObject(lists);
  });
});

test('a row that changes the modality is read by the new modality', async () => {
  const codigo = await product('IMPORTACAO', one('ATT_1'));
  const { rows } = await importRows(demo, [
    ['Código', 'Modalidade', 'ATT_1'],
    [String(codigo), 'Exportação', 'a | b'],
  ]);
  expect(rows).toMatchObject([{ outcome: 'newVersion', problems: [] }]);
  expect(await get(codigo)).toMatchObject(many('ATT_1'));
});

test('both modalities accept either list, and an export is imported unchanged', async () => {
  const [bothModalities, several] = [
    await product('AMBOS', one('ATT_1')),
    await product('AMBOS', many('ATT_2')),
  ];
  const { bytes } = await demo.call('GET', `/appliance/api/products.csv?cpfCnpjRaiz=${COMPANY}`);
  const upload = await send(demo, bytes);
  expect((await run(demo, { sheet: upload.json.id })).job).toMatchObject({ unchanged: 2, failed: 0 });
  await change(bothModalities, { ATT_1: 'c' });
  expect(await get(bothModalities)).toMatchObject({ atributos: [{ atributo: 'ATT_1', valor: 'c' }] });
  await change(several, { ATT_1: ['a', 'b'] });
  expect((await get(several)).atributosMultivalorados).toHaveLength(2);
});

test('the list is that of today', async () => {
  const codigo = await product('IMPORTACAO');
  await change(codigo, { ATT_3: 'a' });
  expect(await get(codigo)).toMatchObject(one('ATT_3'));
});

test('a value that no list of the table accepts is refused, and none of it is lost', async () => {
  const codigo = await product('IMPORTACAO', {
    ...one('ATT_1'),
    atributosCompostos: [{ atributo: 'ATT_4', valores: [{ atributo: 'ATT_5', valor: 'a' }] }],
  });
  for (const atributos of [
    { ATT_1: ['c', 'd'] },
    { ATT_1: { ATT_5: 'c' } },
    { ATT_4: 'c' },
    { ATT_4: [{ ATT_5: 'c' }, { ATT_5: 'd' }] },
  ])
    expect((await change(codigo, atributos)).rows).toMatchObject([
      { outcome: 'failed', problems: [{ code: 'CATP-ER1103' }] },
    ]);
  expect(await get(codigo)).toMatchObject({ versao: '1' });
});
