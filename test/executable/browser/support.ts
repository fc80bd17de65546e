/** One instance and one browser for the tests of a page: sign in, read, check. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import writeExcelFile from 'write-excel-file/universal';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { TOKENS_KEY, Tokens } from '../../../src/web/api/tokens.ts';
import { chromiumPath, startBrowser, watchedPage, type WatchedPage } from '../../support/browser.ts';
import { EVENTUALLY_MS, eventually, pauseAfter } from '../../support/eventually.ts';
import { builtExecutable, startCatp, type RunningCatp } from '../../support/executable.ts';

/** Timeout of a whole browser test on a busy machine. Longer than each wait in it. */
export const STORY_MS = 3 * EVENTUALLY_MS;

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };

/** Output folder of screenshots; without it none is taken. */
const SCREENSHOTS = process.env['BROWSER_SCREENSHOTS'];

export type User = 'demo' | 'demo2' | 'estranho' | 'publico' | 'admin';

export interface Instance {
  readonly folder: string;
  readonly url: string;
  readonly catp: RunningCatp;
  readonly browser: Browser;
  /** Opens a new tab of a new browser, at `path`, signed out. */
  open(path?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Opens a new tab that is signed in; the content of `path` is loaded. */
  enter(user: User, path?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Calls the API directly, to prepare the content of a page. */
  call(user: User, method: string, path: string, body?: unknown): Promise<Response>;
}

/**
 * Groups tests that share one instance: `inBrowser('the products', ['dev', '--empty'], (site) => { test(…) })`.
 */
export function inBrowser(name: string, args: readonly string[], tests: (instance: Instance) => void): void {
  if (chromiumPath === undefined)
    console.warn('ATENÇÃO: sem Chromium nesta máquina, os testes de navegador foram PULADOS.');
  setDefaultTimeout(STORY_MS);
  describe.skipIf(chromiumPath === undefined)(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'catp-browser-'));
    let catp: RunningCatp;
    let browser: Browser;
    beforeAll(async () => {
      if (args[0] === 'serve') await initialise(folder, args[args.indexOf('--data') + 1] ?? '');
      [catp, browser] = await Promise.all([
        startCatp([...args, '--port', '0'], { cwd: folder }),
        startBrowser(),
      ]);
    });
    afterAll(async () => {
      await browser?.close();
      await catp?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const open = async (path = '/', options: BrowserContextOptions = {}): Promise<WatchedPage> => {
      const opened = await watchedPage(browser, catp.url, { viewport: DESKTOP, ...options });
      await opened.page.goto(catp.url + path);
      return opened;
    };
    tests({
      folder,
      get url() {
        return catp.url;
      },
      get catp() {
        return catp;
      },
      get browser() {
        return browser;
      },
      open,
      enter: async (user, path = '/', options = {}) => {
        const opened = await watchedPage(browser, catp.url, { viewport: DESKTOP, ...options });
        await beginSession(opened.page, await sessionOf(catp.url, user));
        await opened.page.goto(catp.url + path);
        await waitForSession(opened.page);
        return opened;
      },
      call: (user, method, path, body) => callAs(catp.url, user, method, path, body),
    });
  });
}

export async function signIn(page: Page, clientId: string, clientSecret = clientId): Promise<void> {
  await fillSignIn(page, clientId, clientSecret);
  await waitForSession(page);
}

const waitForSession = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sair', includeHidden: true }).waitFor({ state: 'attached' });

/** Signs in through the API. Returns what the sign-in page would store in the tab. */
async function sessionOf(url: string, user: User): Promise<string> {
  const session = await signInOverHttp(url, user, { 'x-sessao': 'pagina' });
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  };
  new Tokens(storage as unknown as Storage).take(session.headers);
  return stored.get(TOKENS_KEY) ?? '';
}

/** Stores the session in the first document of the tab only: a sign-out stays one after a reload. */
const beginSession = (page: Page, session: string): Promise<unknown> =>
  page.addInitScript(
    ([key, value]) => {
      if (window.name === '') sessionStorage.setItem(key, value);
      window.name = 'entered';
    },
    [TOKENS_KEY, session] as const,
  );

