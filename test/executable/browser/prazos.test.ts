/** The tab `Prazos` of `/atributos`: what will be asked, and the way to those products that lack it. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { product, tableFile } from '../../catalogue/attribute/support.ts';
import { type Instance, STORY_MS, expectGoodPage, inBrowser, settled } from './support.ts';

setDefaultTimeout(STORY_MS);

const RAIZ = '12345678';

inBrowser(
  'deadlines',
  ['dev', '--empty', '--ambiente', 'producao', '--clock', '2026-11-01T12:00:00Z'],
  (it) => {
    test('are told with how many lack a value, taken along, and lead to these in the list', async () => {
      await fill(it);
      const { page, complaints } = await it.enter('demo', `/atributos?cpfCnpjRaiz=${RAIZ}&aba=prazos`);
      await page.getByText('1 prazo', { exact: true }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Inventado ATT_1 (ATT_1)' });
      expect(await row.getByRole('gridcell').or(row.getByRole('cell')).allTextContents()).toEqual([
        ...['21/11/2026', 'Se a tabela pública confirmar', '7318.15.00', 'Inventado ATT_1 (ATT_1)', '3', '2'],
      ]);
      await settled(page);
      await expectGoodPage(page, 'Atributos', 'atributos-prazos');
      const [csv] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Baixar CSV' }).click(),
      ]);
      expect(csv.suggestedFilename()).toBe(`prazos-${RAIZ}.csv`);
      await row.getByRole('link', { name: '2' }).click();
      await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('lacks=ATT_1'));
      await page.getByText('2 produtos').first().waitFor();
      expect(complaints).toEqual([]);
    });

    test('of the next thirty days stand on the panel, and lead to the products', async () => {
      const { page, complaints } = await it.enter('demo', `/?cpfCnpjRaiz=${RAIZ}`);
      const card = page.getByRole('figure').filter({ hasText: 'O que vai ser exigido e ainda falta' });
      await card.waitFor();
      await page.getByRole('heading', { name: 'Próximos 30 dias' }).waitFor();
      await settled(page);
      await expectGoodPage(page, 'Painel', 'prazos-painel');
      await page.getByRole('link', { name: 'Ver os prazos' }).click();
      await page.getByText('1 prazo', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
    });
  },
);

/** Three screws, two of which lack what is optional up to a day within thirty. */
async function fill(it: Instance): Promise<void> {
  const done = async (user: 'demo' | 'admin', path: string, body: unknown): Promise<{ id: number }> => {
    const answer = await it.call(user, 'POST', path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, text]);
    return JSON.parse(text) as { id: number };
  };
  const pair = { codigo: 'ATT_1', obrigatorio: false, to: '2026-11-20' };
  const { id } = await done(
    'admin',
    '/appliance/api/attribute-tables',
    tableFile('1', { '7318.15.00': [pair] }),
  );
  await done('admin', `/appliance/api/attribute-tables/${id}/activate`, {});
  for (const codes of [[], [], ['ATT_1']])
    await done('demo', `/catp/api/ext/produto/${RAIZ}`, product('73181500', ...codes));
}
