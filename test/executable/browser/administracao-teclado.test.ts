/** `/administracao` by keyboard alone: each dialog is used once and keeps the focus. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { somethingHasFocus, tabToIn } from './keyboard.ts';
import { eventually } from '../../support/eventually.ts';
import { expectFocus, inBrowser, settled, tabTo } from './support.ts';

const ROOT = '44555666';

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Presses the focused button, which opens the dialog. */
async function pressToOpen(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Enter');
  await dialog(page, title).waitFor();
}

inBrowser('administration by keyboard alone', ['dev', '--empty'], (site) => {
  test('adds, changes and removes a company', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao');
    await row(page, 'Maria Demonstração').first().waitFor();
    await tabTo(page, 'Nova empresa');
    await pressToOpen(page, 'Nova empresa');
    await expectFocus(page, 'CPF/CNPJ raiz');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Nova empresa');
    await pressToOpen(page, 'Nova empresa');
    await page.keyboard.type(ROOT);
    await page.keyboard.press('Enter');
    await dialog(page, 'Nova empresa').getByRole('alert').waitFor();
    await expectFocus(page, 'Nome');
    await page.keyboard.type('Empresa do Teclado');
    await page.keyboard.press('Enter');
    await row(page, '44.555.666').waitFor();
    await expectFocus(page, 'Nova empresa');

    await tabToIn(page, 'tr', '44.555.666', 'Editar');
    await pressToOpen(page, 'Alterar Empresa do Teclado');
    await expectFocus(page, 'Nome');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Empresa Renomeada');
    await page.keyboard.press('Enter');
    await row(page, 'Empresa Renomeada').waitFor();
    await expectFocus(page, 'Editar');

    await tabToIn(page, 'tr', '44.555.666', 'Excluir');
    await pressToOpen(page, 'Excluir Empresa Renomeada?');
    await expectFocus(page, 'Excluir');
    await page.keyboard.press('Enter');
    await row(page, '44.555.666').waitFor({ state: 'detached' });
    // The list of the removed row gets the focus, so Tab continues from it.
    await somethingHasFocus(page);
    await eventually(() =>
      page.evaluate(() => document.activeElement?.querySelector('h2')?.textContent),
    ).toBe('Empresas');
    expect(complaints.filter((complaint) => !/status of 4/.test(complaint))).toEqual([]);
    await page.context().close();
  });

  test('opens a person, adds a representation and removes it', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await row(page, 'Maria Demonstração').first().waitFor();
    await tabTo(page, 'Maria Demonstração');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Nova representação');
    await pressToOpen(page, 'Nova representação');
    await expectFocus(page, 'CPF/CNPJ raiz');
    await page.keyboard.type('11222333');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // Enter in a list does not send the form; the button does.
    await tabTo(page, 'Salvar');
    await page.keyboard.press('Enter');
    await row(page, 'DEPOSIT').waitFor();
    await expectFocus(page, 'Nova representação');
    await tabToIn(page, 'tr', 'DEPOSIT', 'Excluir');
    await pressToOpen(page, 'Excluir a representação de 11.222.333?');
    await page.keyboard.press('Enter');
    await row(page, 'DEPOSIT').waitFor({ state: 'detached' });
    await somethingHasFocus(page);
    await tabTo(page, 'Todas as pessoas', 90);
    await page.keyboard.press('Enter');
    await row(page, 'Maria Demonstração').waitFor();
    await somethingHasFocus(page);
    await page.context().close();
  });

  test('creates a key, copies it, hides it afterwards and revokes it', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row(page, 'Maria Demonstração').first().waitFor();
    await tabTo(page, 'Maria Demonstração');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Nova chave', 90);
    await pressToOpen(page, 'Nova chave');
    await expectFocus(page, 'Último dia');
    await tabTo(page, 'Salvar');
    await page.keyboard.press('Enter');
    const created = dialog(page, 'Chave criada');
    await created.waitFor();
    await tabTo(page, 'Copiar Client-Id');
    await page.keyboard.press('Enter');
    await created.getByText('Copiado').first().waitFor();
    const clientId = await page.evaluate(() => navigator.clipboard.readText());
    await tabTo(page, 'Já copiei');
    await page.keyboard.press('Enter');
    await row(page, clientId).waitFor();
    await expectFocus(page, 'Nova chave');
    await tabToIn(page, 'tr', clientId, 'Excluir');
    await pressToOpen(page, `Excluir a chave ${clientId}?`);
    await page.keyboard.press('Enter');
    await row(page, clientId).waitFor({ state: 'detached' });
    await somethingHasFocus(page);
    await page.context().close();
  });

  test('filters the audit, reports an invalid day at its field, and restores the filter on the way back', async () => {
    const { page } = await site.enter('admin', '/administracao');
    await settled(page);
    await tabTo(page, 'Contas');
    await page.keyboard.press('ArrowRight');
    await row(page, 'empresa 12.345.678').first().waitFor();
    await page.keyboard.press('/');
    await expectFocus(page, 'Desde');
    await page.keyboard.type('31/02/2026');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Desde').and(page.locator('[aria-invalid=true]')).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await tabTo(page, 'Assunto');
    await page.keyboard.type('chave demo');
    await page.keyboard.press('Enter');
    await row(page, 'empresa 12.345.678').first().waitFor({ state: 'detached' });
    await row(page, 'chave demo').first().waitFor();
    await expectFocus(page, 'Assunto');
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('subject'));
    await eventually(() => page.getByLabel('Assunto').inputValue()).toBe('');
    await page.context().close();
  });

  test('creates a backup and tests a restore; searches for a setting', async () => {
    const { page } = await site.enter('admin', '/administracao?aba=copias');
    await page.getByText('Nenhuma cópia foi feita').waitFor();
    await tabTo(page, 'Fazer cópia agora');
    await page.keyboard.press('Enter');
    await row(page, 'catp-2').waitFor();
    await expectFocus(page, 'Fazer cópia agora');
    await tabTo(page, 'Testar restauração');
    await page.keyboard.press('Enter');
    await page.getByText('O teste de restauração de').waitFor();
    await expectFocus(page, 'Testar restauração');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expectFocus(page, 'Cópias');
    await page.keyboard.press('End');
    await expectFocus(page, 'Configurações');
    await page.getByText('Só para ler').waitFor();
    await page.keyboard.press('/');
    await expectFocus(page, 'Procurar');
    await page.keyboard.type('porta HTTP');
    await row(page, 'alterada').waitFor();
    // Typed text adds no entry to the browser history.
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('configuracoes'));
    await page.context().close();
  });
});
