/**
 * A broker's morning with five companies: the open problems of each, one of them fixed, and no data of one
 * company shown in another.
 */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { chooseCompany } from './forms.ts';
import { expectCount, inBrowser, settled } from './support.ts';

const DEMO = '00000000191';
const MORE = ['Alfa Bebidas Ltda.', 'Beta Ferragens S.A.', 'Gama Café Ltda.'].map((nome, index) => ({
  cpfCnpjRaiz: `4554391${index}`,
  nome,
}));

inBrowser('a broker', ['dev', '--empty'], (site) => {
  test('finds the company with an open problem, fixes it on its page, and stays in the chosen company', async () => {
    for (const company of MORE) {
      await site.call('admin', 'POST', '/appliance/api/companies', company);
      const { cpfCnpjRaiz } = company;
      await site.call('admin', 'POST', '/appliance/api/representations', {
        documento: DEMO,
        cpfCnpjRaiz,
        perfil: 'IMPEXP',
      });
      await site.call('demo', 'POST', '/appliance/api/products/drafts', {
        cpfCnpjRaiz,
        denominacao: `Parafuso da ${company.nome}`,
        ncm: '73181500',
      });
    }
    const { page, complaints } = await site.enter('demo', '/');
    await settled(page);
    const all = page.locator('section', { hasText: 'Todas as minhas empresas' }).last();
    // The panel lists three drafts, and the missing table once for all companies.
    await expectCount(all.locator('.panel-attention > li'), 4);
    await eventually(() => all.innerText()).toContain('45.543.911');
    await all
      .getByRole('listitem')
      .filter({ hasText: 'Beta Ferragens' })
      .filter({ hasText: '1 rascunho por terminar' })
      .getByRole('link', { name: 'Ver rascunhos' })
      .click();
    await page.waitForURL((url) => url.searchParams.get('cpfCnpjRaiz') === '45543911');
    await page.getByText('1 produto', { exact: true }).waitFor();
    await eventually(() => page.getByRole('grid').innerText()).not.toContain('Alfa');
    await page.getByRole('link', { name: 'Parafuso da Beta Ferragens S.A.' }).click();
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    // The draft lacks its modality, so the form opens with the fault.
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.locator('.badge', { hasText: 'Ativado' }).first().waitFor();

    // The search finds records of every company, with or without separators, and names the company.
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByLabel('Buscar', { exact: true });
    await search.fill('7318.15');
    await page.getByRole('dialog').getByText('3 produtos.').waitFor();
    await search.fill('Alfa');
    await page.getByRole('dialog').getByRole('link', { name: 'Parafuso da Alfa Bebidas Ltda.' }).waitFor();
    await page.keyboard.press('Escape');

    await chooseCompany(page, '45543912');
    await page.waitForURL((url) => url.searchParams.get('cpfCnpjRaiz') === '45543912');
    await page.getByRole('link', { name: 'Painel' }).click();
    await page.getByText('1 rascunho por terminar').waitFor();
    await eventually(() => page.getByText('Nenhuma tabela de atributos').count()).toBe(1);
    await eventually(() => page.title()).toContain('Gama Café Ltda.');
    // The fixed company is no longer listed.
    await page.getByRole('link', { name: 'catp' }).click();
    await expectCount(all.locator('.panel-attention > li'), 3);
    await eventually(() => all.locator('.panel-attention').innerText()).not.toContain('Beta');
    // The browser also logs each refusal of the server to its console.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await page.context().close();
  });
});
