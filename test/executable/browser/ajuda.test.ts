/** The search field of `/ajuda`. */
import { expect, test } from 'bun:test';
import { expectGoodPage, inBrowser, PHONE } from './support.ts';

const FIELD = 'Procurar na ajuda';

inBrowser('the handbook', ['dev', '--empty'], (site) => {
  test('finds a section by words in any order, by keyboard, and says when no section has them', async () => {
    const { page, complaints, strangers } = await site.open('/ajuda');
    await page.getByLabel(FIELD).fill('PACOTE conferir');
    await page.getByRole('link', { name: 'Atualizar: Conferir o pacote' }).waitFor();
    await expectGoodPage(page, 'Ajuda', 'ajuda-busca');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/ajuda/atualizar#conferir-o-pacote');
    await page.getByLabel(FIELD).fill('pacote naoexiste');
    await page.getByText('Nada tem todas essas palavras.').waitFor();
    await page.getByLabel(FIELD).fill('');
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('loads the index with the first search only, and fits a phone', async () => {
    const { page } = await site.open('/ajuda/copias', { viewport: PHONE });
    const indexes: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/help-index-')) indexes.push(request.url());
    });
    await page.reload();
    await page.getByLabel(FIELD).waitFor();
    expect(indexes).toEqual([]);
    await page.getByLabel(FIELD).fill('restaurar');
    await page.getByRole('link', { name: 'Cópias de segurança: Copiar e restaurar' }).waitFor();
    expect(indexes).toHaveLength(1);
    await page.context().close();
  });
});
