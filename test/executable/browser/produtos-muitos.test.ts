/** The list with as many products as a large company has. */
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { builtExecutable } from '../../support/executable.ts';
import { inBrowser } from './support.ts';

const PRODUCTS = 100_000;

/** Sowing them takes its time. */
const LONG_MS = 300_000;

/** A frame of a machine that is not loaded takes under 20 ms; how long it took is printed. */
const FRAME_MOST_MS = 100;

inBrowser('a hundred thousand products', ['dev', '--empty'], (it) => {
  test(
    'scroll smoothly from the server: only those that are seen are drawn',
    async () => {
      await sow(it.folder);
      const { page, complaints } = await it.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
      await page.getByText(`${PRODUCTS.toLocaleString('pt-BR')} produtos`).waitFor({ timeout: 60_000 });
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
      await page.locator('.virtual tbody .skeleton').first().waitFor({ state: 'detached', timeout: 60_000 });
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.getByRole('row', { name: String(PRODUCTS) }).waitFor({ timeout: 120_000 });
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
    ...{ cwd: folder, env: {}, stdout: 'ignore', stderr: 'pipe' },
  });
  if ((await sowing.exited) !== 0) throw new Error(await new Response(sowing.stderr).text());
}
