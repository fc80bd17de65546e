/**
 * The focus is never lost: after the focused element was removed, the keyboard continues in its page or
 * dialog.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { inBrowser } from './support.ts';

/** Presses a button as the keyboard does. */
async function pressKey(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: typeof name === 'string' }).focus();
  await page.keyboard.press('Enter');
}

const holder = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement?.tagName ?? ''));

inBrowser('the focus', ['dev'], (site) => {
  test('moves to the page when the pressed button is removed', async () => {
    const { page } = await site.enter('demo', '/produtos/12345678/7');
    await pressKey(page, 'Desativar');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Produto desativado.').waitFor();
    await page.getByRole('button', { name: 'Desativar' }).waitFor({ state: 'detached' });
    await eventually(() => holder(page)).toBe('main');

    await page.goto(`${site.url}/produtos/12345678/1?dataReferencia=2000-01-01`);
    await page.getByText('ainda não estava no catálogo').waitFor();
    await page.goto(`${site.url}/produtos?cpfCnpjRaiz=12345678&denominacao=zzz`);
    await page.getByText('Nenhum produto com esses filtros.').waitFor();
    await pressKey(page, 'Limpar filtros');
    await page.getByText('8 produtos').waitFor();
    await eventually(() => holder(page)).toBe('main');

    await page.getByLabel('Escolher o produto 1', { exact: true }).check();
    await pressKey(page, 'Desmarcar');
    await page.getByRole('button', { name: 'Desmarcar' }).waitFor({ state: 'detached' });
    await eventually(() => holder(page)).toBe('main');
    await page.context().close();
  });

  test('stays on its element when another part of the page is removed', async () => {
    const { page } = await site.enter('demo', '/importar');
    const operator = { seq: 1, cpfCnpjRaiz: '12345678', nome: 'A', nomeCidade: 'B', logradouro: 'C' };
    await page.locator('main input[type=file]').setInputFiles({
      name: 'o.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify([operator])),
    });
    await page.getByText('parece um arquivo de operadores').waitFor();
    await page.getByRole('radio', { name: 'Operadores estrangeiros' }).check();
    await page.getByText('parece um arquivo de operadores').waitFor({ state: 'detached' });
    const value = await page.evaluate(() => (document.activeElement as HTMLInputElement).value);
    expect(value).toBe('operador-estrangeiro');
    await page.context().close();
  });
});
