/**
 * The list of products as a sheet: cells edited in place, one value for each selected product, columns of
 * attributes, and saved filters. Nothing is written before its dry run.
 */
import type { Page } from 'playwright-core';
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { addFilter } from './forms.ts';
import { expectFocus, expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

const RAIZ = '12345678';
const LIST = `/produtos?cpfCnpjRaiz=${RAIZ}`;

inBrowser('the list as a sheet', ['dev'], (site) => {
  const names = async (): Promise<readonly string[]> => {
    const answer = await site.call('demo', 'GET', `/appliance/api/products?cpfCnpjRaiz=${RAIZ}&order=codigo`);
    const { items } = (await answer.json()) as { items: readonly { denominacao: string }[] };
    return items.map(({ denominacao }) => denominacao);
  };
  /** Pastes into the focused field, as from a spreadsheet. */
  const paste = (page: Page, text: string): Promise<unknown> =>
    page.evaluate((clipboardText) => {
      const event = new ClipboardEvent('paste', {
        clipboardData: new DataTransfer(),
        bubbles: true,
        cancelable: true,
      });
      event.clipboardData?.setData('text/plain', clipboardText);
      document.activeElement?.dispatchEvent(event);
    }, text);

  test('cells are changed by keyboard, a pasted column fills the rows below, and only the import writes', async () => {
    const before = await names();
    const { page, complaints } = await site.enter('demo', `${LIST}&situacao=0`);
    await tabTo(page, 'Editar na lista');
    await page.keyboard.press('Enter');
    await page.getByLabel('Denominação, produto 1').waitFor();
    await tabTo(page, 'Denominação, produto 1');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Café jk');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'Denominação, produto 2');
    await page.keyboard.type('de volta');
    await page.keyboard.press('Escape');
    await eventually(() => page.getByLabel('Denominação, produto 2').inputValue()).toBe(before[1] ?? '');
    await page.getByText('1 célula alterada em 1 produto; nada foi gravado.').waitFor();
    await paste(page, 'Segundo\r\nTerceiro\r\n');
    await page.getByText('3 células alteradas em 3 produtos').waitFor();
    await page.getByLabel('Modalidade, produto 1').fill('compra');
    await eventually(() => page.getByLabel('Modalidade, produto 1').getAttribute('aria-invalid')).toBe(
      'true',
    );
    await page.keyboard.press('Escape');
    await page.getByText('3 células alteradas em 3 produtos').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos-celulas');
    // The tab keeps the changes, also after a reload.
    await page.reload();
    await page.getByText('3 células alteradas em 3 produtos').waitFor();
    expect(await names()).toEqual([...before]);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('alterar.csv: 3 teriam nova versão.').waitFor();
    expect(await names()).toEqual([...before]);
    await page.getByRole('button', { name: 'Deixar de fora a linha 4' }).click();
    await page.getByText('1 linha fica de fora.').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('alterar.csv: 2 novas versões.').waitFor();
    expect(await names()).toEqual(['Café jk', 'Segundo', ...before.slice(2)]);
    // The link back leads to the list with its filter.
    await page.getByRole('link', { name: 'Voltar para onde estava' }).click();
    await page.getByText('Segundo').waitFor();
    expect(new URL(page.url()).searchParams.get('situacao')).toBe('0');
    expect(await page.getByLabel('Denominação, produto 1').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the way back from a dry run leads to the same row, with the focus in the list', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await settled(page);
    await page.setViewportSize({ width: 1280, height: 420 });
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Space');
    await page.getByText('1 escolhido').waitFor();
    const row = page.locator('tr.active');
    const content = await row.textContent();
    const top = () => page.evaluate(() => document.querySelector('.virtual')?.scrollTop);
    const before = await top();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Campo').fill('Descrição');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Descrição', { exact: true }).fill('De aço inoxidável.');
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.waitForURL(/\/importar\/\d+/);
    await page.getByRole('link', { name: 'Voltar para onde estava' }).click();
    await page.locator('table.table:focus').waitFor();
    await eventually(() => row.textContent()).toBe(content);
    await eventually(top).toBe(before);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an emptied cell removes the value of the product, and an attribute keeps its column', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await page.getByRole('button', { name: 'Colunas' }).click();
    const dialog = page.getByRole('dialog');
    // Without a filter by NCM the dialog offers the attributes of the listed products.
    await dialog.getByLabel('Ano da safra').check();
    await dialog.getByLabel('Embalagem: Material').check();
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    await page.getByRole('columnheader', { name: 'Embalagem: Material' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Ano da safra' }).waitFor();
    await page.getByRole('button', { name: 'Editar na lista' }).click();
    const year = page.getByLabel('Ano da safra, produto 4');
    const formerYear = await year.inputValue();
    expect(formerYear).toMatch(/^\d{4}$/);
    await year.fill('');
    await page.getByText('1 célula alterada em 1 produto').waitFor();
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText(`Ano da safra: ${formerYear} → nada`).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the key j and the skip link reach the list from any element', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await page.getByText('8 produtos').waitFor();
    const role = () => page.evaluate(() => document.activeElement?.getAttribute('role'));
    await page.keyboard.press('j');
    await eventually(role).toBe('grid');
    await page.reload();
    await page.getByText('8 produtos').waitFor();
    await tabTo(page, 'Ir para o conteúdo');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Ir para a lista', 8);
    await page.keyboard.press('Enter');
    await eventually(role).toBe('grid');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('each selected product gets a value, in fields that are chosen first', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await page.getByLabel('Escolher o produto 6', { exact: true }).check();
    await page.getByLabel('Escolher o produto 7', { exact: true }).check();
    await page.getByRole('button', { name: 'Cada um o seu' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 produtos. O que preencher em cada um?').waitFor();
    await dialog.getByLabel('Modelo').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos-cada-campos');
    await dialog.getByLabel('Descrição', { exact: true }).check();
    await dialog.getByLabel('Modelo').check();
    await dialog.getByRole('button', { name: 'Preencher' }).click();
    await dialog.getByLabel('Modelo, produto 6').fill('M6');
    await dialog.getByLabel('Descrição, produto 7').fill('Sétimo');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('alterar.csv: 2 teriam nova versão.').waitFor();
    await page.getByText('→ M6').waitFor();
    await page.getByText('→ Sétimo').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a filter is saved under a name, listed after a reload, and deleted', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await addFilter(page, 'NCM');
    await page.getByLabel('NCM', { exact: true }).fill('2204');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('2 produtos').waitFor();
    await page.getByRole('button', { name: 'Guardar filtro' }).click();
    await page.getByLabel('Nome do filtro').fill('Vinhos');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Esquecer “Vinhos”' }).waitFor();
    await page.goto(`${site.url}${LIST}&text=bicicleta`);
    await page.getByText('1 produto', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Filtros guardados' }).click();
    await page.getByRole('button', { name: 'Vinhos', exact: true }).click();
    // The saved filter replaces the current one.
    await page.getByText('2 produtos').waitFor();
    expect(new URL(page.url()).searchParams.get('text')).toBeNull();
    await settled(page);
    await expectGoodPage(page, 'Produtos', 'produtos-filtros');
    await page.getByRole('button', { name: 'Esquecer “Vinhos”' }).click();
    await page.getByRole('button', { name: 'Filtros guardados' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
