/**
 * The first run of an instance, and a new client: the table, the steps, the copied people, and their changes.
 */
import { afterAll, expect, test } from 'bun:test';
import { tableFile } from '../../catalogue/attribute/support.ts';
import { openOrigin } from '../../support/origin.ts';
import { chooseCompany } from './forms.ts';
import { expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

const origin = await openOrigin('http');
origin.serves(JSON.stringify(tableFile('7', { '7318.15.00': [{ codigo: 'ATT_1', obrigatorio: false }] })));
afterAll(() => origin[Symbol.asyncDispose]());

inBrowser('a first run', ['dev', '--empty'], (site) => {
  test('leads an administrator to the table, which is fetched from the address that the page names', async () => {
    const { page, complaints } = await site.enter('admin', '/');
    await page.getByRole('heading', { name: 'Primeiros passos' }).waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'primeiros-passos');
    await tabTo(page, 'Buscar a tabela');
    await page.keyboard.press('Enter');
    const address = page.getByLabel('Endereço');
    await address.waitFor();
    expect(await address.inputValue()).toContain('https://portalunico.siscomex.gov.br/cadatributos/');
    await settled(page);
    await expectGoodPage(page, 'Atributos', 'primeira-tabela');
    await address.fill(origin.url);
    await page.getByRole('button', { name: 'Buscar agora' }).click();
    await page.getByText('Tabela 7 carregada: 1 NCM.').waitFor();
    await page.getByRole('row', { name: /^7 Carregada/ }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('gives a new client the people of another, and shows what was done in it', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao?aba=contas');
    await page.getByRole('button', { name: 'Nova empresa' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('CPF/CNPJ raiz').fill('45543915');
    await dialog.getByLabel('Nome').fill('Cliente 30 Ltda.');
    await dialog.getByLabel('As mesmas pessoas que').selectOption('87654321');
    await expectGoodPage(page, 'Administração', 'mesmas-pessoas');
    await dialog.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Empresa Cliente 30 Ltda. salva.').waitFor();
    await page.getByRole('button', { name: 'Dar acesso a várias' }).click();
    await dialog
      .getByLabel('Lista')
      .fill('documento;nome;email;empresa;papel\n00000000191;Maria;;45543915;leitura');
    await dialog.getByText('Cliente 30 Ltda.').waitFor();
    await page.context().close();

    const product = { denominacao: 'Parafuso', modalidade: 'IMPORTACAO', ncm: '73181500' };
    expect((await site.call('demo', 'POST', '/catp/api/ext/produto/45543915', product)).status).toBe(200);
    const demo = await site.enter('demo', '/');
    await settled(demo.page);
    await chooseCompany(demo.page, '45543915');
    await demo.page.getByRole('link', { name: 'O que foi feito' }).click();
    await demo.page.getByText('produto 45.543.915/1').first().waitFor();
    await settled(demo.page);
    await expectGoodPage(demo.page, 'O que foi feito', 'auditoria-empresa');
    expect([...complaints, ...demo.complaints]).toEqual([]);
    await demo.page.context().close();
  });
});
