/** A real Chromium for the tests of the web pages. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { EVENTUALLY_MS } from './eventually.ts';

/**
 * Browsers in the order of preference. The headless shell has the same engine and needs half of the CPU time.
 */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of the browser, or `undefined` when this machine has none. */
export const chromiumPath: string | undefined = CHROMIUM.find((path) => existsSync(path));

export async function startBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(`no browser: looked for ${CHROMIUM.join(', ')}`);
  return chromium.launch({ executablePath: chromiumPath, args: FLAGS });
}

/** A page, with the faults that it must never show. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the console, uncaught exceptions, violations of the Content-Security-Policy. */
  readonly complaints: readonly string[];
  /** Requested addresses of any origin other than the page's own. */
  readonly strangers: readonly string[];
}

export async function watchedPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: 'pt-BR', acceptDownloads: true, ...options });
  // This timeout is shorter than that of the test, so that the failure names the awaited condition.
  context.setDefaultTimeout(EVENTUALLY_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const address = request.url();
    const isOwn = address.startsWith(`${origin}/`) || address.startsWith(`blob:${origin}/`);
    if (!isOwn) strangers.push(address);
  });
  return { page, complaints, strangers };
}
