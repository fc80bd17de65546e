/** `Minha conta`: the e-mail address and the notices of a person (contract section 27). */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, settled } from './support.ts';

inBrowser('the account of the user', ['dev', '--empty'], (site) => {
  test('stores the address and the notices of a person, also by keyboard', async () => {
    const { page } = await site.enter('demo', '/');
    await page.getByRole('link', { name: 'Minha conta' }).click();
    await page.waitForURL('**/conta');
    await settled(page);
    await page.getByText('Esta instalação ainda não envia e-mails.').waitFor();
    await expectGoodPage(page, 'Minha conta', 'conta');

    const email = page.getByRole('textbox', { name: 'E-mail' });
    await email.fill('maria');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await eventually(() => email.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('um endereço de e-mail, como nome@empresa.exemplo').first().waitFor();

    await email.fill('maria@empresa.exemplo');
    const imports = page.getByRole('group', { name: 'Quando: Importações' });
    await imports.getByRole('radio', { name: 'Nunca' }).focus();
    await page.keyboard.press('ArrowLeft');
    await eventually(() => imports.getByRole('radio', { name: 'Diário' }).isChecked()).toBe(true);
    await page.getByRole('group', { name: 'Quando: Produtos desativados' }).getByText('Na hora').click();
    await email.press('Enter');
    await page.getByText('Salvo.').waitFor();
    expect(await (await site.call('demo', 'GET', '/appliance/api/me')).json()).toMatchObject({
      email: 'maria@empresa.exemplo',
      avisos: { importacoes: 'diario', desativados: 'imediato', prazos: 'diario', remotos: 'nunca' },
    });

    await page.reload();
    await settled(page);
    await eventually(() => page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe(
      'maria@empresa.exemplo',
    );
    expect(await imports.getByRole('radio', { name: 'Diário' }).isChecked()).toBe(true);
    await page.context().close();
  });
});
