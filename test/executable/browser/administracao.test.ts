/** `/administracao`: accounts, audit, backups, doctor, settings. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, settled, tabTo, expectCount } from './support.ts';

const CPF = '52998224725';
const ROOT = '44555666';
const TITLE = 'Administração';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

// Any origin is allowed, so the diagnosis shows a warning.
inBrowser('administration', ['dev', '--empty', '--set', 'cors.origens=*'], (site) => {
  test('creates and removes a company, a user, its representation and its access key', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao');
    await row(page, 'Maria Demonstração').first().waitFor();
    await expectGoodPage(page, TITLE, 'administracao-contas');

    await button(page, 'Nova empresa').click();
    await page.getByLabel('CPF/CNPJ raiz').fill(ROOT);
    await page.getByLabel('Nome').fill('Empresa <b>Nova</b> ‮ Ltda.');
    await button(page, 'Salvar').click();
    await row(page, '44.555.666').waitFor();
    await eventually(() => row(page, '44.555.666').innerText()).toContain('<b>Nova</b>');

    await row(page, '44.555.666').getByRole('button', { name: 'Editar' }).click();
    await page.getByLabel('Nome').fill('Empresa de Teste');
    await page.getByLabel('CNPJ da matriz').fill('12345678000195');
    await button(page, 'Salvar').click();
    const alert = dialog(page).getByRole('alert');
    await alert.getByText('deve começar pela raiz').waitFor();
    expect(await refusalOn(page)).toMatch(/CATP-ER\d+|PLAT-ER\d+|[A-Z]{4}-ER\d+/);
    await eventually(() => page.getByLabel('CNPJ da matriz').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('CNPJ da matriz').fill('');
    await button(page, 'Salvar').click();
    await row(page, 'Empresa de Teste').waitFor();

    await button(page, 'Novo usuário').click();
    await page.getByLabel('CPF ou CNPJ').fill('52998224726');
    await page.getByLabel('Nome').fill('Rita Teste');
    await button(page, 'Salvar').click();
    await dialog(page).getByText('dígitos verificadores').first().waitFor();
    await eventually(() => page.getByLabel('CPF ou CNPJ').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('CPF ou CNPJ').and(page.locator(':focus')).waitFor();
    expect(await (await site.call('admin', 'GET', '/appliance/api/users')).text()).not.toContain(
      '52998224726',
    );
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await button(page, 'Salvar').click();
    await row(page, '529.982.247-25').waitFor();

    // The list has the people; the page of a person has companies, keys and sessions.
    await page.getByRole('link', { name: 'Rita Teste' }).click();
    await page.getByRole('heading', { name: 'Rita Teste' }).waitFor();
    expect(new URL(page.url()).searchParams.get('pessoa')).toBe(CPF);
    await button(page, 'Nova representação').click();
    await page.getByLabel('CPF/CNPJ raiz').fill(ROOT);
    await button(page, 'Salvar').click();
    await row(page, 'Empresa de Teste').filter({ hasText: 'IMPEXP' }).waitFor();

    await button(page, 'Nova chave').click();
    for (const [input, message] of [
      ['amanhã', 'escreva o dia como dd/mm/aaaa'],
      ['14/01/2026', 'que já passou'],
    ] as const) {
      await page.getByLabel('Último dia').fill(input);
      await button(page, 'Salvar').click();
      await dialog(page).getByText(message).first().waitFor();
      await eventually(() => page.getByLabel('Último dia').getAttribute('aria-invalid')).toBe('true');
    }
    await page.getByLabel('Último dia').fill('31/12/2036');
    await button(page, 'Salvar').click();
    await page.locator('.administration-key code').nth(1).waitFor();
    const [id = '', secret = ''] = await page.locator('.administration-key code').allInnerTexts();
    await expectGoodPage(page, TITLE, 'administracao-chave');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Copiar Client-Secret').click();
    await dialog(page).getByText('Copiado').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await button(page, 'Já copiei').click();
    await row(page, id).waitFor();
    await eventually(() => row(page, id).innerText()).toMatch(/31\/12\/2036 23:59\s+nenhum/);
    expect(await page.content()).not.toContain(secret);

    await expectGoodPage(page, TITLE, 'administracao-pessoa');

    const entered = (): Promise<Response> =>
      fetch(`${site.url}/portal/api/autenticar/chave-acesso`, {
        method: 'POST',
        headers: { 'client-id': id, 'client-secret': secret, 'role-type': 'IMPEXP' },
      });
    const { headers } = await entered();
    await page.reload();
    await row(page, id).waitFor();
    await eventually(() => row(page, id).innerText()).toMatch(
      /31\/12\/2036 23:59\s+\d\d\/\d\d\/\d{4} \d\d:00/,
    );

    const focusInside = async (): Promise<number> => {
      const tokens = {
        authorization: headers.get('set-token') ?? '',
        'x-csrf-token': headers.get('x-csrf-token') ?? '',
      };
      return (await fetch(`${site.url}/appliance/api/session`, { headers: tokens })).status;
    };
    expect(await focusInside()).toBe(200);
    await button(page, 'Encerrar sessões').click();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Encerrar sessões');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('button', { name: 'Encerrar sessões' }).click();
    await page.getByText('As sessões de Rita Teste foram encerradas.').waitFor();
    expect(await focusInside()).toBe(401);

    await row(page, id).getByRole('button', { name: 'Excluir' }).click();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Excluir');
    await row(page, id).getByRole('button', { name: 'Excluir' }).click();
    await dialog(page).getByRole('button', { name: 'Excluir' }).click();
    await row(page, id).waitFor({ state: 'detached' });
    expect((await entered()).status).not.toBe(200);

    await page.locator('.card', { hasText: 'Rita Teste' }).getByRole('button', { name: 'Excluir' }).click();
    await dialog(page).getByText('representações').waitFor();
    await dialog(page).getByRole('button', { name: 'Excluir' }).click();
    // The page of the person also has a row of this company, so the test waits for the list of people first.
    await page.getByRole('table', { name: 'Pessoas' }).waitFor();
    await row(page, '529.982.247-25').first().waitFor({ state: 'detached' });

    await row(page, 'Empresa de Teste').getByRole('button', { name: 'Excluir' }).click();
    await dialog(page).getByRole('button', { name: 'Excluir' }).click();
    await row(page, 'Empresa de Teste').waitFor({ state: 'detached' });
    const company = page.getByRole('table', { name: 'Empresas' }).getByRole('row', { name: /12\.345\.678/ });
    await company.getByRole('button', { name: 'Excluir' }).click();
    await dialog(page).getByRole('button', { name: 'Excluir' }).click();
    await dialog(page).getByRole('alert').getByText('é representada por').waitFor();
    await page.keyboard.press('Escape');
    await company.waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('42'))).toEqual([]);
    await page.context().close();
  });

  test('accepts a number with wrong check digits at the second press', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await button(page, 'Novo usuário').click();
    await page.getByLabel('CPF ou CNPJ').fill('11122233344');
    await page.getByLabel('Nome').fill('Agente de Fora');
    await page.getByLabel('Tipo').selectOption('PUBL');
    await page.getByLabel('Órgão').fill('ANVISA');
    await button(page, 'Salvar').click();
    await dialog(page).getByText('dígitos verificadores').first().waitFor();
    await button(page, 'Salvar').click();
    await row(page, '111.222.333-44').waitFor();
    await eventually(() => row(page, '111.222.333-44').innerText()).toContain('ANVISA');
    await page.context().close();
  });

  test('filters the audit by the address and by the fields', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao?aba=auditoria&subject=chave+demo');
    await row(page, 'chave demo').first().waitFor();
    await expectCount(page.getByRole('row'), 2);
    await page.getByLabel('Assunto').fill('usuario');
    await button(page, 'Filtrar').click();
    await row(page, 'usuario 000.000.001-91').waitFor();
    expect(new URL(page.url()).searchParams.get('subject')).toBe('usuario');
    await page.getByLabel('Quem').fill('ninguém');
    await button(page, 'Filtrar').click();
    await page.getByText('Nenhuma mudança com esses filtros.').waitFor();
    await page.getByLabel('Quem').fill('');
    await page.getByLabel('Assunto').fill('');
    await button(page, 'Filtrar').click();
    await row(page, 'empresa 12.345.678').waitFor();
    await expectGoodPage(page, TITLE, 'administracao-auditoria');
    await page.getByLabel('Assunto').fill('chave');
    await button(page, 'Filtrar').click();
    await page.waitForURL('**subject=chave');
    const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar CSV').click()]);
    expect(file.suggestedFilename()).toBe('auditoria.csv');
    const [headings, ...entries] = (await Bun.file(await file.path()).text()).trim().split('\r\n');
    expect(headings).toContain('Nº;Quando;Quem;');
    expect(entries.filter((entry) => !/;chave /.test(entry))).toEqual([]);
    expect(entries.length).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('creates a backup and tests a restore; shows doctor and settings', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao?aba=copias');
    await page.getByText('Nenhuma cópia foi feita').waitFor();
    await button(page, 'Fazer cópia agora').click();
    await row(page, 'catp-2').waitFor();
    await button(page, 'Testar restauração').click();
    await page.getByText('O teste de restauração de').waitFor();
    await expectGoodPage(page, TITLE, 'administracao-copias');

    await page.getByRole('tab', { name: 'Diagnóstico' }).click();
    await page.getByText('O serviço aceita gravações.').waitFor();
    await row(page, 'Atenção').getByText('O que fazer').first().waitFor();
    await expectGoodPage(page, TITLE, 'administracao-diagnostico');

    await page.getByRole('tab', { name: 'Configurações' }).click();
    await row(page, 'ambiente').first().waitFor();
    await page.getByLabel('Procurar').fill('porta HTTP');
    await row(page, 'alterada').waitFor();
    await expectGoodPage(page, TITLE, 'administracao-configuracoes');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('adds a user and walks the tabs by keyboard alone', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await settled(page);
    await tabTo(page, 'Novo usuário');
    await page.keyboard.press('Enter');
    await page.keyboard.type('98765432100');
    await tabTo(page, 'Nome');
    await page.keyboard.type('Teclado da Silva');
    await page.keyboard.press('Enter');
    await row(page, 'Teclado da Silva').waitFor();
    await expectFocus(page, 'Novo usuário');
    await page.reload();
    await settled(page);
    await tabTo(page, 'Contas');
    await page.keyboard.press('ArrowRight');
    await row(page, 'usuario 987.654.321-00').waitFor();
    expect(new URL(page.url()).searchParams.get('aba')).toBe('auditoria');
    await page.context().close();
  });
});
