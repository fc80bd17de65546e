/**
 * Sign-in by the provider of the company; a person who loses a group loses its companies (contract section
 * 27).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath, startBrowser, watchedPage } from '../../support/browser.ts';
import { freePort } from '../../support/ports.ts';
import { type TestSmtp, openSmtp } from '../../support/smtp.ts';
import { REAL_CLIENT, type RealProvider, openRealProvider } from '../../support/real-provider.ts';
import { type Sandbox, openSandbox } from '../support.ts';
import { STORY_MS, expectAccessible, expectGoodPage, settled, signIn } from './support.ts';

setDefaultTimeout(STORY_MS);

describe.skipIf(chromiumPath === undefined)('the directory of the company', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let provider: RealProvider;
  let smtp: TestSmtp;
  let url: string;
  beforeAll(async () => {
    [browser, sandbox, smtp] = await Promise.all([startBrowser(), openSandbox(), openSmtp({ way: 'clear' })]);
    const port = freePort();
    url = `http://127.0.0.1:${port}`;
    provider = await openRealProvider(url);
    writeFileSync(join(sandbox.folder, 'segredo'), REAL_CLIENT.secret);
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
      [email]
      servidor = "smtp://127.0.0.1:${smtp.port}"
      remetente = "catalogo@empresa.exemplo"
    `;
    writeFileSync(join(sandbox.folder, 'catp.toml'), file);
    await sandbox.start('dev', '--port', String(port), '--config', 'catp.toml', '--data', 'dados');
    const group = ['group=analistas', 'companies=todas', 'papel=preenchimento'];
    expect(sandbox.run(['call', 'addGroup', ...group, '--data', 'dados'])).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
    await provider?.[Symbol.asyncDispose]();
    await smtp?.[Symbol.asyncDispose]();
  });

  test('signs a person in, and removes the companies of a lost group', async () => {
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
    expect(complaints.filter((text) => !text.includes('403'))).toEqual([]);

    // The other sign-in methods stay available.
    await page.getByRole('link', { name: 'Entrar de outra forma' }).click();
    await page.getByLabel('Client-Id').waitFor();
    await page.context().close();
  });

  test('has groups and identities that an administrator sets on the page, which also sends a test e-mail', async () => {
    const { page, complaints } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    await signIn(page, 'admin');
    await page.goto(`${url}/administracao`);
    const groups = page.locator('section', { hasText: 'Empresas por grupo do provedor' }).last();
    await groups.getByRole('row', { name: /analistas Todas Preenchimento/ }).waitFor();
    await groups.getByRole('button', { name: 'Novo grupo' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Grupo').fill('leitores');
    await dialog.getByLabel('Empresas').selectOption({ label: 'Só algumas' });
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await dialog.getByText('aceita uma lista de 1 a').first().waitFor();
    await dialog.getByLabel('Quais').fill('12.345.678');
    await dialog.getByRole('option', { name: /12\.345\.678/ }).click();
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    const readers = groups.getByRole('row').filter({ hasText: 'leitores' });
    await readers.waitFor();
    await settled(page);
    await expectGoodPage(page, 'Administração', 'administracao-grupos');
    await readers.getByRole('button', { name: 'Excluir' }).click();
    await dialog.getByRole('button', { name: 'Excluir' }).click();
    await readers.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'João Demonstração' }).click();
    const identities = page.locator('section', { hasText: 'Identidades no provedor' }).last();
    await identities.getByRole('button', { name: 'Ligar identidade' }).click();
    await dialog.getByLabel('Identificador').fill('pessoa-1');
    expect(await dialog.getByLabel('Emissor').inputValue()).toBe(provider.issuer);
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    const identity = identities.getByRole('row').filter({ hasText: 'pessoa-1' });
    await identity.waitFor();
    await settled(page);
    await expectGoodPage(page, 'Administração', 'administracao-identidades');

    provider.person = { name: 'Sem CPF' };
    const person = await watchedPage(browser, url);
    await person.page.goto(`${url}/entrar`);
    await person.page.getByRole('link', { name: 'Entrar com a conta da Exemplo' }).click();
    await person.page.getByRole('button', { name: 'Sou eu' }).click();
    await person.page.getByText('Olá, João Demonstração').waitFor();
    await identity.getByRole('button', { name: 'Desligar' }).click();
    await dialog.getByRole('button', { name: 'Desligar' }).click();
    await identity.waitFor({ state: 'detached' });
    await person.page.goto(`${url}/produtos?cpfCnpjRaiz=12345678`);
    await person.page.waitForURL(/\/entrar/);
    await person.page.context().close();

    await page.goto(`${url}/administracao?aba=diagnostico`);
    const tester = page
      .locator('section')
      .filter({ has: page.getByLabel('Endereço') })
      .last();
    await tester.getByLabel('Endereço').fill('maria');
    await tester.getByRole('button', { name: 'Enviar teste' }).click();
    await tester.getByRole('alert').filter({ hasText: 'maria' }).waitFor();
    await tester.getByLabel('Endereço').fill('maria@empresa.exemplo');
    await tester.getByRole('button', { name: 'Enviar teste' }).click();
    await tester.getByText('aceitou a mensagem').waitFor();
    expect(smtp.received.map(({ to }) => to)).toEqual([['maria@empresa.exemplo']]);
    await settled(page);
    await expectGoodPage(page, 'Administração', 'administracao-teste-de-email');
    expect(complaints.filter((text) => !/4\d\d/.test(text))).toEqual([]);
    await page.context().close();
  });

  test('leaves the other sign-in methods open when it is offline', async () => {
    await provider[Symbol.asyncDispose]();
    const { page } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    // The server caches the discovery document for some minutes, so the browser itself gets no answer.
    await page.getByLabel('Client-Id').fill('demo');
    await page.getByLabel('Client-Secret').fill('demo');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await page.context().close();
  });
});
