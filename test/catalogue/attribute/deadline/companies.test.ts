/** Deadlines over all companies of a caller: each with the companies that it concerns (contract section 25). */
import { expect, test } from 'bun:test';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { ANNOUNCING, PATH, SCREW, deadlinesForEachTest } from './support.ts';

const it = deadlinesForEachTest();
const { put, get, deadlines } = it;

test('names the companies with affected products, except when one company is requested', async () => {
  await put(tableFile('1', ANNOUNCING));
  await include(it.demo, product(SCREW));
  await include(it.demo, product(SCREW, 'ATT_1'));
  await it.demo.call('POST', '/catp/api/ext/produto/87654321', product(SCREW));
  const own = [
    { cpfCnpjRaiz: COMPANY, nome: 'Exemplo Importadora S.A.', products: 2, missing: 1 },
    { cpfCnpjRaiz: '87654321', nome: 'Modelo Comércio Exterior Ltda.', products: 1, missing: 1 },
  ];
  expect(await deadlines()).toMatchObject([{ products: 3, missing: 2, companies: own }]);
  expect((await deadlines(`cpfCnpjRaiz=${COMPANY}`))[0]).not.toHaveProperty('companies');
  const csv = (await it.demo.call('GET', `${PATH}.csv?columns=empresa,missing`)).text.trim().split('\r\n');
  expect(csv).toEqual([
    'Empresa;Sem valor',
    'Exemplo Importadora S.A.;1',
    'Modelo Comércio Exterior Ltda.;1',
  ]);
  // The numbers of all, and the companies that the administrator represents: none.
  expect((await get(await it.server.as('admin'))).items).toMatchObject([{ products: 3, companies: [] }]);
  expect((await get(await it.server.as('publico'))).items).toMatchObject([{ products: 3, companies: own }]);
});
