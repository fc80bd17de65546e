/** A person signs in by the provider of the company, loses a group there, and loses the companies (contract section 27). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath, startBrowser, watchedPage } from '../../support/browser.ts';
import { freePort } from '../../support/ports.ts';
import { REAL_CLIENT, type RealProvider, openRealProvider } from '../../support/real-provider.ts';
import { type Alone, openAlone } from '../support.ts';
import { STORY_MS, expectAccessible, settled } from './support.ts';

setDefaultTimeout(STORY_MS);

describe.skipIf(chromiumPath === undefined)('the directory of the company', () => {
  let browser: Browser;
  let alone: Alone;
  let provider: RealProvider;
  let url: string;
  beforeAll(async () => {
    [browser, alone] = await Promise.all([startBrowser(), openAlone()]);
    const port = freePort();
    url = `http://127.0.0.1:${port}`;
    provider = await openRealProvider(url);
    writeFileSync(join(alone.folder, 'segredo'), REAL_CLIENT.secret);
    const file = `
      [servidor]
      endereco = "${url}"
      [oidc]
      emissor = "${provider.issuer}"
      clienteId = "${REAL_CLIENT.id}"
      segredo = "segredo"
      grupos = "grupos"
      criar = true
      rotulo = "Entrar com a conta da Exemplo"
    `;
    writeFileSync(join(alone.folder, 'catp.toml'), file);
    await alone.start('dev', '--port', String(port), '--config', 'catp.toml', '--data', 'dados');
    const group = ['group=analistas', 'companies=todas', 'papel=preenchimento'];
    expect(alone.run(['call', 'addGroup', ...group, '--data', 'dados'])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await alone?.close();
    await provider?.[Symbol.asyncDispose]();
  });

  test('lets a person in, and takes the companies with the group', async () => {
    provider.person = { cpf: '529.982.247-25', name: 'Ana Souza', grupos: ['analistas'] };
    const { page, complaints } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    const enter = page.getByRole('link', { name: 'Entrar com a conta da Exemplo' });
    await enter.waitFor();
    await expectAccessible(page);
    await enter.click();
    await page.getByRole('button', { name: 'Sou eu' }).click();
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    expect(page.url()).not.toContain('codigo');
    await page.goto(`${url}/produtos?cpfCnpjRaiz=12345678`);
    await page.getByRole('button', { name: 'Novo produto' }).waitFor();
    await settled(page);

    await page.getByRole('button', { name: 'Sair' }).click();
    const leave = page.getByRole('link', { name: 'Sair também do provedor' });
    await leave.waitFor();
    expect(await leave.getAttribute('href')).toStartWith(`${provider.issuer}/session/end?`);

    provider.person = { ...provider.person, grupos: [] };
    await page.getByRole('link', { name: 'Entrar com a conta da Exemplo' }).click();
    await page.getByRole('heading', { name: 'Não foi possível entrar' }).waitFor();
    await page.getByText('ainda não permite entrar aqui').waitFor();
    await expectAccessible(page);
    await page.getByText('Detalhes').click();
    await page.getByText('CATP-ER1908').waitFor();
    expect(complaints.filter((one) => !one.includes('403'))).toEqual([]);

    // The other ways in stay open.
    await page.getByRole('link', { name: 'Entrar de outra forma' }).click();
    await page.getByLabel('Client-Id').waitFor();
    await page.context().close();
  });

  test('that is away leaves the other ways in open', async () => {
    await provider[Symbol.asyncDispose]();
    const { page } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    // The discovery document is known for some minutes: the browser itself meets the silence of the provider.
    await page.getByLabel('Client-Id').fill('demo');
    await page.getByLabel('Client-Secret').fill('demo');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await page.context().close();
  });
});
