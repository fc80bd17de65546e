/** The tab `Prazos` of `/corrigir`: future requirements, and the link to the products that lack them. */
import { expect, test } from 'bun:test';
import { type TestPair, product, tableFile } from '../../catalogue/attribute/support.ts';
import { nomenclatureFile } from '../../nomenclature/support.ts';
import { eventually } from '../../support/eventually.ts';
import { edit } from './forms.ts';
import { type Instance, expectGoodPage, inBrowser, settled } from './support.ts';

const RAIZ = '12345678';

inBrowser(
  'deadlines',
  ['dev', '--empty', '--ambiente', 'producao', '--clock', '2026-11-01T12:00:00Z'],
  (site) => {
    test('are listed with the number of products that lack a value, and link to them in the list', async () => {
      await fill(site);
      const { page, complaints } = await site.enter('demo', `/corrigir?cpfCnpjRaiz=${RAIZ}&aba=prazos`);
      await page.getByText('4 prazos', { exact: true }).waitFor();
      const row = page.getByRole('row').filter({ hasText: 'Inventado ATT_1 (ATT_1)' });
      await eventually(() => row.getByRole('gridcell').or(row.getByRole('cell')).allTextContents()).toEqual([
        ...['21/11/2026', 'Se a tabela pública confirmar', '7318.15.00', 'Parafusos', 'Importação'],
        ...['Inventado ATT_1 (ATT_1)', '3', '2'],
      ]);
      await settled(page);
      await expectGoodPage(page, 'A corrigir', 'corrigir-prazos');
      const [csv] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Baixar CSV' }).click(),
      ]);
      expect(csv.suggestedFilename()).toBe(`prazos-${RAIZ}.csv`);
      await row.getByRole('link', { name: '2' }).click();
      await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('lacks=ATT_1'));
      expect(new URL(page.url()).searchParams.get('lacksFor')).toBe('IMPORTACAO');
      await page.getByText('2 produtos').first().waitFor();
      expect(complaints).toEqual([]);
    });

    test('link to the products that only a future table makes invalid', async () => {
      const { page, complaints } = await site.enter('demo', `/corrigir?cpfCnpjRaiz=${RAIZ}&aba=prazos`);
      await page.getByText('A tabela 3 entra em vigor em 15/12/2026').waitFor();
      await page.getByRole('link', { name: 'ver o que ela deixaria inválido' }).click();
      await page.getByRole('heading', { name: 'O que muda com a tabela 3' }).waitFor();
      await eventually(() => page.getByLabel('Como seria em').inputValue()).toBe('15/12/2026');
      expect(complaints).toEqual([]);
    });

    test('are shown next to the field of a product and on its page, with a link to all that lack it', async () => {
      const { page, complaints } = await site.enter('demo', `/produtos/${RAIZ}/1`);
      const line = page.locator('dl.product-content > div').filter({ hasText: 'ATT_1' });
      await line.getByText('Obrigatório a partir de 21/11/2026, se a tabela pública confirmar.').waitFor();
      await settled(page);
      await expectGoodPage(page, 'Produto 1', 'prazos-produto');
      await edit(page, 'Nova versão');
      await page.getByLabel('Inventado ATT_1').waitFor();
      await page.getByText('Obrigatório a partir de 21/11/2026, se a tabela pública confirmar.').waitFor();
      // An attribute that becomes required later can already be filled in.
      await page.getByText('Obrigatório a partir de 01/12/2026.').waitFor();
      await page.getByLabel('Inventado ATT_2').fill('dois');
      // An attribute that only the next table requires can be filled in too.
      await page.getByText('Obrigatório a partir de 15/12/2026.').waitFor();
      await page.getByLabel('Inventado ATT_3').fill('três');
      await settled(page);
      await expectGoodPage(page, 'Produto 1', 'prazos-formulario');
      await page.getByRole('button', { name: 'Salvar', exact: true }).click();
      await page.getByText('Nova versão gravada.').waitFor();
      await page.getByText('três').first().waitFor();
      await line.getByRole('link', { name: 'Ver e preencher todos a que falta' }).click();
      await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('lacks=ATT_1'));
      await page.getByText('2 produtos').first().waitFor();
      await page.getByRole('button', { name: 'Marcar todos (2)' }).click();
      await page.getByRole('button', { name: 'Alterar vários' }).click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Inventado ATT_1' }).waitFor();
      expect(complaints).toEqual([]);
    });

    test('that a table did not confirm are listed first', async () => {
      const { page, complaints } = await site.enter('demo', `/corrigir?cpfCnpjRaiz=${RAIZ}&aba=prazos`);
      await page.getByText('A tabela em vigor não confirmou 1 prazo anunciado').waitFor();
      await page.getByRole('listitem').getByText('Inventado ATT_9').waitFor();
      await page.getByText('A própria NCM termina').waitFor();
      expect(complaints).toEqual([]);
    });

    test('of the next thirty days are shown on the panel, and link to the products', async () => {
      const { page, complaints } = await site.enter('demo', `/?cpfCnpjRaiz=${RAIZ}`);
      const card = page.getByRole('figure').filter({ hasText: 'O que vai ser exigido e ainda falta' });
      await card.waitFor();
      await page.getByRole('heading', { name: 'Próximos 30 dias' }).waitFor();
      await page.getByText('3 produtos não têm o que vai ser exigido em até 30 dias').waitFor();
      await settled(page);
      await expectGoodPage(page, 'Painel', 'prazos-painel');
      await page.getByRole('link', { name: 'Ver os prazos' }).click();
      await page.getByText('4 prazos', { exact: true }).waitFor();
      expect(complaints).toEqual([]);
    });
  },
);

/**
 * Creates three screws. Two lack an attribute that becomes required within 30 days; their NCM ends with the
 * year.
 */
async function fill(site: Instance): Promise<void> {
  const send = async (user: 'demo' | 'admin', path: string, body: unknown): Promise<{ id: number }> => {
    const answer = await site.call(user, 'POST', path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, text]);
    return JSON.parse(text) as { id: number };
  };
  const inForce = async (versao: string, pairs: readonly TestPair[], on?: string): Promise<void> => {
    const file = tableFile(versao, { '7318.15.00': pairs });
    const { id } = await send('admin', '/appliance/api/attribute-tables', file);
    await send('admin', `/appliance/api/attribute-tables/${id}/activate`, { on });
  };
  const announcement = { codigo: 'ATT_1', obrigatorio: false, to: '2026-11-20' };
  const ending = { codigo: 'ATT_9', obrigatorio: false };
  await inForce('1', [announcement, { ...ending, to: '2026-11-10' }]);
  await inForce('2', [announcement, { codigo: 'ATT_2', from: '2026-12-01' }, ending]);
  const optional = { codigo: 'ATT_1', obrigatorio: false };
  await inForce('3', [optional, { codigo: 'ATT_2' }, { codigo: 'ATT_3' }, ending], '2026-12-15');
  const ends = nomenclatureFile([['7318.15.00', 'Parafusos', '01/04/2022', '31/12/2026']]);
  await send('admin', '/appliance/api/nomenclature', ends);
  for (const codes of [[], [], ['ATT_1']])
    await send('demo', `/catp/api/ext/produto/${RAIZ}`, product('73181500', ...codes));
}
