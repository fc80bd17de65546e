/**
 * Keyboard only, from sign-in to sign-out: a product is created, found, read and changed, and its list is
 * navigated.
 */
import { expect, test } from 'bun:test';
import { tabToField } from './forms.ts';
import { expectFocus, inBrowser, settled, tabTo } from './support.ts';

inBrowser('the keyboard alone', ['dev'], (site) => {
  test('signs in, creates a product, finds it, adds a version, navigates the list and signs out', async () => {
    const { page, complaints } = await site.open('/entrar');
    await settled(page);
    const { keyboard } = page;
    await tabToField(page, 'Client-Id');
    await keyboard.type('demo');
    await tabToField(page, 'Client-Secret');
    await keyboard.type('demo');
    await keyboard.press('Enter');
    await page.waitForURL(({ pathname }) => pathname === '/');

    await keyboard.press('g');
    await keyboard.press('p');
    await page.getByText('8 produtos').waitFor();
    await keyboard.press('n');
    await page.getByLabel('Denominação').waitFor();
    await tabToField(page, 'Denominação');
    await keyboard.type('Café do teclado');
    await tabToField(page, 'NCM');
    await keyboard.type('0901.21.00');
    await tabToField(page, 'Modalidade');
    await keyboard.type('Imp');
    await page.getByLabel('Forma de apresentação').waitFor();
    await tabToField(page, 'Forma de apresentação');
    await keyboard.type('sach');
    await keyboard.press('Enter');
    await tabToField(page, 'Produto orgânico');
    await keyboard.type('N');
    await tabTo(page, 'Salvar e ativar');
    await keyboard.press('Enter');
    await page.waitForURL(/\/produtos\/12345678\/\d+$/);

    await keyboard.press('g');
    await keyboard.press('d');
    await page.waitForURL(({ pathname }) => pathname === '/');
    await keyboard.press('Control+k');
    await expectFocus(page, /Buscar/);
    await keyboard.type('cafe teclado');
    await page.getByRole('dialog').getByRole('link', { name: 'Café do teclado' }).waitFor();
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Editar' }).waitFor();
    await tabTo(page, 'Editar');
    await keyboard.press('Enter');
    await tabTo(page, 'Nova versão');
    await keyboard.press('Enter');
    await page.getByLabel('Descrição').waitFor();
    await tabToField(page, 'Descrição');
    await keyboard.type('Torrado e moído.');
    await tabTo(page, 'Salvar', 120);
    await keyboard.press('Enter');
    await page.getByText('Descrição: nada → Torrado e moído.').waitFor();

    // In the list, `/` reaches the first filter, j and k move, the space bar marks a row, and Enter opens it.
    await keyboard.press('g');
    await keyboard.press('p');
    await page.getByText('9 produtos').waitFor();
    await keyboard.press('/');
    await expectFocus(page, 'Palavras');
    await keyboard.type('cafe');
    await keyboard.press('Enter');
    await page.getByText('Limpar filtros').waitFor();
    await page.getByRole('grid').waitFor();
    for (let step = 0; step < 60; step += 1) {
      if (await page.getByRole('grid').evaluate((grid) => grid === document.activeElement)) break;
      await keyboard.press('Tab');
    }
    await keyboard.press('j');
    await keyboard.press('k');
    await keyboard.press(' ');
    await page.getByText('1 escolhido').waitFor();
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Editar' }).waitFor();
    await tabTo(page, 'Sair', 120);
    await keyboard.press('Enter');
    await page.getByLabel('Client-Id').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