/** Signs in without waiting for the result. */
export async function fillSignIn(page: Page, clientId: string, clientSecret: string): Promise<void> {
  await page.getByLabel('Client-Id').fill(clientId);
  await page.getByLabel('Client-Secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** Runs `catp init`, which `serve` requires. */
async function initialise(folder: string, data: string): Promise<void> {
  const init = Bun.spawnSync([await builtExecutable(), 'init', '--data', data, '--perfil', 'especificacao'], {
    cwd: folder,
    env: {},
  });
  if (init.exitCode !== 0) throw new Error(init.stderr.toString());
}

const signInOverHttp = (url: string, user: User, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'client-id': user, 'client-secret': user, 'role-type': 'IMPEXP', ...headers },
  });

async function callAs(url: string, user: User, method: string, path: string, body?: unknown) {
  const session = await signInOverHttp(url, user);
  return fetch(url + path, {
    method,
    headers: {
      authorization: session.headers.get('set-token') ?? '',
      'x-csrf-token': session.headers.get('x-csrf-token') ?? '',
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
}

/** Returns the form that imports a file of products. */
export function importForm(fileName: string, items: readonly object[]): FormData {
  const form = new FormData();
  form.set('tipo', 'produto');
  form.set('file', new Blob([JSON.stringify(items)]), fileName);
  return form;
}

/** Returns the workbook `erp.xlsx` with these texts. */
export async function xlsxFile(table: readonly (readonly string[])[]) {
  const blob = await writeExcelFile(
    table.map((row) => row.map((value) => ({ value, type: String }))),
  ).toBlob();
  return { name: 'erp.xlsx', mimeType: blob.type, buffer: Buffer.from(await blob.arrayBuffer()) };
}

/** Imports the chosen sheet: a dry run first, then the button of its result. */
export async function importSheet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
  await page.waitForURL(/\/importar\/\d+/);
  await page.getByRole('button', { name: 'Importar', exact: true }).click();
}

/** Waits until the page and its requests are loaded. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector('main [aria-busy=true]') === null);
}

/**
 * Checks the common parts of every page: one `h1`, one `main`, one `nav`, its own title, the badge (contract
 * section 17).
 */
export async function expectAnatomy(page: Page, title: string): Promise<void> {
  const anatomy = async () => ({
    title: ownTitle(await page.title(), await page.locator('.environment strong').textContent()),
    counts: await page.evaluate(() =>
      ['h1', 'main', 'nav'].map((name) => document.querySelectorAll(name).length),
    ),
  });
  await eventually(anatomy).toEqual({ title, counts: [1, 1, 1] });
  await eventually(() => page.getByText('sem efeito legal').isVisible()).toBe(true);
}

/**
 * Returns the first part of `Produtos · Empresa Ltda. · Validação · catp`: the company is in titles of
 * company pages only, the rest always.
 */
const ownTitle = (title: string, environment: string | null): string =>
  title.endsWith(` · ${environment} · catp`) ? (title.split(' · ')[0] ?? '') : title;

/**
 * Checks that axe-core finds no serious fault, and no column without a name, on the light screen. In print and
 * dark only the colours differ: there it checks the contrast.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const activeElement = await page.evaluateHandle(() => document.activeElement);
  for (const [appearance, rules] of APPEARANCES) {
    await page.emulateMedia({ ...appearance, reducedMotion: 'reduce' });
    const faults = await page.evaluate(async (options) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- axe is a global of the page without a type in this test
      const { violations } = await (window as any).axe.run(document, options);
      // oxlint-disable-next-line typescript/no-explicit-any -- as above
      return violations.map(({ id, impact, nodes }: any) => ({
        id,
        impact,
        // oxlint-disable-next-line typescript/no-explicit-any -- as above
        where: nodes.map(({ html, failureSummary }: any) => `${html}: ${failureSummary}`),
      }));
    }, rules);
    const serious = (faults as { id: string; impact: string }[]).filter(
      ({ id, impact }) => /serious|critical/.test(impact) || id === 'empty-table-header',
    );
    expect({ looks: appearance, grave: serious }).toEqual({ looks: appearance, grave: [] });
  }
  // The element may be hidden in print.
  await activeElement.evaluate(
    (element) => element instanceof HTMLElement && element.focus({ preventScroll: true }),
  );
}

const CONTRAST = { runOnly: ['color-contrast'], resultTypes: ['violations'] };

/** Appearances with the options of axe. The last one is a screen, because later checks need a screen. */
const APPEARANCES = [
  [{ media: 'print', colorScheme: 'light' }, CONTRAST],
  [{ media: 'screen', colorScheme: 'light' }, { resultTypes: ['violations'] }],
  [{ media: 'screen', colorScheme: 'dark' }, CONTRAST],
] as const;

/** Checks at desktop and phone width that nothing overflows, except inside of scrolling parts. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    const overflow = await page.evaluate(() => {
      const scrolls = (element: Element | null): boolean =>
        element !== null &&
        (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
      const overflows = (element: Element): boolean => {
        const { right, width } = element.getBoundingClientRect();
        return width > 0 && right > innerWidth + 1 && !scrolls(element.parentElement);
      };
      const wide = [...document.body.querySelectorAll('*')]
        .filter(overflows)
        .map((element) => element.outerHTML);
      return { page: document.documentElement.scrollWidth > innerWidth, wide: wide.slice(0, 3) };
    });
    expect({ width: size.width, ...overflow }).toEqual({ width: size.width, page: false, wide: [] });
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Takes screenshots at both widths, light and dark, when `BROWSER_SCREENSHOTS` names a folder. */
export async function screenshots(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  const before = page.viewportSize();
  for (const size of [DESKTOP, PHONE])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${size.width}-${colorScheme}.png`) });
    }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before !== null) await page.setViewportSize(before);
}

/** Runs all checks of a finished page. */
export async function expectGoodPage(page: Page, title: string, name: string): Promise<void> {
  await expectAnatomy(page, title);
  await screenshots(page, name);
  await expectNoOverflow(page);
  await expectAccessible(page);
}

/**
 * Polls until the condition is met: a page draws after its answer, and a dialog returns the focus after its
 * key.
 */
export async function becomes<T>(read: () => Promise<T>, isWanted: (now: T) => boolean): Promise<T> {
  const end = performance.now() + EVENTUALLY_MS;
  for (let reads = 1; ; reads += 1) {
    const now = await read();
    if (isWanted(now) || performance.now() > end) return now;
    await pauseAfter(reads);
  }
}

/** Waits for this number of matches. */
export async function expectCount(locator: Locator, expected: number): Promise<void> {
  await eventually(() => locator.count()).toBe(expected);
}

/** Returns the name of an element from its label or its text; it runs in the page. */
const nameOf = (element: Element | null): string => {
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
  return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
};

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(${nameOf.toString()})(document.activeElement)`);

const reachable = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelectorAll('a, button, input, select, summary, textarea, [tabindex]')].map(${nameOf.toString()})`,
  );

const matches =
  (expected: string | RegExp) =>
  (name: string): boolean =>
    typeof expected === 'string' ? name === expected : expected.test(name);

/** Waits until the element with this name has the focus. */
export async function expectFocus(page: Page, expected: string | RegExp): Promise<void> {
  const assertion = eventually(() => focused(page));
  await (typeof expected === 'string' ? assertion.toBe(expected) : assertion.toMatch(expected));
}

/** Presses Tab until the element has the focus, once it exists; fails when it never gets it. */
export async function tabTo(page: Page, expected: string | RegExp, maxSteps = 60): Promise<void> {
  await becomes(
    () => reachable(page),
    (names) => names.some(matches(expected)),
  );
  const passedNames: string[] = [];
  for (let step = 0; step < maxSteps; step += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (matches(expected)(now)) return;
    passedNames.push(now);
  }
  throw new Error(`the keyboard does not reach ${expected}; it passes ${passedNames.join(' | ')}`);
}
