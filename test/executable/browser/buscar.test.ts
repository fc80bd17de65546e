/** `Buscar`: one field for all records of a company, on every page, by keyboard and by mouse. */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectAccessible, expectFocus, inBrowser } from './support.ts';

const RAIZ = '12345678';

inBrowser('the global search', ['dev', '--empty'], (site) => {
  test('leads from any page to a record, by keyboard alone; Escape returns the focus', async () => {
    for (const denominacao of ['Parafuso sextavado', 'Arruela lisa'])
      await site.call('demo', 'POST', `/catp/api/ext/produto/${RAIZ}`, {
        denominacao,
        modalidade: 'IMPORTACAO',
        ncm: '73181500',
        codigosInterno: [`K-${denominacao.length}`],
      });
    await site.call('demo', 'POST', `/catp/api/ext/operador-estrangeiro/${RAIZ}/DE`, {
      nome: 'Muster Schrauben',
      logradouro: 'Rua 1',
      nomeCidade: 'Berlin',
    });
    const { page, complaints } = await site.enter('demo', '/notificacoes');
    await page.getByRole('button', { name: 'Buscar' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).waitFor();
    await expectFocus(page, /Buscar/);
    await page.keyboard.type('sext para');
    await page.getByRole('dialog').getByRole('link', { name: 'Parafuso sextavado' }).waitFor();
    await expectAccessible(page);
    // The check emulates print, where the dialog is hidden and loses the focus.
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/produtos/${RAIZ}/1`);

    const button = page.getByRole('button', { name: 'Buscar' });
    await button.click();
    await page.keyboard.type('zzz');
    await page.getByText('Nada foi encontrado.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, /Buscar/);

    await button.click();
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).fill('schrauben');
    await page.getByRole('dialog').getByRole('link', { name: 'Muster Schrauben' }).click();
    await page.waitForURL((url) => url.pathname === `/operadores/${RAIZ}/OPE_1`);

    // The link shows all matching operators, also deactivated ones.
    await site.call('demo', 'PUT', `/catp/api/ext/operador-estrangeiro/desativar/${RAIZ}/DE/OPE_1/1`);
    await button.click();
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).fill('schrauben muster');
    await page.getByRole('link', { name: /^Ver todos os operadores na lista/ }).click();
    await page.waitForURL((url) => url.pathname === '/operadores');
    await page.getByText('1 operador', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Muster Schrauben' }).waitFor();
    expect(await page.getByLabel('Palavras').inputValue()).toBe('schrauben muster');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('lists the companies that import an NCM, also by arrows and Enter, and leads to the list of one of them', async () => {
    const products = ['12345678', '87654321'].map((cpfCnpjRaiz, index) => ({
      seq: index + 1,
      cpfCnpjRaiz,
      denominacao: `Telefone ${index + 1}`,
      modalidade: 'IMPORTACAO',
      ncm: '85171300',
    }));
    expect((await site.call('demo', 'POST', '/catp/api/ext/produto', products)).status).toBe(200);
    const { page, complaints } = await site.enter('demo', '/conta');
    await page.getByRole('button', { name: 'Buscar' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('8517.13.00');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('status').getByText('2 produtos.').waitFor();
    await dialog.getByRole('heading', { name: 'Em 2 empresas' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await expectFocus(page, 'Telefone 1');
    await page.keyboard.press('ArrowDown');
    await expectFocus(page, 'Telefone 2');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, /Buscar/);
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname, searchParams }) => {
      const [raiz, text] = ['cpfCnpjRaiz', 'text'].map((name) => searchParams.get(name));
      return pathname === '/produtos' && raiz === '87654321' && text === '85171300';
    });
    await page.getByText('1 produto', { exact: true }).waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('87.654.321');
    await dialog.getByRole('link', { name: 'Modelo Comércio Exterior Ltda.' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(({ pathname, search }) => pathname === '/' && search === '?cpfCnpjRaiz=87654321');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('sends the next query after the answer to the last one, and Enter waits for its answer', async () => {
    const { page } = await site.enter('demo', '/conta');
    await page.getByRole('button', { name: 'Buscar' }).waitFor();
    const searchTexts: (string | null)[] = [];
    let release = (): void => undefined;
    const first = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/appliance/api/search?**', async (route) => {
      searchTexts.push(new URL(route.request().url()).searchParams.get('text'));
      if (searchTexts.length === 1) await first;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('arruela l');
    await page.keyboard.press('Enter');
    await eventually(() => searchTexts).toEqual(['a']);
    release();
    await page.waitForURL(({ pathname }) => pathname === `/produtos/${RAIZ}/2`);
    expect(searchTexts).toEqual(['a', 'arruela l']);
    await page.context().close();
  });

  test('finds a company by name or CNPJ, with the recent companies first', async () => {
    const { page } = await site.enter('demo', `/operadores?cpfCnpjRaiz=${RAIZ}`);
    const field = page.getByLabel('Empresa', { exact: true });
    await field.fill('modelo comercio');
    await field.press('Enter');
    await page.waitForURL('**/operadores?cpfCnpjRaiz=87654321');
    await field.fill('12.345.678/0001-95');
    await field.press('Enter');
    await page.waitForURL(`**/operadores?cpfCnpjRaiz=${RAIZ}`);
    await field.click();
    await eventually(() => page.getByRole('option').allInnerTexts()).toEqual([
      'Todas as minhas empresas',
      expect.stringContaining('87.654.321'),
      expect.stringContaining('12.345.678'),
    ]);
    await page.getByRole('option', { name: 'Todas as minhas empresas' }).click();
    await page.waitForURL(({ pathname, search }) => pathname === '/' && search === '');
    await page.context().close();
  });

  test('is not offered to a user without a company', async () => {
    const { page } = await site.enter('admin', '/');
    await page.getByText('Aceita gravações').waitFor();
    expect(await page.getByRole('button', { name: 'Buscar' }).count()).toBe(0);
    await page.context().close();
  });
});
