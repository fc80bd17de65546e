/**
 * An analyst's hour: an irregular sheet of three thousand rows is imported and corrected, forty rows are
 * changed, and the list is exported and imported unchanged.
 */
import { expect, test } from 'bun:test';
import { csv } from '../../catalogue/sheet/support.ts';
import { addFilter } from './forms.ts';
import { inBrowser } from './support.ts';

const ROWS = 3000;
const SPECIAL = 40;

/**
 * A sheet as an ERP writes it: its own headings, an empty column, NCMs with and without points, some
 * truncated.
 */
const SHEET = [
  ['Cód. Material', 'Texto breve material', 'NCM', 'Operação', 'Obs.'],
  ...Array.from({ length: ROWS }, (_, index) => [
    `MAT${String(index + 1).padStart(5, '0')}`,
    `${index < SPECIAL ? 'Parafuso especial' : 'Parafuso'} ${index + 1}`,
    index % 300 === 7 ? '7318' : index % 2 === 0 ? '73181500' : '7318.15.00',
    index % 3 === 0 ? 'Importação' : 'importacao',
    '',
  ]),
];

inBrowser('an analyst', ['dev', '--empty'], (site) => {
  test('imports a sheet, corrects it, changes forty products, and imports the exported list unchanged', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const choose = (name: string, buffer: Buffer): Promise<void> =>
      page.locator('main input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await choose('materiais.csv', Buffer.from(csv(SHEET)));
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('2.990 seriam incluídos, 10 com erro.').waitFor();
    await page.getByText('nada foi gravado').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.getByLabel('Em vez de “7318” (10)').fill('7318.15.00');
    await page.getByRole('button', { name: 'Importar as linhas corrigidas' }).click();
    await page.getByText('10 incluídos.').waitFor();

    await page.goto(`${site.url}/produtos?cpfCnpjRaiz=12345678`);
    await page.getByText('3.000 produtos').waitFor();
    await addFilter(page, 'NCM');
    await page.getByLabel('NCM').fill('7318.15.00');
    await page.getByLabel('Palavras').fill('parafuso especial');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('40 produtos').waitFor();
    await page.getByRole('button', { name: 'Marcar todos (40)' }).click();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Todos os que o filtro encontra (40)').waitFor();
    await dialog.getByLabel('Campo').fill('Descrição');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Descrição', { exact: true }).fill('De aço inoxidável.');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('Descrição: nada → De aço inoxidável.').first().waitFor();
    await page.getByRole('button', { name: 'Gravar' }).click();
    await page.getByText('40 novas versões.').waitFor();

    await page.goto(`${site.url}/produtos?cpfCnpjRaiz=12345678`);
    await page.getByText('3.000 produtos').waitFor();
    expect(await page.getByLabel('Completo, para voltar').isChecked()).toBe(true);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar XLSX' }).click(),
    ]);
    const list = Buffer.from(await Bun.file(await file.path()).bytes());
    await page.goto(`${site.url}/importar`);
    await choose(file.suggestedFilename(), list);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('3.000 ficariam como estão.').waitFor();
    await page.locator('.tally > div').filter({ hasText: 'Inalterados' }).getByText('3.000').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
