/**
 * The content of a form: kept as a draft, started as a copy, restored after the session, under other tables
 * and profiles.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import table from '../../../src/demo/attribute-table-2.json' with { type: 'json' };
import { describedBy, refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, fillSignIn, inBrowser } from './support.ts';

const RAIZ = '12345678';
/** A product with an attribute that the second table lacks. */
const BICYCLE = {
  denominacao: 'Bicicleta',
  modalidade: 'IMPORTACAO',
  ncm: '87120010',
  atributos: [
    { atributo: 'ATT_90032', valor: 'Urbana' },
    { atributo: 'ATT_90035', valor: '52' },
  ],
};
const NEW = `/produtos/novo?cpfCnpjRaiz=${RAIZ}`;

inBrowser('the stored content of a product form', ['dev'], (site) => {
  const productAt = async (page: Page) => {
    await page.waitForURL(/\/produtos\/12345678\/\d+$/);
    const codigo = new URL(page.url()).pathname.split('/').at(-1);
    const [product] = await (
      await site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigo=${codigo}`)
    ).json();
    return product;
  };

  test('a draft requires only its name, and keeps all its values', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Só um nome');
    await page.getByLabel('Válido desde').fill('01/01/2026');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await eventually(() => describedBy(page, 'Válido desde')).toContain('rascunho');
    await page.getByLabel('Válido desde').fill('');
    await page.getByLabel('NCM').fill('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Ano da safra').fill('vinte');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await eventually(() => productAt(page)).toMatchObject({
      situacao: 'RASCUNHO',
      denominacao: 'Só um nome',
      ncm: '22042100',
      atributos: [{ atributo: 'ATT_90003', valor: 'vinte' }],
    });
    await page.getByText(/Rascunho \d+ salvo\./).waitFor();
    await page.context().close();
  });

  test('a product that is valid from a past day starts on that day', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Caixa de outro tempo');
    await page.getByLabel('NCM').fill('3926.90.90');
    await page.getByLabel('Modalidade').selectOption('EXPORTACAO');
    await page.getByText('Esta NCM não pede atributos nesta modalidade.').waitFor();
    await page.getByLabel('Válido desde').fill('02/01/2026');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    const { codigo } = await productAt(page);
    const versions = await site.call('demo', 'GET', `/appliance/api/products/${RAIZ}/${codigo}/versions`);
    expect((await versions.json())[0]).toMatchObject({ startsOn: '2026-01-02', situacao: 'ATIVADO' });
    await page.context().close();
  });

  test('a copy starts with the values of the product except its internal codes, also by a complete address', async () => {
    const { page } = await site.enter('demo', `${NEW}&copiar=1`);
    await page.getByText('Cópia do produto 1.').waitFor();
    await eventually(() => page.getByLabel('Denominação').inputValue()).toBe('Café torrado em grãos, 1 kg');
    await eventually(() => page.getByLabel('Forma de apresentação').inputValue()).toBe('01 · Grão inteiro');
    await eventually(() => page.getByLabel('Validade do certificado').inputValue()).toBe('31/12/2030');
    await eventually(() => page.getByLabel('Códigos internos').inputValue()).toBe('');
    await page.getByLabel('Forma de apresentação').fill('moído fino');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    const product = await productAt(page);
    expect(product.atributos[0]).toEqual({ atributo: 'ATT_90001', valor: '04' });
    expect(product.codigosInterno).toEqual([]);

    await page.goto(`${site.url}/produtos/novo?copiar=${RAIZ}/1/1`);
    await page.getByText('Cópia do produto 1.').waitFor();
    await page.goto(`${site.url}${NEW}&copiar=99999`);
    await page.getByText('não existe na empresa').waitFor();
    await page.context().close();
  });

  test('the values are kept when the session ends during input', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Não se perde');
    await page.getByLabel('NCM').fill('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Ano da safra').fill('2021');
    await site.call('admin', 'DELETE', '/appliance/api/users/00000000191/sessions');
    // The page may learn of the ended session first and remove the button. A normal click would wait for the
    // button.
    const save = page.getByRole('button', { name: 'Salvar rascunho' });
    await save.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));
    await page.getByText('A sessão terminou.').waitFor();
    await fillSignIn(page, 'demo', 'demo');
    await page.getByText('está de volta').waitFor();
    await eventually(() => page.getByLabel('Denominação').inputValue()).toBe('Não se perde');
    await eventually(() => page.getByLabel('Ano da safra').inputValue()).toBe('2021');
    await save.click();
    expect((await productAt(page)).denominacao).toBe('Não se perde');
    await page.goto(site.url + NEW);
    await eventually(() => page.getByLabel('Denominação').inputValue()).toBe('');

    // A new start and a confirmed cancel both discard the typed values.
    await page.getByLabel('Denominação').fill('Descartado');
    await page.reload();
    await page.getByText('está de volta').waitFor();
    await page.getByRole('button', { name: 'Começar de novo' }).click();
    await eventually(() => page.getByLabel('Denominação').inputValue()).toBe('');
    await page.getByLabel('Denominação').fill('Descartado');
    await page.getByRole('button', { name: 'Cancelar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deixar sem salvar?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await page.getByRole('button', { name: 'Descartar' }).click();
    await page.waitForURL('**/produtos?cpfCnpjRaiz=12345678');
    await page.context().close();
  });

  // This test is the last one, because it replaces the table of the demonstration.
  test('an attribute that another table lacks is reported and left out', async () => {
    const response = await site.call('demo', 'POST', `/catp/api/ext/produto/${RAIZ}`, BICYCLE);
    const { codigo } = await response.json();
    const loaded = await site.call('admin', 'POST', '/appliance/api/attribute-tables', table);
    const { id } = await loaded.json();
    await site.call('admin', 'POST', `/appliance/api/attribute-tables/${id}/activate`, {});
    const { page } = await site.enter('demo', `${NEW}&copiar=${codigo}`);
    const notice = page.getByRole('status').filter({ hasText: 'fica de fora' });
    await notice.waitFor();
    await eventually(() => notice.innerText()).toContain('ATT_90035');
    await expectGoodPage(page, 'Novo produto', 'produto-novo-de-fora');
    await page.goto(`${site.url}${NEW}&copiar=2`);
    await page.getByLabel('Forma de apresentação').waitFor();
    await eventually(() => describedBy(page, 'Forma de apresentação')).toContain(
      'não está na lista em vigor',
    );
    await page.context().close();
  });
});

inBrowser(
  'the product form of the profile portal, without a table',
  ['dev', '--empty', '--perfil', 'portal'],
  (site) => {
    test('any NCM is accepted, names are short, and similar products are linked', async () => {
      const { page } = await site.enter('demo', NEW);
      await page.getByText('Nenhuma tabela de atributos está em vigor').waitFor();
      await eventually(() => page.getByLabel('Modalidade').locator('option').allInnerTexts()).toEqual([
        ...['Escolha…', 'Importação', 'Exportação'],
      ]);
      await page.getByLabel('NCM').fill('73181500');
      await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
      await page.getByLabel('Denominação').fill('x'.repeat(121));
      await page.getByRole('button', { name: 'Salvar e ativar' }).click();
      await page.getByRole('alert').waitFor();
      await eventually(() => describedBy(page, 'Denominação')).toContain('120');
      await page.getByLabel('Denominação').fill('Parafuso');
      await page.getByRole('button', { name: 'Salvar e ativar' }).click();
      await page.waitForURL('**/produtos/12345678/1');

      await page.goto(site.url + NEW);
      await page.getByLabel('NCM').fill('73181500');
      await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
      await page.getByLabel('Denominação').fill('Parafuso');
      await page.getByRole('button', { name: 'Salvar e ativar' }).click();
      const alert = await refusalOn(page);
      for (const text of ['Já existe produto idêntico', 'CATP-ER0422', '[CATP-'])
        expect(alert).toContain(text);
      await page.getByRole('link', { name: 'Abrir o produto 1' }).click();
      await page.waitForURL('**/produtos/12345678/1');
      await page.context().close();
    });
  },
);

inBrowser('a draft without batches', ['dev', '--set', 'operacoesDescontinuadas=false'], (site) => {
  test('is saved', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Rascunho sem lote');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await page.getByText(/Rascunho \d+ salvo\./).waitFor();
    await page.context().close();
  });
});
