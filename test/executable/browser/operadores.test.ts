/** `/operadores` and `/operadores/{cpfCnpjRaiz}/{codigo}`: find, add, change, look back, deactivate. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, PHONE, settled, tabTo } from './support.ts';

const RAIZ = '12345678';
const OPERATORS = '/catp/api/ext/operador-estrangeiro';
const operator = (nome: string, members: object = {}) => ({
  nome,
  logradouro: 'Rua do Porto 10',
  nomeCidade: 'Cidade do Porto',
  ...members,
});

const fillIn = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
};

// The batch operations are off, as in the public service: no page requires them.
inBrowser('operators', ['dev', '--empty', '--set', 'operacoesDescontinuadas=false'], (site) => {
  test('an operator is added, versioned, rectified, compared, read at a past day and deactivated', async () => {
    const { page, complaints, strangers } = await site.enter('demo', '/operadores');
    await page.getByText('Ainda não há operadores estrangeiros').waitFor();
    await expectGoodPage(page, 'Operadores estrangeiros', 'operadores-vazio');
    await page.getByRole('button', { name: 'Novo operador' }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await eventually(() => page.getByRole('alert').innerText()).toContain('Corrija os campos indicados.');
    for (const label of ['Nome', 'País', 'Logradouro', 'Cidade'])
      await eventually(() => page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
    await expectFocus(page, /Nome/);

    await fillIn(page, { Nome: 'Müller & Söhne GmbH', País: 'DE', Logradouro: 'Hauptstraße 1' });
    await fillIn(page, { Cidade: 'Köln', TIN: 'DE123456789', 'Código interno': '0007', 'E-mail': 'ninguem' });
    await fillIn(page, { 'Subdivisão (ISO 3166-2)': 'BR-SP' });
    await page.getByRole('button', { name: 'Mais uma identificação' }).click();
    await fillIn(page, { 'Número 1': '4012345000009', 'Agência 1 (UN/EDIFACT 3055)': '9' });
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').waitFor();
    await page.locator('[aria-invalid=true]').first().waitFor();
    await eventually(() => page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true');
    await expectGoodPage(page, 'Novo operador', 'operadores-novo');
    await fillIn(page, { 'E-mail': 'contato@example.com' });
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('BR-SP').first().waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await fillIn(page, { 'Subdivisão (ISO 3166-2)': 'DE-NW' });
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Müller & Söhne GmbH' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/operadores/${RAIZ}/OPE_1`);

    await page.getByRole('button', { name: 'Nova versão' }).click();
    await page.getByLabel('Nome').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
    await eventually(() => page.getByLabel('Cidade').inputValue()).toBe('Köln');
    await fillIn(page, { Cidade: 'Bonn', TIN: '' });
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { name: 'Versão 2', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Retificar' }).click();
    await page.getByLabel('Nome').fill('Müller GmbH');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Müller GmbH' }).waitFor();

    await page.getByLabel('De', { exact: true }).selectOption('1');
    await page.getByLabel('Para', { exact: true }).selectOption('2.1');
    await page.getByRole('button', { name: 'Comparar' }).click();
    await page.getByText('3 diferenças').waitFor();
    const differing = await page.locator('.versions-differences tbody tr').allInnerTexts();
    expect(differing.map((row) => row.split(/[\t\n]/)[0])).toEqual(['TIN', 'Nome', 'Cidade']);
    await settled(page);
    await expectGoodPage(page, 'Müller GmbH', 'operador');

    // The test deactivates the first version alone, then the version in force.
    await page.getByRole('button', { name: 'Versão 1', exact: true }).click();
    await page.getByRole('heading', { name: 'Versão 1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Desativar' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('o operador continua como está').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Desativar');
    await page.getByRole('button', { name: 'Versão 2.1' }).click();
    await page.getByRole('heading', { name: 'Versão 2.1' }).waitFor();
    await page.getByRole('button', { name: 'Desativar' }).click();
    await dialog.getByRole('button', { name: 'Desativar' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('desativada em').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Desativar' }).count()).toBe(0);

    // The browser also logs each refusal to its console.
    expect({ complaints: complaints.filter((text) => !/status of 4/.test(text)), strangers }).toEqual({
      complaints: [],
      strangers: [],
    });
    await page.context().close();
  });

  test('the address keeps filters, order and the deactivated operators, and the sheet has the shown rows', async () => {
    const names = ['Ágata SA', 'Bravo Ltd', 'Çelik AŞ'];
    for (const [at, nome] of names.entries())
      await site.call('demo2', 'POST', `${OPERATORS}/${RAIZ}/${['AR', 'CN', 'TR'][at]}`, operator(nome));
    const { page, complaints } = await site.enter('demo2', `/operadores?cpfCnpjRaiz=${RAIZ}&order=-nome`);
    await page.getByText('3 operadores').waitFor();
    const namesInTable = () => page.locator('tbody tr:not(.virtual-space) a').allInnerTexts();
    await eventually(() => namesInTable()).toEqual([...names].reverse());
    await page.getByLabel('País').fill('China');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('1 operador', { exact: true }).waitFor();
    await eventually(() => namesInTable()).toEqual(['Bravo Ltd']);
    expect(new URL(page.url()).searchParams.get('paisOrigem')).toBe('CN');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    const sheet = await Bun.file(await file.path()).text();
    expect(sheet).toContain('Bravo Ltd');
    expect(sheet).not.toContain('Ágata');
    expect(sheet.split('\r\n')[0]).toContain('Logradouro');
    await page.getByLabel('Como na tela').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    expect((await Bun.file(await download.path()).text()).split('\r\n')[0]).toEndWith(
      'Código;Nome;País;TIN;Código interno;Versão;Situação',
    );

    await page.goto(`${site.url}/operadores?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('3 operadores').waitFor();
    await page.getByLabel('Mostrar também os desativados').check();
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('4 operadores').waitFor();
    await page.getByText('Desativado', { exact: true }).waitFor();
    await expectGoodPage(page, 'Operadores estrangeiros', 'operadores');
    await page.getByLabel('Nome').fill('não há');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('Nenhum operador com esses filtros.').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a version that is valid from a past day is created, and a day shows the version in force', async () => {
    const response = await site.call('demo', 'POST', `${OPERATORS}/87654321/PT`, operator('Retro Lda'));
    const { codigo } = (await response.json()) as { codigo: string };
    const { page } = await site.enter('demo', `/operadores/87654321/${codigo}?editar=versao`);
    await page.getByLabel('Vale desde').fill('01/02/2020');
    await page.getByLabel('Nome').fill('Retro Antiga Lda');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.locator('.versions').getByText('Valeu de 01/02/2020').waitFor();
    await eventually(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('Retro Lda');
    await page.getByLabel('Como estava em').fill('15/03/2020');
    await page.getByText('No fim de 15/03/2020 valia a versão 2.').waitFor();
    await page.getByRole('heading', { name: 'Versão 2', exact: true }).waitFor();
    await page.locator('dl').getByText('Retro Antiga Lda').waitFor();
    // The timeline shows the changes of a version.
    await page.locator('ol').getByText('Retro Antiga Lda').waitFor();
    await page.getByLabel('Como estava em').fill('31/01/2020');
    await page.getByText('No fim de 31/01/2020 nenhuma versão estava em vigor.').waitFor();
    await page.context().close();
  });

  test('a new operator is valid from a past day, and its subdivision is found by name', async () => {
    const { page } = await site.enter('demo', '/operadores?cpfCnpjRaiz=87654321&novo=1');
    await page.getByLabel('Vale desde').fill('01/02/2020');
    await page.getByLabel('País').fill('DE');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').getByText('Nome: obrigatório').waitFor();
    await fillIn(page, { Nome: 'Früher GmbH', Logradouro: 'Weg 1', Cidade: 'München' });
    await page.getByLabel('Subdivisão (ISO 3166-2)').fill('bayern');
    await page.getByRole('option', { name: 'DE-BY Bayern' }).click();
    await page.getByLabel('Vale desde').fill('01/02/2999');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByLabel('Vale desde').and(page.locator('[aria-invalid=true]')).waitFor();
    await eventually(() => page.getByRole('alert').innerText()).toContain('O operador não foi incluído.');
    await page.getByLabel('Vale desde').fill('01/02/2020');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { level: 1, name: 'Früher GmbH' }).waitFor();
    await page.locator('.versions').getByText('Em vigor desde 01/02/2020').waitFor();
    await page.getByText('DE-BY').waitFor();
    await page.context().close();
  });

  test('a refused filter is reported at its field; a user without access is refused with code and tag', async () => {
    const { page } = await site.enter('demo', `/operadores?cpfCnpjRaiz=${RAIZ}&codigo=${'9'.repeat(36)}`);
    await page.getByRole('alert').waitFor();
    await eventually(() => page.getByLabel('Código', { exact: true }).getAttribute('aria-invalid')).toBe(
      'true',
    );
    await page.context().close();
    const stranger = await site.enter('estranho', `/operadores/${RAIZ}/OPE_1`);
    await stranger.page.getByText('não é representante legal').waitFor();
    expect(await refusalOn(stranger.page)).toMatch(/-ER0403 \[/);
    await stranger.page.context().close();
  });

  test('the keyboard alone adds an operator', async () => {
    const { page } = await site.enter('demo', '/operadores?cpfCnpjRaiz=87654321');
    await page.getByText('2 operadores').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Novo operador' }).waitFor();
    await tabTo(page, 'Nome');
    await page.keyboard.type('Teclado Ltd');
    await tabTo(page, 'País');
    await page.keyboard.type('urug');
    await page.keyboard.press('Enter');
    await eventually(() => page.getByLabel('País').inputValue()).toBe('UY · Uruguai');
    await tabTo(page, 'Logradouro');
    await page.keyboard.type('Calle 1');
    await tabTo(page, 'Cidade');
    await page.keyboard.type('Montevidéu');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Teclado Ltd' }).waitFor();
    await tabTo(page, 'Desativar');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectFocus(page, 'Desativar');
    await page.keyboard.press('Enter');
    await page.getByText('desativada em').waitFor();
    await page.context().close();
  });
});

// In `producao` private and public users share an instance.
inBrowser('operators for a read-only user', ['dev', '--empty', '--set', 'ambiente=producao'], (site) => {
  test('offer no change, and show markup as text', async () => {
    const nome = '<img src=x onerror=alert(1)>\u202Eabc\u200B'.padEnd(69, 'W');
    const response = await site.call('demo', 'POST', `${OPERATORS}/87654321/CL`, operator(nome));
    const { codigo } = (await response.json()) as { codigo: string };
    const { page, complaints } = await site.enter('publico', `/operadores/87654321/${codigo}`, {
      viewport: PHONE,
    });
    await page.getByRole('heading', { level: 1, name: /<img src=x/ }).waitFor();
    await page.getByText('Nenhum produto o tem como fabricante.').waitFor();
    for (const name of ['Nova versão', 'Retificar', 'Desativar'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await expectGoodPage(page, nome.trim(), 'operador-hostil');
    await page.goto(`${site.url}/operadores/87654321/OPE_99`);
    await page.getByText('não está neste catálogo').waitFor();
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.context().close();
  });
});
