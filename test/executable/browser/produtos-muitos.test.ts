/** The list with more products than it loads at first. */
import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { builtExecutable } from '../../support/executable.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser } from './support.ts';

/** Twenty pages of the list: far more than the drawn rows. */
const PRODUCTS = 10_000;

/** Timeout of a test that first creates the products. */
const LONG_MS = 300_000;

inBrowser('ten thousand products', ['dev', '--empty'], (site) => {
  beforeAll(() => createProducts(site.folder), LONG_MS);

  test(
    'are scrolled through while only the visible rows are drawn',
    async () => {
      const { page, complaints } = await site.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
      await page.getByText(`${PRODUCTS.toLocaleString('pt-BR')} produtos`).waitFor();
      const drawnRows = await page.evaluate(async () => {
        const list = document.querySelector('.virtual');
        if (list === null) throw new Error('no list');
        const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
        let maxRows = 0;
        for (let step = 0; step < 240; step += 1) {
          list.scrollTop += 400;
          await nextFrame();
          maxRows = Math.max(maxRows, list.querySelectorAll('tbody tr').length);
        }
        return maxRows;
      });
      expect(drawnRows).toBeLessThan(120);
      // Unloaded rows are requested once they are visible.
      await page.locator('.virtual tbody .skeleton').first().waitFor({ state: 'detached' });
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.getByRole('row', { name: String(PRODUCTS) }).waitFor({ timeout: 120_000 });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    LONG_MS,
  );

  test(
    'reach the end with one request, select unloaded rows between, and restore the position on the way back',
    async () => {
      const { page, complaints } = await site.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
      await page.getByText(`${PRODUCTS.toLocaleString('pt-BR')} produtos`).waitFor();
      const positions: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/appliance/api/products') positions.push(searchParams.get('from') ?? 'none');
      });
      const grid = page.getByRole('grid');
      await grid.focus();
      await page.keyboard.press('End');
      const last = page.getByRole('row', { name: String(PRODUCTS) });
      await last.waitFor();
      expect(positions).toEqual([String(PRODUCTS - 500)]);

      // The position is restored after a row was opened by keyboard.
      await page.keyboard.press('ArrowUp');
      const placeOf = () => page.evaluate(() => document.querySelector('.virtual')?.scrollTop);
      const place = await placeOf();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/produtos/12345678/${PRODUCTS - 1}`);
      await page.goBack();
      await page.locator('table.table:focus').waitFor();
      await page
        .locator('tr.active')
        .getByText(String(PRODUCTS - 1), { exact: true })
        .waitFor();
      await eventually(() => placeOf()).toBe(place);
      // The position is restored after a row was opened by mouse.
      await page.evaluate(() => document.querySelector('.virtual')?.scrollTo(0, 180_000));
      await page.getByRole('row', { name: '5005' }).getByRole('link').click();
      await page.waitForURL('**/produtos/12345678/5005');
      await page.goBack();
      await page.locator('tr.active').getByText('5005', { exact: true }).waitFor();
      await eventually(() => placeOf()).toBe(180_000);
      // Another order has no saved position.
      await page.getByRole('button', { name: 'Denominação' }).click();
      await page.waitForFunction(() => document.querySelector('.virtual')?.scrollTop === 0);

      await grid.focus();
      await page.keyboard.press('ArrowDown');
      for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageDown');
      await page.keyboard.press('Shift+End');
      await page.getByText(/9\.9\d\d escolhidos/).waitFor({ timeout: 120_000 });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    LONG_MS,
  );
});

/** Creates the products by `catp seed` next to the running server. */
async function createProducts(folder: string): Promise<void> {
  const seed = [await builtExecutable(), 'seed', '--data', join(folder, 'catp-dev')];
  const seeding = Bun.spawn([...seed, '--products', String(PRODUCTS), '--operators', '0', '--links', '0'], {
    cwd: folder,
    env: {},
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if ((await seeding.exited) !== 0) throw new Error(await new Response(seeding.stderr).text());
}
