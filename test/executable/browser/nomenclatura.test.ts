/** Descriptions of every NCM: loaded by an administrator, searched in fields, shown next to an NCM. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { nomenclatureFile } from '../../nomenclature/support.ts';
import { addFilter, describedBy } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser } from './support.ts';

const RAIZ = '12345678';
const CYCLES = 'Bicicletas e outros ciclos (incluídos os triciclos), sem motor';
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const file = (content: object) => ({
  name: 'Tabela_NCM.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(content)),
});

inBrowser('descriptions of an NCM', ['dev'], (site) => {
  test('the NCM field of a product finds an NCM by its description, and shows the description below', async () => {
    const { page, complaints } = await site.enter('demo', `/produtos/novo?cpfCnpjRaiz=${RAIZ}`);
    await page.getByLabel('NCM').fill('bicicleta');
    const option = page.getByRole('option', { name: '8712.00.10' });
    await option.getByText(`${CYCLES} › Bicicletas`).waitFor();
    await option.click();
    await eventually(() => page.getByLabel('NCM').inputValue()).toBe('87120010');
    await eventually(() => describedBy(page, 'NCM')).toContain(`${CYCLES} › Bicicletas`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('lists show the description on hover, pages show it next to the code, and the search opens the requirements of the NCM', async () => {
    const { page, complaints } = await site.enter('demo', `/produtos?cpfCnpjRaiz=${RAIZ}&ncm=87120010`);
    const fullText = `Veículos terrestres, suas partes e acessórios › ${CYCLES} › Bicicletas`;
    await page.getByTitle(fullText).getByText('8712.00.10').waitFor();
    await row(page, '8712.00.10').getByRole('link').first().click();
    await page.getByText(`${CYCLES} › Bicicletas`).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).fill('telefones intelig');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: 'Telefones inteligentes (smartphones)' })
      .click();
    await page.getByRole('heading', { name: 'O que pede 8517.13.00' }).waitFor();
    await page.getByText('Aparelhos telefônicos › Telefones inteligentes (smartphones)').waitFor();

    await page.getByLabel('NCM', { exact: true }).fill('ciclos');
    await page.keyboard.press('Enter');
    await row(page, '8712.00.10').getByText(`${CYCLES} › Bicicletas`).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the filter of the list finds by words, and accepts the first digits of a code', async () => {
    const { page, complaints } = await site.enter('demo', `/produtos?cpfCnpjRaiz=${RAIZ}`);
    await addFilter(page, 'NCM');
    const field = page.getByLabel('NCM', { exact: true });
    await field.fill('bicicleta');
    await page.getByRole('option', { name: '8712.00.10' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('ncm') === '87120010');
    await field.fill('8712');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('ncm') === '8712');
    await row(page, '8712.00.10').first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('another nomenclature is loaded; an NCM with an end date causes a notice on its products, not a refusal', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao?aba=nomenclatura');
    await page.getByText('10 NCMs, em 38 linhas').waitFor();
    await page.setInputFiles('input[type=file]', file({ Nomenclaturas: [{ Codigo: 'x' }] }));
    await page.getByRole('button', { name: 'Carregar', exact: true }).click();
    await page.getByRole('alert').getByText('/Nomenclaturas/0/Codigo').first().waitFor();
    await page.setInputFiles(
      'input[type=file]',
      file(nomenclatureFile([['8712.00.10', 'Ciclos de duas rodas', '01/04/2022', '31/12/2025']])),
    );
    await page.getByRole('button', { name: 'Carregar', exact: true }).click();
    await page.getByText('1 NCM, em 1 linha').waitFor();
    await page.getByText('Vigente em 15/01/2026 · Resolução inventada nº 1/2026').waitFor();
    await expectGoodPage(page, 'Administração', 'administracao-nomenclatura');
    await page.context().close();
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);

    const { page: productPage } = await site.enter('demo', `/produtos/novo?cpfCnpjRaiz=${RAIZ}`);
    await productPage.getByLabel('Denominação').fill('Bicicleta de carga');
    await productPage.getByLabel('NCM').fill('87120010');
    await eventually(() => describedBy(productPage, 'NCM')).toMatch(
      /Ciclos de duas rodas.*só vale até 31\/12\/2025/s,
    );
    await productPage.getByRole('button', { name: 'Salvar rascunho' }).click();
    await productPage.waitForURL(/\/produtos\/12345678\/\d+/);
    await productPage.getByText('a NCM 8712.00.10 só vale até 31/12/2025').waitFor();
    await productPage.context().close();
  });
});

inBrowser('descriptions of an NCM without a table of attributes', ['dev', '--empty'], (site) => {
  test('the NCM field of a product finds an NCM by its description', async () => {
    const loaded = await site.call(
      ...(['admin', 'POST', '/appliance/api/nomenclature'] as const),
      nomenclatureFile([['8712.00.10', 'Bicicletas', '01/04/2022', '31/12/9999']]),
    );
    expect(loaded.status).toBe(200);
    const { page, complaints } = await site.enter('demo', `/produtos/novo?cpfCnpjRaiz=${RAIZ}`);
    await page.getByLabel('NCM').fill('bicicleta');
    await page.getByRole('option', { name: '8712.00.10' }).click();
    await eventually(() => page.getByLabel('NCM').inputValue()).toBe('87120010');
    await eventually(() => describedBy(page, 'NCM')).toContain('Bicicletas');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
