/**
 * Common parts of the stories of remotes: the other side, the records on both sides, and the pressed buttons.
 */
import { afterAll, beforeAll, expect } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WatchedPage } from '../../support/browser.ts';
import { type RunningCatp, startCatp } from '../../support/executable.ts';

export const COMPANY = '12345678';
export const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
export const product = (
  denominacao: string,
  codigosInterno: readonly string[] = [],
  members: object = {},
) => ({
  denominacao,
  codigosInterno,
  modalidade: 'IMPORTACAO',
  ncm: '39269090',
  ...members,
});

/**
 * Starts the other side. It accepts one sign-in per user and minute, so each story has its
 * own.
 */
export function startRemote(): { readonly url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'catp-remotos-'));
  let remote: RunningCatp;
  beforeAll(async () => {
    remote = await startCatp(['dev', '--empty', '--perfil', 'portal', '--port', '0'], { cwd: folder });
  });
  afterAll(async () => {
    await remote.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return remote.url;
    },
  };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const chip = (page: Page, name: RegExp) =>
  page.locator('.remote-counts').getByRole('button', { name });

/** Chromium logs each refusal to the console. */
export function expectNoComplaints({ complaints, strangers }: WatchedPage): void {
  const others = complaints.filter((text) => !/status of 4\d\d/.test(text));
  expect({ others, strangers }).toEqual({ others: [], strangers: [] });
}
