/**
 * The queue `Produtos a corrigir`: a group is selected and filled in by keyboard, with separate values per
 * product; a sheet is exported and imported again.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { expectCount, expectFocus, expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

const QUEUE = '/corrigir?cpfCnpjRaiz=12345678';
const RIM = 'Aro (pol)';
const SECOND = JSON.parse(
  readFileSync(join(import.meta.dir, '../../../src/demo/attribute-table-2.json'), 'utf8'),
);
const BICYCLE = '87120010';
const RIMS = `${QUEUE}&reason=CATP-ER1101&member=atributo:ATT_90060&ncm=${BICYCLE}`;
const CREATED = 5;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const grid = (page: Page) => page.getByRole('grid', { name: 'Produtos a corrigir' });

/**
 * Number of products that the activated table refuses: a bicycle of the demonstration, and those created
 * here.
 */
const ALL = CREATED + 1;

inBrowser('the products to correct', ['dev'], (site) => {
  beforeAll(async () => {
    const list = await site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=12345678&ncm=${BICYCLE}`);
    const [
      { seq: _seq, codigo: _codigo, versao: _versao, situacao: _situacao, cpfCnpjRaiz: _raiz, ...like },
    ] = await list.json();
    for (let count = 1; count <= CREATED; count += 1) {
      const body = { ...like, denominacao: `Bicicleta da fila ${count}`, codigosInterno: [`FILA-${count}`] };
      expect((await site.call('demo', 'POST', '/catp/api/ext/produto/12345678', body)).status).toBe(200);
    }
    const { id } = await (await site.call('admin', 'POST', '/appliance/api/attribute-tables', SECOND)).json();
    await (await site.call('admin', 'POST', `/appliance/api/attribute-tables/${id}/activate`, {})).text();
  });

  test('a group is marked with Shift, filled in row by row, checked, imported, and leaves the queue', async () => {
    const { page, complaints } = await site.enter('demo', QUEUE);
    await page.getByRole('heading', { name: `${RIM} · ${ALL} produtos` }).waitFor();
    await tabTo(page, `Corrigir ${RIM} dos da NCM 8712.00.10`);
    await page.keyboard.press('Enter');
    await grid(page).waitFor();
    await grid(page).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 escolhidos').waitFor();
    await tabTo(page, 'Cada um o seu');
    await page.keyboard.press('Enter');
    const cells = page.getByRole('textbox', {
      name: new RegExp(`^${RIM.replace(/[()]/g, '\\$&')}, produto`),
    });
    await expectCount(cells, 2);
    await expectFocus(page, `${RIM}, produto 6`);
    await page.keyboard.type('99');
    await page.keyboard.press('Enter');
    // An invalid value is marked in its cell; the code or the words are sufficient for a valid value.
    await cells.first().and(page.locator('[aria-invalid=true]')).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('26');
    await page.keyboard.press('ArrowDown');
    await eventually(() => cells.first().inputValue()).toBe('26 - 26 polegadas');
    await cells.first().and(page.locator(':not([aria-invalid])')).waitFor();
    await page.keyboard.type('29 pol');
    await settled(page);
    await expectGoodPage(page, 'A corrigir', 'corrigir-cada-um');
    // Enter in the last row presses the button.
    await cells.last().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Bicicleta da fila 1' }).getByText('nada → 29').waitFor();
    await button(page, 'Importar').click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.goto(site.url + QUEUE);
    await page.getByRole('heading', { name: `${RIM} · ${ALL - 2} produtos` }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a column of a spreadsheet is pasted, the other rows take the first value, and Escape discards the changes', async () => {
    const { page } = await site.enter('demo', RIMS);
    await button(page, 'Cada um o seu').click();
    const cells = page.getByRole('dialog').getByRole('textbox');
    await expectCount(cells, ALL - 2);
    await cells.nth(1).evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, '20\n29\n');
    const beginnings = () =>
      cells.evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value.slice(0, 2)));
    await eventually(beginnings).toEqual(['', '20', '29', '']);
    await cells.first().fill('26');
    await button(page, 'Preencher em todas').click();
    await eventually(beginnings).toEqual(['26', '20', '29', '26']);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, 'Cada um o seu');
    await page.context().close();
  });

  test('the exported sheet of a group is imported without a change', async () => {
    const { page } = await site.enter('demo', RIMS);
    const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar XLSX').click()]);
    const path = join(site.folder, 'de-volta.xlsx');
    await sheet.saveAs(path);
    await page.goto(`${site.url}/importar?cpfCnpjRaiz=12345678`);
    await page.setInputFiles('input[type=file]', path);
    await page.getByRole('combobox', { name: `${RIM} (ATT_90060)` }).waitFor();
    await button(page, 'Conferir sem gravar').click();
    await expectCount(page.getByRole('row').filter({ hasText: 'Sem mudança' }), ALL - 2);
    await page.context().close();
  });

  test('an attribute that a future table lacks is removed before the table is in force', async () => {
    const box = { denominacao: 'Caixa da fila', modalidade: 'IMPORTACAO', ncm: '39269090' };
    const atributos = [{ atributo: 'ATT_90032', valor: 'X-1' }];
    await site.call('demo', 'POST', '/catp/api/ext/produto/12345678', { ...box, atributos });
    const without = (pairs: { codigo: string }[]) => pairs.filter(({ codigo }) => codigo !== 'ATT_90032');
    const third = {
      ...SECOND,
      versao: '3',
      listaNcm: SECOND.listaNcm.map((ncm: { codigoNcm: string; listaAtributos: { codigo: string }[] }) =>
        ncm.codigoNcm === '3926.90.90' ? { ...ncm, listaAtributos: without(ncm.listaAtributos) } : ncm,
      ),
    };
    await site.call('admin', 'POST', '/appliance/api/attribute-tables', third);
    const { page, complaints } = await site.enter('demo', QUEUE);
    await page.getByLabel('Quais').selectOption({ label: 'Inválidos na tabela 3' });
    await page.getByRole('link', { name: 'Corrigir Modelo dos da NCM 3926.90.90' }).click();
    await grid(page).getByText('Caixa da fila').waitFor();
    await expectCount(button(page, 'Um valor para todos'), 0);
    await button(page, 'Retirar o atributo').click();
    await page.getByRole('row').filter({ hasText: 'Caixa da fila' }).getByText('X-1 → nada').waitFor();
    await button(page, 'Gravar').click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.goto(site.url + QUEUE);
    await page.getByLabel('Quais').selectOption({ label: 'Inválidos na tabela 3' });
    await page.getByText('Nenhum produto desta empresa deixaria de ser válido.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a complete product is activated at once', async () => {
    const fourth = {
      ...SECOND,
      versao: '4',
      listaNcm: SECOND.listaNcm.map((ncm: { listaAtributos: { codigo: string }[] }) => ({
        ...ncm,
        listaAtributos: ncm.listaAtributos.map((pair) =>
          pair.codigo === 'ATT_90060' ? { ...pair, obrigatorio: false } : pair,
        ),
      })),
    };
    const { id } = await (await site.call('admin', 'POST', '/appliance/api/attribute-tables', fourth)).json();
    await (await site.call('admin', 'POST', `/appliance/api/attribute-tables/${id}/activate`, {})).text();
    const { page, complaints } = await site.enter('demo', QUEUE);
    await page
      .getByText(`${ALL - 2} produtos não têm mais nada que falte e podem ser ativados como estão.`)
      .waitFor();
    await expectGoodPage(page, 'A corrigir', 'corrigir-prontos');
    await button(page, 'Ativar os que estão prontos').click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Bicicleta da fila 3' })
      .getByText('DESATIVADO → ATIVADO')
      .waitFor();
    await button(page, 'Gravar').click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.goto(site.url + QUEUE);
    await page.getByRole('heading', { name: '1 produto a corrigir' }).waitFor();
    await expectCount(button(page, 'Ativar os que estão prontos'), 0);
    // The page of a group that is empty now links to all groups.
    await page.goto(`${site.url}${RIMS}`);
    await page.getByText('Nenhum produto tem mais este motivo.').waitFor();
    await button(page, 'Todos os motivos').click();
    await page.getByRole('heading', { name: '1 produto a corrigir' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
