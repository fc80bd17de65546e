/** Selection of rows of the list: one, a range with Shift, all matches; by mouse and by keyboard. */
import type { Page } from 'playwright-core';
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { addFilter } from './forms.ts';
import { inBrowser, tabTo } from './support.ts';

const LIST = '/produtos?cpfCnpjRaiz=12345678';

inBrowser('rows that are marked', ['dev'], (site) => {
  const box = (page: Page, index: number) => page.getByRole('row').nth(index).getByRole('checkbox');
  const isMarked = async (page: Page, count: number): Promise<string> => {
    const boxes = Array.from({ length: count }, (_, index) => box(page, index + 1).isChecked());
    return (await Promise.all(boxes)).map((isChecked) => (isChecked ? 'x' : '-')).join('');
  };
  /** Starts a dry run. Returns the selection in its request. */
  const requestOfDryRun = async (page: Page): Promise<{ codigos?: number[]; filter?: object }> => {
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.url().endsWith('/products/changes')),
      page.getByRole('button', { name: 'Conferir sem gravar' }).click(),
    ]);
    return request.postDataJSON() as { codigos?: number[]; filter?: object };
  };

  test('the mouse selects a range with Shift, and clears it', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await box(page, 2).click();
    await box(page, 5).click({ modifiers: ['Shift'] });
    await page.getByText('4 escolhidos').waitFor();
    await eventually(() => isMarked(page, 6)).toBe('-xxxx-');
    // The range can extend upwards, and gets the new state of the pressed checkbox.
    await box(page, 3).click({ modifiers: ['Shift'] });
    await page.getByText('1 escolhido').waitFor();
    await eventually(() => isMarked(page, 6)).toBe('-x----');
    // A new order keeps the selection; a new filter clears it.
    await page.getByRole('button', { name: 'Denominação' }).click();
    await page.getByText('1 escolhido').waitFor();
    await addFilter(page, 'NCM');
    await page.getByLabel('NCM', { exact: true }).fill('09012100');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('1 escolhido').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the back button closes the dialog and restores its list', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await addFilter(page, 'NCM');
    await page.getByLabel('NCM', { exact: true }).fill('09012100');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.waitForURL('**ncm=09012100*');
    await box(page, 1).click();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).not.toContain('ncm=');
    // The dialog adds no entry to the browser history.
    await page.goForward();
    await page.waitForURL('**ncm=09012100*');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the keyboard selects one row, a range, all rows, and all but one', async () => {
    const { page } = await site.enter('demo', LIST);
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('1 escolhido').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 escolhidos').waitFor();
    await eventually(() => isMarked(page, 5)).toBe('-xxx-');
    // The range can also start at the checkbox of a row.
    await box(page, 4).focus();
    await page.keyboard.press('Shift+End');
    const total = Number(/(\d+) produtos/.exec(await page.getByText(/\d+ produtos/).innerText())?.[1]);
    await page.getByText(`${total - 1} escolhidos`).waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText(`${total} escolhidos`).waitFor();
    await eventually(() => page.getByRole('button', { name: 'Marcar todos' }).count()).toBe(0);
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.getByText(`${total - 1} escolhidos`).waitFor();
    await eventually(() => isMarked(page, 4)).toBe('-xxx');
    await page.keyboard.press('Tab');
    await tabTo(page, 'Alterar vários');
    await page.keyboard.press('Enter');
    await page.getByText(`Os escolhidos (${total - 1})`).waitFor();
    await page.getByLabel('Ativar os que estão desativados').check();
    const { codigos } = await requestOfDryRun(page);
    expect(codigos?.length).toBe(total - 1);
    expect(codigos).not.toContain(1);
    await page.context().close();
  });

  test('`Marcar todos` selects all matches of the filters, and without filters the whole catalogue', async () => {
    const { page } = await site.enter('demo', `${LIST}&ncm=09012100`);
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByText('escolhidos').waitFor();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    await page.getByText('Todos os que o filtro encontra').waitFor();
    await page.getByLabel('Ativar os que estão desativados').check();
    expect(await requestOfDryRun(page)).toMatchObject({ filter: { ncm: '09012100' } });
    await page.getByText('Nada foi gravado').waitFor();

    await page.goto(site.url + LIST);
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByText('escolhidos').waitFor();
    await page.getByRole('button', { name: 'Alterar vários' }).click();
    await page.getByText('Os escolhidos').waitFor();
    await page.getByLabel('Ativar os que estão desativados').check();
    expect((await requestOfDryRun(page)).codigos?.length).toBeGreaterThan(4);
    await page.getByText('Nada foi gravado').waitFor();
    await page.getByRole('link', { name: 'Produtos' }).first().click();
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByRole('button', { name: 'Desmarcar' }).click();
    await page.getByText('escolhidos').waitFor({ state: 'detached' });
    await page.context().close();
  });
});
