/** `/fidelidade`: the list of decisions, printed by the server, filtered by words and by certainty. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, tabTo } from './support.ts';

const sectionCount = (page: Page): Promise<number> => page.locator('.ledger > section').count();

inBrowser('the ledger', ['dev', '--empty'], (site) => {
  test('lists every entry, filtered by words and certainty, which the address keeps', async () => {
    const all = (await (await site.call('demo', 'GET', '/appliance/api/fidelity')).json()) as {
      readonly topic: string;
      readonly certainty: string;
    }[];
    const { page, complaints } = await site.open('/fidelidade');
    await page.getByText(`${all.length} decisões`).waitFor();
    expect(await sectionCount(page)).toBe(all.length);
    await expectGoodPage(page, 'Fidelidade', 'fidelidade');

    await page.getByLabel('Procurar', { exact: true }).fill('validade JWT');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText(/^\d decis(ão|ões)$/).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toContain('Validade do JWT');
    await page.goto(`${site.url}/fidelidade?certeza=ours&busca=jwt`);
    await page.getByRole('heading', { name: 'Validade do JWT' }).waitFor();
    expect(await page.getByLabel('Certeza').inputValue()).toBe('ours');

    // The keyboard alone filters the list.
    await tabTo(page, 'Procurar');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('palavra que ninguém escreveu');
    await page.keyboard.press('Enter');
    await page.getByText('Nenhuma decisão contém essas palavras.').waitFor();
    await tabTo(page, 'Procurar');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Enter');
    const ownDecisions = all.filter(({ certainty }) => certainty === 'ours').length;
    await page.getByText(`${ownDecisions} decisões`).waitFor();
    await eventually(() => sectionCount(page)).toBe(ownDecisions);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
