/** `/ajuda` from the executable: loaded on request, by every path, and read in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { PAGES } from '../../src/docs/contents.ts';
import { chromiumPath, startBrowser, watchedPage } from '../support/browser.ts';
import { SCHEMES, trusting } from '../support/tls.ts';
import { type Sandbox, openSandbox } from './support.ts';

const ADDRESSES = ['/ajuda', ...PAGES.map(({ name }) => `/ajuda/${name}`), '/docs', '/fidelidade'];

describe.each(SCHEMES)('over %s', (scheme) => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox(scheme);
  });
  afterAll(() => sandbox.close());

  test.each(['dev', 'serve'] as const)(
    'catp %s serves every page, also the generated ones',
    async (command) => {
      const { url } = await sandbox.start(command, '--port', '0', '--data', `pasta-${command}`);
      const texts = await Promise.all(
        ADDRESSES.map(async (address) => {
          const answer = await trusting(`${url}${address}`);
          expect([address, answer.status]).toEqual([address, 200]);
          return answer.text();
        }),
      );
      const all = texts.join('\n');
      // One text of each generator: a flag, a setting, a code, an operation, a job, an event.
      const EXPECTED = [
        '--simular',
        'corpo.maximo',
        'CATP-ER1001',
        '/catp/api/ext/produto',
        'retencao',
        'talp-cancela-exig',
      ];
      expect(EXPECTED.filter((path) => !all.includes(path))).toEqual([]);
      // The tours use the address of the request.
      expect(texts.filter((text) => text.includes(`B=${url}\n`)).length).toBeGreaterThan(3);
      const exampleFor = async (host: string): Promise<string> =>
        (await trusting(`${url}/ajuda/primeiros-passos`, { headers: { host } })).text();
      expect(await exampleFor('catalogo.exemplo')).toContain(`B=${scheme}://catalogo.exemplo\n`);
      expect(await exampleFor("x';id;'")).toContain(`B=${scheme}://127.0.0.1:8080\n`);
      // The pages link only to operations of this instance.
      expect(all.includes('href="/docs/reset"')).toBe(command === 'dev');
    },
  );
});

test('catp --help ends with the address of the guides', async () => {
  const sandbox = await openSandbox();
  const { code, stdout } = sandbox.run(['--help']);
  expect([code, stdout.trimEnd().split('\n').at(-1)]).toEqual([0, expect.stringContaining('/ajuda')]);
  await sandbox.close();
});

const PHONE = { width: 390, height: 844 };
/** Minimum contrast of small text. */
const CONTRAST_LEAST = 4.5;

/** Minimum size of a target by WCAG 2.2. */
const TOUCHED_PX = 24;

describe.skipIf(chromiumPath === undefined)('in a browser', () => {
  let sandbox: Sandbox;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    sandbox = await openSandbox();
    browser = await startBrowser();
    ({ url } = await sandbox.start('dev', '--port', '0', '--empty'));
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox.close();
  });

  test.each(['light', 'dark'] as const)(
    'every page fits a phone and is readable, %s',
    async (colorScheme) => {
      const { page, complaints, strangers } = await watchedPage(browser, url, {
        viewport: PHONE,
        colorScheme,
      });
      for (const address of ADDRESSES) {
        await page.goto(`${url}${address}`);
        const look = await page.evaluate(() => {
          const paint = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
          if (paint === null) throw new Error('this browser does not paint');
          const light = (colour: string): number => {
            paint.fillStyle = colour;
            paint.fillRect(0, 0, 1, 1);
            const [red = 0, green = 0, blue = 0] = [...paint.getImageData(0, 0, 1, 1).data].map((byte) =>
              byte / 255 <= 0.03928 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
            );
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const backgroundOf = (element: Element | null): string => {
            if (element === null) return 'white';
            const { backgroundColor } = getComputedStyle(element);
            return backgroundColor === 'rgba(0, 0, 0, 0)'
              ? backgroundOf(element.parentElement)
              : backgroundColor;
          };
          const contrasts = [...document.querySelectorAll('h1, p, li, td, th, a, code')].map((element) => {
            const [foreground, background] = [
              light(getComputedStyle(element).color),
              light(backgroundOf(element)),
            ];
            return (Math.max(foreground, background) + 0.05) / (Math.min(foreground, background) + 0.05);
          });
          return {
            isTooWide: document.documentElement.scrollWidth > innerWidth,
            least: Math.min(...contrasts),
            heading: document.querySelector('h1')?.textContent ?? '',
          };
        });
        expect({ address, isTooWide: look.isTooWide }).toEqual({ address, isTooWide: false });
        expect({ address, least: look.least, isEnough: look.least >= CONTRAST_LEAST }).toMatchObject({
          isEnough: true,
        });
        expect(look.heading).not.toBe('');
      }
      expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
      await page.context().close();
    },
  );

  test('links of the navigation are separated, and a name of a setting breaks only when it does not fit', async () => {
    const { page } = await watchedPage(browser, url, { viewport: { width: 1280, height: 844 } });
    for (const address of ['/docs', '/ajuda']) {
      await page.goto(`${url}${address}`);
      await page.locator('nav a').nth(1).waitFor();
      const height = await page.evaluate(() => {
        const [upper, lower] = document.querySelectorAll('nav a');
        return (lower?.getBoundingClientRect().top ?? 0) - (upper?.getBoundingClientRect().top ?? 0);
      });
      expect({ address, isApart: height >= TOUCHED_PX }).toEqual({ address, isApart: true });
    }
    await page.goto(`${url}/ajuda/configuracoes`);
    const broken = await page.evaluate(() =>
      [...document.querySelectorAll('.table td code')]
        .filter((code) => code.getClientRects().length > 1)
        .map((code) => code.textContent),
    );
    expect(broken).toEqual([]);
    await page.context().close();
  });

  test('the keyboard leads from the reference to a page and to a section of it', async () => {
    const { page, complaints } = await watchedPage(browser, url);
    await page.goto(`${url}/docs`);
    await page.getByRole('link', { name: 'Ajuda', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor();
    await page
      .getByRole('complementary', { name: 'Páginas da ajuda' })
      .getByText('Códigos de erro')
      .press('Enter');
    await page.getByRole('heading', { name: 'Códigos de erro', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Nesta página' }).getByText('Autenticação').press('Enter');
    await page.waitForURL(`${url}/ajuda/codigos#autenticacao`);
    expect(await page.locator('#autenticacao').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an unknown address shows a page with a link back', async () => {
    const { page } = await watchedPage(browser, url);
    const answer = await page.goto(`${url}/ajuda/nada`);
    expect(answer?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Página não encontrada' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Ajuda' }).click();
    await page.getByRole('heading', { name: 'Ajuda', level: 1 }).waitFor();
    await page.context().close();
  });
});
