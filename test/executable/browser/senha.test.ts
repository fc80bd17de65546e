/**
 * Sign-in by password: an invitation, the page that sets the password, the sign-in page, a change (contract
 * section 27).
 */
import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { emailSettings, openSmtp, partsOf } from '../../support/smtp.ts';
import { builtExecutable } from '../../support/executable.ts';
import { refusalOn } from './forms.ts';
import { expectGoodPage, inBrowser } from './support.ts';

const MARIA = '00000000191';
const EMAIL = 'maria@exemplo.com.br';
const FIRST_PASSWORD = 'quatro cavalos e um trem';
const SECOND_PASSWORD = 'cinco cavalos e dois trens';

const fillPassword = async (page: Page, senha: string, repeated = senha): Promise<void> => {
  await page.getByLabel(/^Senha( nova)?$/).fill(senha);
  await page.getByLabel('A mesma senha outra vez').fill(repeated);
};

async function signInWith(page: Page, login: string, senha: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Entrar com senha' });
  await form.getByLabel('CPF ou e-mail').fill(login);
  await form.getByLabel('Senha').fill(senha);
  await form.getByRole('button', { name: 'Entrar' }).click();
}

inBrowser('passwords', ['dev', '--empty'], (site) => {
  test('an administrator invites a person, who sets a password, signs in by CPF and by e-mail, and changes it', async () => {
    await site.call('admin', 'POST', '/appliance/api/users', { documento: MARIA, email: EMAIL });
    const admin = await site.enter('admin', `/administracao?aba=contas&pessoa=${MARIA}`);
    await admin.page.getByRole('button', { name: 'Convidar' }).click();
    const dialog = admin.page.getByRole('dialog', { name: 'Convite' });
    const url = (await dialog.locator('code').textContent()) ?? '';
    expect(url).toStartWith(`${site.url}/convite#`);
    await dialog.getByRole('button', { name: 'Copiar o endereço' }).waitFor();
    await dialog.getByRole('button', { name: 'Já copiei' }).click();
    await admin.page.context().close();

    const { page, strangers } = await site.open(url.slice(site.url.length));
    await expectGoodPage(page, 'Definir a senha', 'convite');
    const set = page.getByRole('button', { name: 'Definir a senha' });
    await fillPassword(page, 'curta');
    await set.click();
    await page.getByText('Tem 5 caracteres; use de 12 a 200.').first().waitFor();
    await fillPassword(page, FIRST_PASSWORD, SECOND_PASSWORD);
    await set.click();
    await page.getByText('Não é igual à senha; digite a mesma.').first().waitFor();
    await fillPassword(page, 'o trem da maria azul');
    await set.click();
    await page.getByText('contém uma palavra do seu nome').first().waitFor();
    await fillPassword(page, FIRST_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Senha definida' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Entrar' }).click();

    await expectGoodPage(page, 'Entrar', 'entrar-com-senha');
    await signInWith(page, MARIA, SECOND_PASSWORD);
    expect(await refusalOn(page)).toContain('não conferem');
    await signInWith(page, '000.000.001-91', FIRST_PASSWORD);
    await page.getByRole('heading', { name: 'Painel' }).waitFor();

    const otherBrowser = await site.open('/entrar');
    await signInWith(otherBrowser.page, EMAIL, FIRST_PASSWORD);
    await otherBrowser.page.getByRole('heading', { name: 'Painel' }).waitFor();

    await page.getByRole('link', { name: 'Minha conta' }).click();
    await page.getByLabel('Senha atual').waitFor();
    await expectGoodPage(page, 'Minha conta', 'conta');
    await page.getByLabel('Senha atual').fill(SECOND_PASSWORD);
    await fillPassword(page, SECOND_PASSWORD);
    await page.getByRole('button', { name: 'Trocar a senha' }).click();
    await page.getByText('não é a senha atual').first().waitFor();
    await page.getByLabel('Senha atual').fill(FIRST_PASSWORD);
    await page.getByRole('button', { name: 'Trocar a senha' }).click();
    await page.getByText('Senha trocada.').waitFor();
    await eventually(() => page.getByLabel('Senha atual').inputValue()).toBe('');

    // The other browser must sign in again; this session continues.
    await otherBrowser.page.reload();
    await otherBrowser.page.getByRole('form', { name: 'Entrar com senha' }).waitFor();
    await otherBrowser.page.context().close();
    await page.getByRole('button', { name: 'Sair' }).click();
    await signInWith(page, MARIA, SECOND_PASSWORD);
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('an invalid invitation is reported', async () => {
    const { page } = await site.open('/convite#inventado');
    await fillPassword(page, FIRST_PASSWORD);
    await page.getByRole('button', { name: 'Definir a senha' }).click();
    expect(await refusalOn(page)).toContain('Este convite não vale');
    await page.context().close();
  });
});

inBrowser('the sign-in page of a server', ['serve', '--data', 'dados'], (site) => {
  test('shows the access key until a user has a password, then folds it', async () => {
    const executable = await builtExecutable();
    const catp = (...args: string[]): string => {
      const command = Bun.spawnSync([executable, ...args, '--data', 'dados'], { cwd: site.folder, env: {} });
      expect([args, command.exitCode]).toEqual([args, 0]);
      return command.stdout.toString();
    };
    const before = await site.open('/entrar');
    await before.page.getByLabel('Client-Id').waitFor();
    expect(await before.page.getByLabel('CPF ou e-mail').count()).toBe(0);

    catp('user', 'add', MARIA, '--nome', 'Maria Exemplo', '--administrador');
    const [invitation = ''] = catp('user', 'invite', MARIA).split('\n');
    const token = new URL(invitation).hash.slice(1);
    const answer = await fetch(`${site.url}/appliance/api/invitations/${token}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ senha: FIRST_PASSWORD }),
    });
    expect(answer.status).toBe(204);
    // An open tab checks its session when it becomes visible again.
    await before.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await before.page.getByLabel('CPF ou e-mail').waitFor();
    await before.page.context().close();
    const { page } = await site.open('/entrar');
    await page.getByLabel('CPF ou e-mail').waitFor();
    expect(await page.getByLabel('Client-Id').isVisible()).toBe(false);
    await page.getByText('Entrar com chave de acesso', { exact: true }).click();
    expect(await page.getByLabel('Client-Id').isVisible()).toBe(true);
    await signInWith(page, MARIA, FIRST_PASSWORD);
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await page.context().close();
  });
});

const smtp = await openSmtp();
afterAll(() => smtp[Symbol.asyncDispose]());
const sending = Object.entries(await emailSettings(smtp.port)).flatMap(([name, value]) => [
  '--set',
  `${name}=${value}`,
]);

inBrowser('the sign-in page where e-mails are sent', ['dev', '--empty', ...sending], (site) => {
  test('sends an invitation to a user who forgot the password', async () => {
    await site.call('admin', 'POST', '/appliance/api/users', { documento: MARIA, email: EMAIL });
    const invitation = await site.call('admin', 'POST', `/appliance/api/users/${MARIA}/invite`);
    const { url } = (await invitation.json()) as { readonly url: string };
    const first = await site.open(`/convite${new URL(url).hash}`);
    await fillPassword(first.page, FIRST_PASSWORD);
    await first.page.getByRole('button', { name: 'Definir a senha' }).click();
    await first.page.getByRole('heading', { name: 'Senha definida' }).waitFor();
    await first.page.context().close();

    const { page } = await site.open('/entrar');
    await page.getByText('Esqueci a senha').click();
    await page.getByLabel('E-mail do seu cadastro').fill('maria');
    await page.getByRole('button', { name: 'Enviar convite' }).click();
    await page.getByText('recebido').first().waitFor();
    await page.getByLabel('E-mail do seu cadastro').fill(EMAIL);
    await page.getByRole('button', { name: 'Enviar convite' }).click();
    await page.getByText(`Se alguém daqui tem o endereço ${EMAIL}`).waitFor();
    await expectGoodPage(page, 'Entrar', 'entrar-esqueci');
    await eventually(() => smtp.received.length).toBe(1);
    const [{ raw } = { raw: '' }] = smtp.received;
    const [, path = ''] =
      /https:\/\/catalogo\.empresa\.exemplo(\/convite#\S+)/.exec(partsOf({ raw }).text) ?? [];
    await page.goto(site.url + path);
    await fillPassword(page, SECOND_PASSWORD);
    await page.getByRole('button', { name: 'Definir a senha' }).click();
    await page.getByRole('heading', { name: 'Senha definida' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Entrar' }).click();
    await signInWith(page, EMAIL, SECOND_PASSWORD);
    await page.getByRole('heading', { name: 'Painel' }).waitFor();
    await page.context().close();
  });
});
