/** `/produtos`: filtered by the address, sorted, selected, downloaded. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { addFilter, removeFilter } from './forms.ts';
import {
  expectCount,
  expectGoodPage,
  expectFocus,
  inBrowser,
  type Instance,
  settled,
  tabTo,
} from './support.ts';

const RAIZ = '12345678';
const LIST = `/produtos?cpfCnpjRaiz=${RAIZ}`;
const product = (seq: number, denominacao: string, members: object = {}) => ({
  seq,
  cpfCnpjRaiz: RAIZ,
  denominacao,
  descricao: '',
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
  ...members,
});

const include = async (site: Instance, items: readonly object[]): Promise<void> => {
  const answer = await site.call('demo', 'POST', '/catp/api/ext/produto', items);
  expect((await answer.json()) as object[]).toEqual(items.map(() => expect.objectContaining({ erros: [] })));
};

const names = (page: Page): Promise<readonly string[]> =>
  page.getByRole('grid', { name: 'Produtos' }).getByRole('link').allInnerTexts();

inBrowser('the list of products', ['dev', '--empty'], (site) => {
  test('an empty catalogue describes the first step, and shows the complete page', async () => {
    const { page, complaints } = await site.enter('demo', LIST);
    await page.getByText('Ainda não há produtos neste catálogo.').waitFor();
    await settled(page);
    await expectGoodPage(page, 'Produtos', 'produtos-vazio');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the address keeps the filters, an internal code matches without its zeros, and an invalid filter is reported', async () => {
    await include(site, [
      product(1, 'Parafuso de aço', { codigosInterno: ['0042'] }),
      product(2, 'Porca sextavada', { descricao: 'Com flange', modalidade: 'EXPORTACAO' }),
      product(3, 'Arruela lisa', { situacao: 'RASCUNHO', ncm: '73182100' }),
      product(4, 'Árvore de transmissão', { ncm: '84831090' }),
    ]);
    const { page, complaints, strangers } = await site.enter('demo', LIST);
    await page.getByText('4 produtos').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos');
    await addFilter(page, 'Denominação');
    await expectFocus(page, 'Denominação');
    await page.getByLabel('Denominação', { exact: true }).fill('arvore');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('1 produto', { exact: true }).waitFor();
    await eventually(() => names(page)).toEqual(['Árvore de transmissão']);
    expect(new URL(page.url()).searchParams.get('denominacao')).toBe('arvore');
    await page.getByRole('button', { name: 'Limpar filtros' }).click();
    await page.getByText('4 produtos').waitFor();

    await addFilter(page, 'Códigos internos');
    await page.getByLabel('Códigos internos').fill('42');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('1 produto', { exact: true }).waitFor();
    await eventually(() => names(page)).toEqual(['Parafuso de aço']);

    await page.goto(`${site.url}${LIST}&situacao=2`);
    await page.getByText('1 produto', { exact: true }).waitFor();
    await eventually(() => names(page)).toEqual(['Arruela lisa']);
    await eventually(() => page.getByLabel('Situação').inputValue()).toBe('2');
    await removeFilter(page, 'Situação');
    await page.getByText('4 produtos').waitFor();
    await expectCount(page.getByLabel('Situação'), 0);
    expect(new URL(page.url()).searchParams.has('situacao')).toBe(false);
    // One field accepts words, codes and the first digits of an NCM.
    await page.getByLabel('Palavras').fill('8483');
    await page.keyboard.press('Enter');
    await page.getByText('1 produto', { exact: true }).waitFor();
    expect(await names(page)).toEqual(['Árvore de transmissão']);
    // Escape closes the list of filters and returns the focus to the button.
    await page.getByRole('button', { name: 'Adicionar filtro' }).click();
    await page.locator('.filters .menu').getByRole('button', { name: 'NCM', exact: true }).focus();
    await page.keyboard.press('Escape');
    await page.locator('.filters .menu ul').waitFor({ state: 'hidden' });
    await expectFocus(page, 'Adicionar filtro');

    await page.goto(`${site.url}${LIST}`);
    // The first digits of an NCM match; a single digit is refused.
    await addFilter(page, 'NCM');
    await page.getByLabel('NCM').fill('73.18');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.waitForURL((url) => url.searchParams.get('ncm') === '7318');
    await page.getByRole('grid').waitFor();
    await page.getByLabel('NCM').fill('7');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByRole('alert').waitFor();
    await eventually(() => page.getByLabel('NCM').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('NCM').fill('7318.21.00');
    // The keys are typed without a pause.
    await addFilter(page, 'Como estava em');
    await page.getByLabel('Como estava em').pressSequentially('01/02/2020');
    await eventually(() => page.getByLabel('Como estava em').inputValue()).toBe('01/02/2020');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('Nenhum produto com esses filtros.').waitFor();
    expect(new URL(page.url()).searchParams.get('dataReferencia')).toBe('2020-02-01');
    expect(new URL(page.url()).searchParams.get('ncm')).toBe('73182100');
    await page.goBack();
    await page.waitForFunction(() => !location.search.includes('dataReferencia'));
    await expectCount(page.getByLabel('Como estava em'), 0);
    expect(strangers).toEqual([]);
    // The browser also logs the refusal of the server to its console.
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await page.context().close();
  });

  test('a column head sorts, chosen columns are kept, and the shown rows are downloaded', async () => {
    const { page } = await site.enter('demo', LIST);
    await page.getByRole('button', { name: 'Denominação' }).click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    expect(new URL(page.url()).searchParams.get('order')).toBe('denominacao');
    await page.waitForFunction(() => document.querySelector('tbody a')?.textContent === 'Arruela lisa');
    await page.getByRole('button', { name: 'Denominação' }).click();
    await page.waitForFunction(() => document.querySelector('tbody a')?.textContent === 'Porca sextavada');

    await page.getByRole('button', { name: 'Colunas' }).click();
    await page.getByRole('dialog').getByLabel('Descrição', { exact: true }).check();
    await page.getByRole('dialog').getByLabel('Modalidade').uncheck();
    await page.getByRole('button', { name: 'Fechar' }).click();
    await page.reload();
    await page.getByText('Com flange').waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).not.toContain('Modalidade');

    await page.getByLabel('Como na tela').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    const lines = (await Bun.file(await download.path()).text()).trim().split('\r\n');
    expect(lines[0]).toContain(
      'Código;Denominação;Situação;NCM;Descrição da NCM;Versão;Códigos internos;Descrição',
    );
    expect(lines[1]).toContain('Porca sextavada;Ativado;73181500');
    expect(lines).toHaveLength(5);
    await page.getByLabel('Completo, para voltar').check();
    const request = page.waitForRequest(/\/products\.xlsx/);
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar XLSX' }).click(),
    ]);
    expect(sheet.suggestedFilename()).toBe(`produtos-${RAIZ}.xlsx`);
    // The sheet has all columns, also hidden ones, so that it can be imported again.
    expect(new URL((await request).url()).searchParams.has('columns')).toBe(false);
    await page.context().close();
  });

  test('the keyboard alone filters, sorts, moves through the list and opens a product', async () => {
    const { page } = await site.enter('demo', LIST);
    await page.getByText('4 produtos').waitFor();
    await page.keyboard.press('/');
    await expectFocus(page, 'Palavras');
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    await page.waitForURL('**text=a**');
    await expectFocus(page, 'Palavras');
    await tabTo(page, 'Adicionar filtro');
    await page.keyboard.press('Enter');
    await tabTo(page, 'NCM');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'NCM');
    await tabTo(page, /^ProdutosMarcarCódigo/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/produtos/${RAIZ}/4`);
    await page.context().close();
  });

  test('markup, script, right-to-left and zero-width texts are shown as text, in the list and on the page', async () => {
    const hostile = [
      `<img src=x onerror="document.title='pwned'"><script>alert(1)</script>`,
      `\u202Eodanimile\u202C\u200B\u2066שלום\u2069 ${'semespaço'.repeat(30)}`,
    ];
    await include(
      site,
      hostile.map((text, index) =>
        product(index + 1, text, {
          descricao: text.repeat(3),
          codigosInterno: [`<b>${index}</b>`],
          ncm: '01012100',
        }),
      ),
    );
    const { page, complaints, strangers } = await site.enter('demo', `${LIST}&ncm=01012100`);
    await page.getByText('2 produtos').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos-estranhos');
    for (const at of [0, 1]) {
      await page.getByRole('grid').getByRole('link').nth(at).click();
      await page.getByText('Conteúdo da versão 1').waitFor();
      await page.getByText(`<b>${at}</b>`).waitFor();
      await settled(page);
      const codigo = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await expectGoodPage(page, `Produto ${codigo}`, `produto-estranho-${at}`);
      await page.goBack();
      await page.getByText('2 produtos').waitFor();
    }
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('lists products that share a content or a name', async () => {
    await include(site, [
      product(1, 'Mola helicoidal', { descricao: 'Curta' }),
      product(2, 'MOLA HELICOIDAL', { descricao: 'Longa' }),
    ]);
    const { page, complaints } = await site.enter('demo', LIST);
    await addFilter(page, 'Repetidos');
    await page.getByLabel('Repetidos').selectOption({ label: 'Mesmo conteúdo' });
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page
      .getByText(/Nenhum produto/)
      .first()
      .waitFor();
    await page.getByLabel('Repetidos').selectOption({ label: 'Mesma denominação' });
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('2 produtos').waitFor();
    expect(new URL(page.url()).searchParams.get('repeated')).toBe('denominacao');
    await expectGoodPage(page, 'Produtos', 'produtos-repetidos');
    await page.getByRole('grid').getByRole('link').first().click();
    await page.waitForURL(`**/produtos/${RAIZ}/*`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('the list of one NCM', ['dev'], (site) => {
  test('offers its attributes as columns with words, and exports them', async () => {
    const { page, complaints } = await site.enter('demo', `/produtos?cpfCnpjRaiz=${RAIZ}&ncm=22042100`);
    await page.getByRole('button', { name: 'Colunas' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Uvas').check();
    await dialog.getByLabel('Embalagem: Material').check();
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    const wine = page.getByRole('row').filter({ hasText: 'Vinho tinto da Demonstração' });
    await wine.getByText('01 · Cabernet inventada | 02 · Merlot inventada').waitFor();
    await expectGoodPage(page, 'Produtos', 'produtos-atributos');
    await page.getByLabel('Como na tela').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    const text = await Bun.file(await download.path()).text();
    expect(text.split('\r\n')[0]).toEndWith('Uvas (ATT_90004);Embalagem: Material (ATT_90010/ATT_90011)');
    expect(text).toContain('01 - Cabernet inventada | 02 - Merlot inventada');
    // The columns are hidden for other NCMs, and return with the first filter.
    await page.getByLabel('NCM').fill('0901');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('Café torrado em grãos').waitFor();
    await expectCount(page.getByRole('columnheader', { name: 'Uvas' }), 0);
    await page.goBack();
    await page.getByRole('columnheader', { name: 'Uvas' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
