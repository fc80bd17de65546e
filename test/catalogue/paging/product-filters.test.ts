/**
 * Filters that only pages of products have: words anywhere, the first digits of an NCM, a status by its
 * word (contract section 25).
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import type { Client } from '../../support/app.ts';
import {
  COMPANY,
  LIST,
  MINIMAL,
  OF_COMPANY,
  TODAY,
  include,
  includeDraft,
  productsForAllTests,
  succeed,
} from '../product/support.ts';

const PAGES = '/appliance/api/products';
const PAGES_OF_COMPANY = `${PAGES}?cpfCnpjRaiz=${COMPANY}`;
const products = productsForAllTests();

let demo: Client;
beforeAll(async () => {
  ({ demo } = products());
  await include(demo, { ...MINIMAL, denominacao: 'Parafuso sextavado M6', codigosInterno: ['A-1'] });
  await include(demo, { ...MINIMAL, denominacao: 'Café em GRÃO', ncm: '09012100', codigosInterno: ['ÇX9'] });
  await include(demo, { ...MINIMAL, denominacao: 'Porca sextavada', ncm: '73181600' });
  await includeDraft(demo, { ...MINIMAL, denominacao: 'Arruela' });
  await demo.call('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/3`);
  // The former content of the first product is a past version with another name.
  await succeed(
    await demo.call('PUT', `${OF_COMPANY}/1`, { ...MINIMAL, denominacao: 'Prego', ncm: '73170090' }),
  );
});

async function codes(query: string): Promise<unknown> {
  const { status, json } = await demo.call('GET', `${PAGES_OF_COMPANY}&${query}`);
  if (status !== 200) return (json.detail as { message: string }[]).map(({ message }) => message);
  expect(json.total).toBe(json.items.length);
  return json.items.map(({ codigo }: { codigo: number }) => codigo);
}

describe('text', () => {
  test.each([
    ['sextavada', [3]],
    ['SEXTAVADA porca', [3]],
    ['porca sextavado', []],
    ['grao', [2]],
    ['çx9', [2]],
    ['0901', [2]],
    ['0901.21', [2]],
    ['7318 arruela', [4]],
    ['3 porca', [3]],
    ['"', []],
    ['%20', []],
    ['%CC%81', []],
  ] as const)('%s finds %j', async (text, expected) => {
    expect(await codes(`text=${text.startsWith('%') ? text : encodeURIComponent(text)}`)).toEqual(expected);
  });

  test('applies to the version of a day, and combines with other filters', async () => {
    expect(await codes(`text=parafuso`)).toEqual([]);
    expect(await codes(`text=prego&dataReferencia=${TODAY}`)).toEqual([1]);
    expect(await codes('text=sextavada&situacao=ATIVADO')).toEqual([]);
  });

  test('has at most 200 characters', async () => {
    expect(await codes(`text=${'a'.repeat(200)}`)).toEqual([]);
    expect(await codes(`text=${'a'.repeat(201)}`)).toEqual([expect.stringContaining('no máximo 200')]);
  });
});

describe('ncm', () => {
  test.each([
    ['73', [1, 3, 4]],
    ['7318', [3, 4]],
    ['7318150', [4]],
    ['73181500', [4]],
    ['99', []],
  ] as const)('%s finds the products with this start', async (ncm, expected) => {
    expect(await codes(`ncm=${ncm}`)).toEqual(expected);
    expect(await codes(`ncm=${ncm}&order=-codigo`)).toEqual(expected.toReversed());
    expect(await codes(`ncm=${ncm}&order=ncm&limit=500`)).toHaveLength(expected.length);
  });

  test('has 2 to 8 digits', async () => {
    for (const ncm of ['7', '731815001', '73.18', 'ab'])
      expect(await codes(`ncm=${ncm}`)).toEqual([expect.stringContaining('os primeiros 2 a 8 dígitos')]);
  });
});

describe('situacao', () => {
  test.each([
    ['ATIVADO', [1, 2]],
    ['ativado', [1, 2]],
    ['0', [1, 2]],
    ['DESATIVADO', [3]],
    ['1', [3]],
    ['Rascunho', [4]],
    ['2', [4]],
  ] as const)('%s finds %j', async (situacao, expected) => {
    expect(await codes(`situacao=${situacao}`)).toEqual(expected);
  });

  test('another word, or number, is refused with the accepted ones', async () => {
    for (const situacao of ['INATIVADO', '3', '-1'])
      expect(await codes(`situacao=${situacao}`)).toEqual([
        expect.stringContaining('aceita ATIVADO, DESATIVADO, RASCUNHO, 0, 1, 2'),
      ]);
  });
});

test('the list of the specification matches exactly', async () => {
  expect((await demo.call('GET', `${LIST}&ncm=7318`)).status).toBe(400);
  expect((await demo.call('GET', `${LIST}&situacao=ATIVADO`)).status).toBe(400);
  expect((await demo.call('GET', `${LIST}&situacao=2`)).status).toBe(200);
});

test('tables to download and bulk changes find the same products', async () => {
  const query = 'text=sextavada&ncm=73&situacao=DESATIVADO';
  const { text } = await demo.call('GET', `${PAGES}.csv?cpfCnpjRaiz=${COMPANY}&${query}&columns=codigo`);
  expect(text.trim().split(/\r?\n/).slice(1)).toEqual(['3']);
  const { status, json } = await demo.call('POST', `${PAGES}/changes`, {
    cpfCnpjRaiz: COMPANY,
    set: { descricao: 'A' },
    simular: true,
    filter: { text: 'sextavada', ncm: '73', situacao: 'Desativado' },
  });
  expect([status, json]).toEqual([202, { id: expect.any(Number) }]);
  const ofImport = `/appliance/api/imports/${json.id}`;
  while (!/done|failed/.test((await demo.call('GET', ofImport)).json.state))
    await new Promise<void>((resolve) => setImmediate(resolve));
  expect(
    (await demo.call('GET', `${ofImport}/results`)).json.map(({ codigo }: { codigo: string }) => codigo),
  ).toEqual(['3']);
});
