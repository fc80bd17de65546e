/**
 * `/atributos`: the required attributes of an NCM, and tables from the file to the day from which they are in
 * force.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { somethingHasFocus } from './keyboard.ts';
import { refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, settled, tabTo, expectCount } from './support.ts';

const TITLE = 'Atributos';
const SECOND = readFileSync(join(import.meta.dir, '../../../src/demo/attribute-table-2.json'));
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/json', buffer });

const QUEUE = '/corrigir?cpfCnpjRaiz=12345678';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

inBrowser('attributes', ['dev'], (site) => {
  test('the attributes of an NCM are found by its code and by the words of an attribute', async () => {
    const { page, complaints } = await site.enter('demo', '/atributos');
    await row(page, '0901.21.00').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-ncms');
    await page.getByLabel('NCM', { exact: true }).fill('Embalagem');
    await button(page, 'Filtrar').click();
    await row(page, 'Embalagem').first().waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('Embalagem');
    await page.getByRole('link', { name: '2204.21.00' }).click();
    await page.getByText('Quando “Produto orgânico” for Sim').waitFor();
    await page.getByText('for 01 (Certificadora nacional) ou for 02').waitFor();
    await page.getByText('Cabernet inventada').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-ncm');

    await page.getByLabel('NCM', { exact: true }).fill('0901.21.00');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'O que pede 0901.21.00' }).waitFor();
    await page.getByText('3 atributos, 2 obrigatórios (e 1 fora do catálogo), na tabela').waitFor();
    expect(new URL(page.url()).searchParams.get('ncm')).toBe('09012100');
    await page.getByLabel('NCM', { exact: true }).fill('99999999');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.getByText('não está na tabela').waitFor();
    expect(await refusalOn(page)).toContain('CADA-ER0404');
    expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
    await page.context().close();
  });

  test('a table is loaded, reviewed, and activated on a day and at once', async () => {
    const { page, complaints } = await site.enter('admin', '/atributos');
    await row(page, 'Em vigor').waitFor();
    await page.setInputFiles(
      'input[type=file]',
      file('ruim.json', Buffer.from('{"versao": 7, "listaNcm": [{}]}')),
    );
    await button(page, 'Carregar').click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await eventually(() => alert.innerText()).toContain('codigoNcm');
    await eventually(() => alert.getByRole('listitem').count()).toBeGreaterThan(1);

    await page.setInputFiles('input[type=file]', file('tabela.json', SECOND));
    await button(page, 'Carregar').click();
    await page.getByRole('heading', { name: 'O que muda com a tabela 2' }).waitFor();
    await page.getByText('2 produtos ativos deixariam de ser válidos').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-tabelas');
    await page.getByLabel('Procurar nos produtos').fill('aro');
    await page.getByText('1 de 2').waitFor();
    const [csv] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar CSV').click()]);
    expect(csv.suggestedFilename()).toBe('impacto_tabela_2.csv');

    await button(page, 'Ativar a tabela 2').click();
    await page.getByText('O sistema desativaria 2 produtos').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-ativar');
    await page.getByRole('radio', { name: 'Em um dia' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Ativar' }).click();
    await page.getByRole('alert').getByText('Informe o dia como dd/mm/aaaa.').waitFor();
    await page.getByLabel('Dia', { exact: true }).and(page.locator('[aria-invalid=true]:focus')).waitFor();
    await page.getByLabel('Dia', { exact: true }).fill('31/12/2098');
    await page.getByText('O sistema desativaria').waitFor();
    // Enter in the day field presses the button.
    await page.getByLabel('Dia', { exact: true }).press('Enter');
    await row(page, 'A partir de 31/12/2098').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-agendada');
    await button(page, 'Cancelar 31/12/2098: a entrada em vigor da tabela 2').click();
    await button(page, 'Voltar').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await button(page, 'Cancelar 31/12/2098: a entrada em vigor da tabela 2').press('Enter');
    await button(page, 'Cancelar a entrada em vigor').press('Enter');
    await page.getByText('A tabela 2 não entra mais em vigor em 31/12/2098.').waitFor();
    await row(page, 'A partir de 31/12/2098').waitFor({ state: 'detached' });
    await somethingHasFocus(page);

    await button(page, 'Ativar a tabela 2').click();
    await page.getByText('O sistema desativaria 2 produtos').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Ativar' }).click();
    await page.getByText('2 produtos desativados').waitFor();
    await page.getByRole('row', { name: /^2 .*Em vigor/ }).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('422'))).toEqual([]);
    await page.context().close();
  });

  test('deactivated products are listed by reason and NCM; one value corrects a group, which leaves the list', async () => {
    const { page, complaints } = await site.enter('demo', QUEUE);
    await page.getByRole('heading', { name: '2 produtos a corrigir' }).waitFor();
    await page.getByRole('heading', { name: 'Aro (pol) · 1 produto' }).waitFor();
    // The page shows the refused current value, a plastic capsule, next to the accepted values.
    await page.getByText('Aceita: Um valor da lista. Agora: “05” (1).').waitFor();
    await expectGoodPage(page, 'A corrigir', 'corrigir');
    const [sheet] = await Promise.all([page.waitForEvent('download'), button(page, 'Baixar XLSX').click()]);
    expect(sheet.suggestedFilename()).toMatch(/^produtos-12345678.*\.xlsx$/);

    await page.getByRole('link', { name: 'Corrigir Aro (pol) dos da NCM 8712.00.10' }).click();
    await page.getByText('1 produto', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('member')).toBe('atributo:ATT_90060');
    await expectGoodPage(page, 'A corrigir', 'corrigir-grupo');
    await button(page, 'Um valor para todos').click();
    const dialog = page.getByRole('dialog', { name: 'Alterar vários produtos' });
    await dialog.getByRole('combobox', { name: /^Aro/ }).fill('26');
    await page.keyboard.press('Enter');
    await settled(page);
    await expectGoodPage(page, 'A corrigir', 'corrigir-preencher');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await row(page, 'Bicicleta').getByText('Desativado → Ativado').waitFor();
    await button(page, 'Gravar').click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.goto(`${site.url}${QUEUE}`);
    await page.getByRole('heading', { name: '1 produto a corrigir' }).waitFor();
    await expectCount(page.getByRole('heading', { name: /^Aro/ }), 0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an NCM is found and its attributes are reached by keyboard alone', async () => {
    const { page } = await site.enter('demo', '/atributos');
    await settled(page);
    await page.keyboard.press('/');
    await expectFocus(page, 'NCM');
    await page.keyboard.type('2204');
    await page.keyboard.press('Enter');
    await row(page, '2204.21.00').waitFor();
    await tabTo(page, '2204.21.00');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'O que pede 2204.21.00' }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    await tabTo(page, 'Todas');
    await page.keyboard.press('Enter');
    await row(page, '2204.21.00').waitFor();
    await page.context().close();
  });
});

inBrowser('attributes by keyboard alone', ['dev'], (site) => {
  test('a table is loaded and activated, and the products that it deactivates are corrected', async () => {
    const admin = await site.enter('admin', '/atributos');
    await settled(admin.page);
    // The listener is registered before the key, because the event may precede a later registration.
    const chooser = admin.page.waitForEvent('filechooser');
    await tabTo(admin.page, /^Solte aqui o arquivo/);
    await admin.page.keyboard.press('Space');
    await (await chooser).setFiles(file('tabela.json', SECOND));
    await tabTo(admin.page, 'Carregar');
    await admin.page.keyboard.press('Enter');
    await admin.page.getByText('2 produtos ativos deixariam de ser válidos').waitFor();
    await tabTo(admin.page, 'Ativar a tabela 2');
    await admin.page.keyboard.press('Enter');
    await admin.page.getByText('O sistema desativaria 2 produtos').waitFor();
    await tabTo(admin.page, 'Ativar');
    await admin.page.keyboard.press('Enter');
    await admin.page.getByText('2 produtos desativados').waitFor();
    await admin.page.context().close();

    const { page } = await site.enter('demo', '/');
    await settled(page);
    await tabTo(page, 'A corrigir');
    await page.keyboard.press('Enter');
    await page.getByText('2 produtos a corrigir').waitFor();
    await tabTo(page, 'Corrigir Aro (pol) dos da NCM 8712.00.10');
    await page.keyboard.press('Enter');
    await button(page, 'Um valor para todos').waitFor();
    await tabTo(page, 'Um valor para todos');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: /^Aro/ }).waitFor();
    await tabTo(page, /^Aro/);
    await page.keyboard.type('26');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Conferir sem gravar');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Gravar' }).waitFor();
    await tabTo(page, 'Gravar');
    await page.keyboard.press('Enter');
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');

    // The panel counts deactivations by the system among all deactivated products, not in addition to them.
    await page.goto(`${site.url}/?cpfCnpjRaiz=12345678`);
    const figures = page.locator('dl.tally').first();
    await figures.getByText('Desativados, 1 pelo sistema').waitFor();
    await expectCount(figures.locator('dt'), 3);
    await page.context().close();
  });
});

inBrowser('attributes for a public agent', ['dev', '--ambiente', 'homologacao'], (site) => {
  test('a public agent reads the pending products, and is offered no change', async () => {
    const { page, complaints } = await site.enter('publico', '/corrigir?cpfCnpjRaiz=12345678');
    await page.getByText('Nenhum produto desta empresa está desativado pelo sistema.').waitFor();
    await page.getByRole('link', { name: 'Atributos' }).click();
    await page.getByRole('tab', { name: 'Tabelas' }).click();
    await row(page, 'Em vigor').waitFor();
    expect(await page.locator('input[type=file]').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Ativar' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
