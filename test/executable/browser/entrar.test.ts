/** `/entrar` with a certificate, over TLS. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath, startBrowser, watchedPage } from '../../support/browser.ts';
import { issue } from '../../support/tls.ts';
import { TestCa } from '../../tls/authority.ts';
import { type Sandbox, openSandbox } from '../support.ts';
import { refusalOn } from './forms.ts';
import { STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

describe.skipIf(chromiumPath === undefined)('the sign-in page with certificates', () => {
  let ca: TestCa;
  let browser: Browser;
  let sandbox: Sandbox;
  let url: string;
  beforeAll(async () => {
    [ca, browser, sandbox] = await Promise.all([TestCa.create('AC Teste'), startBrowser(), openSandbox()]);
    const pair = await issue();
    for (const [name, pem] of Object.entries({ cert: pair.cert, key: pair.key, ac: ca.pem }))
      writeFileSync(join(sandbox.folder, `${name}.pem`), pem);
    const tls = [
      '--tls-port',
      '0',
      '--tls-cert',
      'cert.pem',
      '--tls-key',
      'key.pem',
      '--tls-client-ca',
      'ac.pem',
    ];
    ({ url } = await sandbox.start('dev', '--empty', '--port', '0', ...tls));
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
  });

  test('signs in a user with a certificate, and shows PLAT-ER2001 without one', async () => {
    const { cert, key } = await ca.issue('MARIA DEMONSTRACAO:00000000191');
    const certificate = { origin: url, cert: Buffer.from(cert), key: Buffer.from(key) };
    const withCertificate = await watchedPage(browser, url, {
      ignoreHTTPSErrors: true,
      clientCertificates: [certificate],
    });
    await withCertificate.page.goto(url);
    await withCertificate.page.getByRole('button', { name: 'Entrar com certificado' }).click();
    await withCertificate.page.getByRole('heading', { name: 'Painel' }).waitFor();
    await withCertificate.page.context().close();

    const without = await watchedPage(browser, url, { ignoreHTTPSErrors: true });
    await without.page.goto(url);
    await without.page.getByRole('button', { name: 'Entrar com certificado' }).click();
    expect(await refusalOn(without.page)).toContain('PLAT-ER2001');
    await without.page.context().close();
  });
});
