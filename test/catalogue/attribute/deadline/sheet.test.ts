/** The sheet of products that lack a future requirement (contract section 19): with the column to fill in. */
import { expect, test } from 'bun:test';
import { importRows } from '../../sheet/support.ts';
import { COMPANY, include, product, tableFile } from '../support.ts';
import { PATH, SCREW, deadlinesForEachTest } from './support.ts';

const fixture = deadlinesForEachTest();
const table = async (path: string): Promise<string[]> =>
  (await fixture.demo.call('GET', path)).text.trim().split('\r\n');

test('has an empty column whose name is recognised when the sheet is imported', async () => {
  const pairs = ['ATT_1', 'ATT_2'].map((codigo) => ({ codigo, obrigatorio: false, to: '2026-02-28' }));
  await fixture.put(tableFile('1', { '7318.15.00': pairs }));
  await include(fixture.demo, product(SCREW, 'ATT_1'));
  const sheet = await table(`${PATH}/products.csv?cpfCnpjRaiz=${COMPANY}&on=2026-03-01&codigo=ATT_2`);
  expect(sheet[0]).toEndWith(';Inventado ATT_2 (ATT_2);Inventado ATT_1 (ATT_1)');
  expect(sheet.slice(1)).toEqual([expect.stringMatching(/;;x$/)]);
  expect((await table(`/appliance/api/products.csv?cpfCnpjRaiz=${COMPANY}&lacks=ATT_2`))[0]).toBe(sheet[0]);
  const filled = [sheet[0], sheet[1]?.replace(/;;x$/, ';M6;x')].join('\r\n');
  const { rows } = await importRows(fixture.demo, new TextEncoder().encode(filled));
  expect(rows).toMatchObject([{ changes: [{ member: 'atributo:ATT_2', before: null, after: 'M6' }] }]);
});
