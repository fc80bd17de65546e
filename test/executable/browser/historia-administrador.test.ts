/**
 * An administrator's morning: a person gets access in one step, the instance is checked, a backup is made and
 * verified.
 */
import { expect, test } from 'bun:test';
import { describedBy } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectAccessible, expectFocus, inBrowser, screenshots, settled, signIn } from './support.ts';

const CPF = '529.982.247-25';

inBrowser('an administrator', ['dev'], (site) => {
  test('gives access in one dialog, continues after a refusal, and reads that the instance is healthy', async () => {
    await site.call('admin', 'POST', '/appliance/api/companies', {
      cpfCnpjRaiz: '44555666',
      nome: 'Passageira',
    });
    const { page, complaints } = await site.enter('admin', '/administracao');
    await settled(page);
    await page.getByRole('button', { name: 'Dar acesso a uma pessoa' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('CPF ou CNPJ').fill('529.982.247-26');
    await dialog.getByLabel('Nome').fill('Rita Nova');
    const companies = dialog.getByLabel('Empresas que representa');
    for (const search of ['12.345.678', 'passageira']) {
      await companies.fill(search);
      await companies.press('Enter');
    }
    await dialog.getByRole('button', { name: 'Retirar 44.555.666 Passageira' }).waitFor();

    // A wrong check digit is reported before anything is created.
    await dialog.getByRole('button', { name: 'Dar acesso', exact: true }).click();
    await dialog.getByText('dígitos verificadores').first().waitFor();
    expect(await (await site.call('admin', 'GET', '/appliance/api/users')).text()).not.toContain('Rita');
    await dialog.getByLabel('CPF ou CNPJ').fill(CPF);

    // Another user removes a company: the dialog lists the created records and can continue with the rest.
    await site.call('admin', 'DELETE', '/appliance/api/companies/44555666');
    await dialog.getByRole('button', { name: 'Dar acesso', exact: true }).click();
    await dialog
      .getByText('Já feito: usuário Rita Nova; representação de 12.345.678. Corrija o que falta')
      .waitFor();
    await eventually(() => describedBy(page, 'Empresas que representa')).toContain('44.555.666');
    await expectFocus(page, /^Empresas que representa/);
    await eventually(() => dialog.getByLabel('CPF ou CNPJ').isDisabled()).toBe(true);
    await screenshots(page, 'administracao-acesso');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Retirar 44.555.666 Passageira' }).click();
    await dialog.getByLabel('Último dia').fill('31/12/2036');
    await dialog.getByRole('button', { name: 'Continuar' }).click();

    await dialog.getByText('Rita Nova entra com esta chave.').waitFor();
    const [clientId = '', clientSecret = ''] = await dialog.locator('dd code').allInnerTexts();
    await dialog.getByRole('button', { name: 'Já copiei' }).click();
    await page
      .getByRole('table', { name: 'Pessoas' })
      .getByRole('row', { name: /Rita Nova.*Exemplo Importadora.*1 chave/ })
      .waitFor();
    const rita = await site.open('/produtos');
    await signIn(rita.page, clientId, clientSecret);
    await rita.page.getByRole('button', { name: 'Novo produto' }).waitFor();
    await rita.page.context().close();

    // An existing person gets one more company and a key: only the missing records are created.
    await page.getByRole('button', { name: 'Dar acesso a uma pessoa' }).click();
    await dialog.getByLabel('CPF ou CNPJ').fill(CPF);
    await dialog.getByText('Já é usuário: Rita Nova.').waitFor();
    await eventually(() => dialog.getByLabel('Nome').count()).toBe(0);
    await companies.fill('11.222.333');
    await companies.press('Enter');
    await dialog.getByRole('button', { name: 'Dar acesso', exact: true }).click();
    await dialog.getByText('Feito: representação de 11.222.333.').waitFor();
    await dialog.getByRole('button', { name: 'Já copiei' }).click();

    await page.getByRole('tab', { name: 'Diagnóstico' }).click();
    await page.getByText('O serviço aceita gravações.').waitFor();
    await page.getByRole('table', { name: 'Achados' }).getByText('Durabilidade').waitFor();
    await page.getByRole('tab', { name: 'Cópias' }).click();
    await page.getByRole('button', { name: 'Fazer cópia agora' }).click();
    await page.getByText('A última cópia é de').waitFor();
    await page.getByRole('button', { name: 'Testar restauração' }).click();
    await page.getByText('O teste de restauração de').waitFor();
    await page.getByRole('tab', { name: 'Auditoria' }).click();
    await page.getByRole('row').filter({ hasText: 'representacao 529.982.247-25' }).first().waitFor();
    // The browser also logs each refusal of the server to its console.
    expect(complaints.filter((text) => !/4\d\d/.test(text))).toEqual([]);
    await page.context().close();
  });
});
