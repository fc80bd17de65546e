/**
 * Results that change the identity of a record (contract section 24): the server finds them at any
 * position.
 */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Client, type TestApp, openApp } from '../../support/app.ts';
import { importRows } from '../sheet/support.ts';

let server: TestApp;
let demo: Client;
beforeEach(async () => {
  server = await openApp({ demo: true });
  demo = await server.as('demo');
});
afterEach(() => server.close());

const othersOf = async (id: number, query = ''): Promise<readonly number[]> => {
  const { json } = await demo.call('GET', `/appliance/api/imports/${id}/results?others=true${query}`);
  return json.map(({ index }: { readonly index: number }) => index);
};

test('are those with another name or NCM, also after many other changes', async () => {
  const headings = ['SKU', 'Nome', 'NCM', 'Modalidade', 'Descrição', 'ATT_90032'];
  const parts = Array.from({ length: 450 }, (_, at) => [`P-${at}`, `Peça ${at}`, '39269090', 'IMP', '', 'M']);
  await importRows(demo, [headings, ...parts]);
  const otherParts = parts.map((row) => row.with(4, 'Filled in'));
  otherParts[7] = ['P-7', 'Parafuso', '39269090', 'IMP', '', 'M'];
  otherParts[430] = ['P-430', 'Peça 430', '87120010', 'IMP', '', 'M'];
  otherParts[440] = ['P-440', 'Porca', '87120010', 'IMP', 'Outra', 'M'];
  const { id, job } = await importRows(demo, [headings, ...otherParts], { simular: true });
  expect(job).toMatchObject({ newVersion: 450, failed: 0 });
  expect(await othersOf(id)).toEqual([7, 430, 440]);
  expect(await othersOf(id, '&limit=2')).toEqual([7, 430]);
  expect(await othersOf(id, '&after=7&limit=1')).toEqual([430]);
});

test('are those of operators with another name or country; a link has none', async () => {
  const operators = [
    ['Código', 'Nome', 'Cidade'],
    ['OPE_1', 'Outro', ''],
    ['OPE_2', '', 'Valparaíso'],
  ];
  const named = await importRows(demo, operators, { simular: true }, 'operador-estrangeiro');
  expect(named.job).toMatchObject({ newVersion: 2 });
  expect(await othersOf(named.id)).toEqual([0]);
  const links = await importRows(
    demo,
    [
      ['Código do produto', 'País'],
      ['1', 'JP'],
    ],
    {},
    'fabricante',
  );
  expect(await othersOf(links.id)).toEqual([]);
});
