/** `Buscar`: one field for everything of a company, on every page, by keyboard and by mouse. */
import { expect, test } from 'bun:test';
import { expectAccessible, expectFocus, inBrowser } from './support.ts';

const RAIZ = '12345678';

inBrowser('the search of everything', ['dev', '--empty'], (it) => {
  test('leads from any page to a record, by keyboard alone; Escape gives the focus back', async () => {
    for (const denominacao of ['Parafuso sextavado', 'Arruela lisa'])
      await it.call('demo', 'POST', `/catp/api/ext/produto/${RAIZ}`, {
        denominacao,
        modalidade: 'IMPORTACAO',
        ncm: '73181500',
        codigosInterno: [`K-${denominacao.length}`],
      });
    await it.call('demo', 'POST', `/catp/api/ext/operador-estrangeiro/${RAIZ}/DE`, {
      nome: 'Muster Schrauben',
      logradouro: 'Rua 1',
      nomeCidade: 'Berlin',
    });
    const { page, complaints } = await it.enter('demo', '/notificacoes');
    await page.getByRole('button', { name: 'Buscar' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).waitFor();
    await expectFocus(page, /Buscar/);
    await page.keyboard.type('sext para');
    await page.getByRole('dialog').getByRole('link', { name: 'Parafuso sextavado' }).waitFor();
    await expectAccessible(page);
    // It looks at the page as paper too, where no dialog stands that could keep the focus.
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === `/produtos/${RAIZ}/1`);

    const button = page.getByRole('button', { name: 'Buscar' });
    await button.click();
    await page.keyboard.type('zzz');
    await page.getByText('Nada foi achado.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, /Buscar/);

    await button.click();
    await page.getByRole('dialog').getByLabel('Buscar', { exact: true }).fill('schrauben');
    await page.getByRole('dialog').getByRole('link', { name: 'Muster Schrauben' }).click();
    await page.waitForURL((url) => url.pathname === `/operadores/${RAIZ}/OPE_1`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is not offered to who has no company', async () => {
    const { page } = await it.enter('admin', '/');
    await page.getByText('Aceita gravações').waitFor();
    expect(await page.getByRole('button', { name: 'Buscar' }).count()).toBe(0);
    await page.context().close();
  });
});
