/**
 * The steps of the handbook pages `papeis`, `aprovar`, `avisos-por-email` and `entrar-com-diretorio`, on a server:
 * its first administrator, people with each right, a proposal, and a provider that goes offline (contract section 27).
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, startBrowser, watchedPage } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import type { RunningCatp } from '../../support/executable.ts';
import { freePort } from '../../support/ports.ts';
import { REAL_CLIENT, type RealProvider, openRealProvider } from '../../support/real-provider.ts';
import { type TestSmtp, openSmtp, partsOf } from '../../support/smtp.ts';
import { type Sandbox, openSandbox } from '../support.ts';
import { STORY_MS, expectGoodPage, settled } from './support.ts';

setDefaultTimeout(2 * STORY_MS);

const RAIZ = '12345678';
const ADMIN = '00000000272';
const FILLER = '11144477735';
const APPROVER = '52998224725';
const READER = '00000000191';
const PASSWORD = 'quatro cavalos e um trem';
const PEOPLE = [
  'documento;nome;email;empresa;papel',
  `${FILLER};Fernanda Lima;fernanda@empresa.exemplo;${RAIZ};preenchimento`,
  `${APPROVER};Paulo Costa;paulo@empresa.exemplo;${RAIZ};aprovacao`,
  `${READER};Lia Dias;;${RAIZ};leitura`,
].join('\n');

describe.skipIf(chromiumPath === undefined)('the people of a company', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let provider: RealProvider;
  let smtp: TestSmtp;
  let server: RunningCatp;
  let url: string;
  const serve = (): Promise<RunningCatp> =>
    sandbox.start('serve', '--data', 'dados', '--port', new URL(url).port, '--config', 'catp.toml');
  const catp = (...args: string[]): string => {
    const { code, stdout, stderr } = sandbox.run([...args, '--data', 'dados']);
    expect([code, stderr]).toEqual([0, stderr]);
    return stdout;
  };

  beforeAll(async () => {
    [browser, sandbox, smtp] = await Promise.all([startBrowser(), openSandbox(), openSmtp({ way: 'clear' })]);
    url = `http://127.0.0.1:${freePort()}`;
    provider = await openRealProvider(url);
    writeFileSync(join(sandbox.folder, 'oidc.segredo'), REAL_CLIENT.secret);
    writeFileSync(
      join(sandbox.folder, 'catp.toml'),
      `
      [servidor]
      endereco = "${url}"
      [oidc]
      emissor = "${provider.issuer}"
      clienteId = "${REAL_CLIENT.id}"
      segredo = "oidc.segredo"
      documento = "cpf"
      grupos = "grupos"
      rotulo = "Entrar com a conta da empresa"
      [email]
      servidor = "smtp://127.0.0.1:${smtp.port}"
      remetente = "Catálogo de produtos <catalogo@empresa.exemplo>"
    `,
    );
    const company = ['--empresa', RAIZ, '--nome', 'Exemplo Importadora S.A.', '--cnpj', '12345678000195'];
    catp('init', ...company, '--admin', ADMIN, '--admin-nome', 'Quem administra');
    server = await serve();
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.close();
    await provider?.[Symbol.asyncDispose]();
    await smtp?.[Symbol.asyncDispose]();
  });

  async function useInvitation(address: string): Promise<Page> {
    const { page } = await watchedPage(browser, url);
    await page.goto(address);
    await page.getByLabel(/^Senha( nova)?$/).fill(PASSWORD);
    await page.getByLabel('A mesma senha outra vez').fill(PASSWORD);
    await page.getByRole('button', { name: 'Definir a senha' }).click();
    await page.getByRole('heading', { name: 'Senha definida' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Entrar' }).click();
    return page;
  }

  async function enter(page: Page, login: string): Promise<void> {
    const form = page.getByRole('form', { name: 'Entrar com senha' });
    await form.getByLabel('CPF ou e-mail').fill(login);
    await form.getByLabel('Senha').fill(PASSWORD);
    await form.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
  }

  const pageOf = async (login: string, path: string): Promise<Page> => {
    const { page } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    await enter(page, login);
    await page.goto(url + path);
    await settled(page);
    return page;
  };

  test('get their access and their passwords from the first administrator', async () => {
    const [invitation = ''] = catp('user', 'invite', ADMIN, '--config', 'catp.toml').split('\n');
    expect(invitation).toStartWith(`${url}/convite#`);
    const page = await useInvitation(invitation);
    await enter(page, ADMIN);

    await page.goto(`${url}/administracao`);
    await page.getByRole('button', { name: 'Dar acesso a várias' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Lista').fill(PEOPLE);
    await dialog.getByRole('button', { name: 'Dar acesso' }).click();
    await dialog.waitFor({ state: 'detached' });
    for (const [name, login] of [
      ['Fernanda Lima', 'fernanda@empresa.exemplo'],
      ['Paulo Costa', APPROVER],
      ['Lia Dias', READER],
    ] as const) {
      await page.goto(`${url}/administracao`);
      await page.getByRole('link', { name }).click();
      await page.getByRole('button', { name: 'Convidar' }).click();
      const address =
        (await page.getByRole('dialog', { name: 'Convite' }).locator('code').textContent()) ?? '';
      const person = await useInvitation(address);
      await enter(person, login);
      await person.context().close();
    }
    expect(catp('representation', 'list')).toMatch(new RegExp(`${FILLER} +${RAIZ} +IMPEXP +preenchimento`));
    await page.context().close();
  });

  test('choose when they are notified, and propose a sheet', async () => {
    const page = await pageOf('paulo@empresa.exemplo', '/conta');
    await page.getByRole('group', { name: 'Quando: Propostas' }).getByText('Na hora').click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Salvo.').waitFor();
    await page.context().close();

    const filler = await pageOf(FILLER, `/importar?cpfCnpjRaiz=${RAIZ}`);
    await filler.setInputFiles('input[type=file]', {
      name: 'materiais.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        [
          'SKU;Denominação;Descrição;NCM;Modalidade',
          'P-1;Parafuso;De aço;73181500;Importação',
          'P-2;Porca;De aço;7318;Importação',
        ].join('\r\n'),
      ),
    });
    await filler.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await filler.waitForURL(/\/importar\/\d+/);
    await filler.getByRole('button', { name: 'Propor', exact: true }).click();
    await filler.getByRole('dialog').getByLabel('O que quem decide deve saber').fill('Conferido com a nota.');
    await filler.getByRole('dialog').getByRole('button', { name: 'Propor', exact: true }).click();
    await filler.getByText('espera uma decisão.').waitFor();
    await filler.context().close();
  });

  test('are notified and decide; history and trail have both names; a reader can change nothing', async () => {
    const page = await pageOf(APPROVER, `/?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('1 proposta espera uma decisão.').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.waitForURL(/\/aprovar/);
    await page.getByText('“Conferido com a nota.”').waitFor();
    await page.getByText('Parafuso').first().waitFor();
    await page.getByText('Porca').first().waitFor();
    await expectGoodPage(page, 'Aprovar', 'aprovar-com-erros');
    // Events within a minute arrive in one message.
    await eventually(() => smtp.received.map(({ to }) => to)).toEqual([['paulo@empresa.exemplo']]);
    const [{ raw } = { raw: '' }] = smtp.received;
    expect(partsOf({ raw }).text).toContain(`${url}/aprovar`);
    await page.getByRole('button', { name: 'Aprovar', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Aprovar e gravar' }).click();
    await page.getByText('Nenhuma proposta espera uma decisão.').waitFor();
    const productLink = page.getByRole('link', { name: 'Parafuso' });
    // The import of an approval runs in the background.
    const countAfterReload = async (): Promise<number> => {
      await page.goto(`${url}/produtos?cpfCnpjRaiz=${RAIZ}`);
      await settled(page);
      return productLink.count();
    };
    await eventually(countAfterReload).toBe(1);
    await productLink.click();
    await page.getByText(/proposto por Fernanda Lima/).waitFor();
    await page.context().close();
    const trail = catp('audit', 'export', '--proposal', '1');
    expect([trail.includes(FILLER), trail.includes(APPROVER)]).toEqual([true, true]);

    const reader = await pageOf(READER, `/produtos/${RAIZ}/1`);
    await reader.getByText('Parafuso').first().waitFor();
    for (const name of ['Editar', 'Desativar', 'Propor desativação', 'Novo vínculo'])
      expect([name, await reader.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    const statuses = await reader.evaluate(async (path) => {
      const { authorization, csrf } = JSON.parse(sessionStorage.getItem('catp.session') ?? '{}');
      const reply = await fetch(path, {
        method: 'POST',
        headers: { authorization, 'x-csrf-token': csrf, 'content-type': 'application/json' },
        body: JSON.stringify({ denominacao: 'x', modalidade: 'IMPORTACAO', ncm: '73181500' }),
      });
      return [reply.status, await reply.text()];
    }, `/catp/api/ext/produto/${RAIZ}`);
    expect(statuses).toEqual([
      403,
      expect.stringContaining(
        'Seu papel para esta empresa é leitura; isto pede aprovacao. Peça a quem o tem: Paulo Costa.',
      ),
    ]);
    await reader.context().close();
  });

  test('sign in by the provider, and by the other ways while it is offline', async () => {
    provider.person = { name: 'Fernanda Lima' };
    const { page } = await watchedPage(browser, url);
    await page.goto(`${url}/entrar`);
    await page.getByRole('link', { name: 'Entrar com a conta da empresa' }).click();
    await page.getByRole('button', { name: 'Sou eu' }).click();
    // The page shows what the provider sent, and an administrator binds it.
    await page.getByRole('heading', { name: 'Não foi possível entrar' }).waitFor();
    await page.getByText('pessoa-1').first().waitFor();
    await page.getByText(provider.issuer).first().waitFor();
    catp('call', 'bindIdentity', `documento=${FILLER}`, `issuer=${provider.issuer}`, 'sub=pessoa-1');
    catp('call', 'addGroup', 'group=comex-analistas', 'companies=todas', 'papel=preenchimento');
    await page.getByRole('link', { name: 'Tentar de novo' }).click();
    await page.getByText('Olá, Fernanda Lima').waitFor();
    await page.context().close();

    // A restarted server has no cached discovery document, so the server itself gets no answer.
    await server.stop();
    await provider[Symbol.asyncDispose]();
    server = await serve();
    const away = await watchedPage(browser, url);
    await away.page.goto(`${url}/entrar`);
    await away.page.getByRole('link', { name: 'Entrar com a conta da empresa' }).click();
    await away.page.getByRole('heading', { name: 'Não foi possível entrar' }).waitFor();
    await away.page.getByText('O provedor não respondeu como devia').waitFor();
    await away.page.getByText('Detalhes', { exact: true }).click();
    await away.page.getByText('CATP-ER1906').waitFor();
    await expectGoodPage(away.page, 'Não foi possível entrar', 'entrar-provedor-fora');
    await away.page.getByRole('link', { name: 'Entrar de outra forma' }).click();
    await enter(away.page, 'fernanda@empresa.exemplo');
    await away.page.getByText('Olá, Fernanda Lima').waitFor();
    await away.page.context().close();
  });
});
