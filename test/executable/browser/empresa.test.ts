/**
 * A page shows only the chosen company, in the current tab and in one that a link opens (contract section
 * 17).
 */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { chooseCompany, chosenCompany } from './forms.ts';
import { expectCount, importForm, inBrowser, settled } from './support.ts';

const [FIRST, SECOND] = ['12345678', '87654321'];

inBrowser('the chosen company', ['dev', '--empty', '--retry', 'none'], (site) => {
  test('limits notifications, imports and the panel to its records, except the card of all companies', async () => {
    const subscription = { evento: 'catp-prod-alterado', endpoint: 'https://nao-existe.invalid/' };
    expect((await site.call('demo', 'POST', '/portal/api/ext/webhook', subscription)).status).toBe(200);
    const product = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
    expect(
      (
        await site.call('demo', 'POST', '/catp/api/ext/produto', [
          { seq: 1, cpfCnpjRaiz: SECOND, ...product },
        ])
      ).status,
    ).toBe(200);
    const form = importForm('parafusos.json', [{ seq: 1, cpfCnpjRaiz: SECOND, ...product }]);
    expect((await site.call('demo', 'POST', '/appliance/api/imports', form)).status).toBe(202);
    for (;;) {
      const response = await site.call('demo', 'GET', '/appliance/api/deliveries?state=failed');
      if (((await response.json()) as unknown[]).length === 2) break;
    }

    const { page } = await site.enter('demo', `/notificacoes?aba=falhas&cpfCnpjRaiz=${SECOND}`);
    await page.getByText('2 falhas em').waitFor();
    await page.getByRole('tab', { name: 'Entregas' }).click();
    await expectCount(page.getByRole('main').getByRole('row'), 3);
    await chooseCompany(page, FIRST);
    await page.getByText('Nenhuma entrega').first().waitFor();
    await page.getByRole('tab', { name: 'Falhas do dia' }).click();
    await page.getByText('0 falhas em').waitFor();

    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await page.getByText('Nenhuma importação ainda.').waitFor();
    await page.getByRole('link', { name: 'Painel' }).click();
    await page.getByText('Nenhuma importação ainda.').waitFor();
    await page.getByText('Nenhuma tentativa de entrega nos últimos 7 dias.').waitFor();
    await chooseCompany(page, SECOND);
    await page.getByText('0 de 2 tentativas deram certo').waitFor();
    await page.getByRole('link', { name: 'parafusos.json' }).waitFor();
    await page.context().close();
  });

  test('of an administrator shows its records next to those of the instance, each once', async () => {
    const acts = { documento: '00000000515', cpfCnpjRaiz: FIRST, perfil: 'IMPEXP' };
    expect((await site.call('admin', 'POST', '/appliance/api/representations', acts)).status).toBe(200);
    const { page } = await site.enter('admin', `/?cpfCnpjRaiz=${FIRST}`);
    await page.getByText('Nenhuma tentativa de entrega nos últimos 7 dias.').waitFor();
    await page.getByText('0 de 2 tentativas deram certo').waitFor();
    await expectCount(page.getByText('A assinatura 1 falha desde'), 1);
    await page.context().close();
  });

  test('is the company of the opened page in another tab, also when the address does not name it', async () => {
    const { page } = await site.enter('demo', `/?cpfCnpjRaiz=${SECOND}`);
    await settled(page);
    for (const link of ['Ver resumo', 'parafusos.json']) {
      const [otherTab] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: link }).click({ button: 'middle' }),
      ]);
      await otherTab.waitForURL(({ searchParams }) => searchParams.get('cpfCnpjRaiz') === SECOND);
      await eventually(() => chosenCompany(otherTab)).toBe(SECOND);
      await otherTab.close();
    }
    await page.context().close();
  });

  test('is the company of an import that is opened by its number; an import of another company leads to the list', async () => {
    const { page } = await site.enter('demo', '/importar/1');
    await page.waitForURL(`**/importar/1?cpfCnpjRaiz=${SECOND}`);
    await eventually(() => chosenCompany(page)).toBe(SECOND);
    await settled(page);
    await eventually(() => page.title()).toBe(
      'Importação 1 · Modelo Comércio Exterior Ltda. · Validação · catp',
    );
    await chooseCompany(page, FIRST);
    await page.waitForURL(`**/importar?cpfCnpjRaiz=${FIRST}`);
    await page.context().close();
  });
});
