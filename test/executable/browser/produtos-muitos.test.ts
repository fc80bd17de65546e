/** The list with the number of products of a large company. */
import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { builtExecutable } from '../../support/executable.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser } from './support.ts';

const PRODUCTS = 100_000;

/** Sowing them takes its time. */
const LONG_MS = 300_000;

/** A frame of a machine that is not loaded takes under 20 ms; how long it took is printed. */
const FRAME_MOST_MS = 100;

inBrowser('a hundred thousand products', ['dev', '--empty'], (it) => {
  beforeAll(() => sow(it.folder), LONG_MS);

  test(
    'scroll smoothly from the server: only the visible rows are drawn',
    async () => {
      const { page, complaints } = await it.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
      await page.getByText(`${PRODUCTS.toLocaleString('pt-BR')} produtos`).waitFor();
      const { drawn, frames } = await page.evaluate(async () => {
        const list = document.querySelector('.virtual');
        if (list === null) throw new Error('no list');
        const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
        const times: number[] = [await nextFrame()];
        let most = 0;
        for (let step = 0; step < 240; step += 1) {
          list.scrollTop += 400;
          times.push(await nextFrame());
          most = Math.max(most, list.querySelectorAll('tbody tr').length);
        }
        return { drawn: most, frames: times.slice(1).map((time, at) => time - (times[at] ?? 0)) };
      });
      const sorted = frames.toSorted((a, b) => a - b);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
      const slowest = sorted.at(-1) ?? 0;
      console.info(
        `${PRODUCTS} produtos: quadro mediano de ${median.toFixed(1)} ms, pior ${slowest.toFixed(1)} ms`,
      );
      expect(drawn).toBeLessThan(120);
      expect(median).toBeLessThan(FRAME_MOST_MS);
      // Rows that were not there yet come when they are looked at.
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
      const { page, complaints } = await it.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
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

      // By keyboard there and back.
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
      // And by mouse, from where the wheel had led.
      await page.evaluate(() => document.querySelector('.virtual')?.scrollTo(0, 1_800_000));
      await page.getByRole('row', { name: '50005' }).getByRole('link').click();
      await page.waitForURL('**/produtos/12345678/50005');
      await page.goBack();
      await page.locator('tr.active').getByText('50005', { exact: true }).waitFor();
      await eventually(() => placeOf()).toBe(1_800_000);
      // Of another question nobody has been anywhere.
      await page.getByRole('button', { name: 'Denominação' }).click();
      await page.waitForFunction(() => document.querySelector('.virtual')?.scrollTop === 0);

      await grid.focus();
      await page.keyboard.press('ArrowDown');
      for (let pages = 0; pages < 3; pages += 1) await page.keyboard.press('PageDown');
      await page.keyboard.press('Shift+End');
      await page.getByText(/99\.9\d\d escolhidos/).waitFor({ timeout: 120_000 });
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    LONG_MS,
  );
});

/** Beside the server that is running. */
async function sow(folder: string): Promise<void> {
  const seed = [await builtExecutable(), 'seed', '--data', join(folder, 'catp-dev')];
  const sowing = Bun.spawn([...seed, '--products', String(PRODUCTS), '--operators', '0', '--links', '0'], {
    cwd: folder,
    env: {},
    stdout: 'ignore',
    stderr: 'pipe',
  });
  if ((await sowing.exited) !== 0) throw new Error(await new Response(sowing.stderr).text());
}
