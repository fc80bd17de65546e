/**
 * An existing product, changed on its page: a draft completed and activated, a new version, a rectification.
 */
import { expect, test } from 'bun:test';
import { edit, faultsOf, refusalOn, tabToField } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, tabTo } from './support.ts';

const RAIZ = '12345678';
const COFFEE = 1;
const WINE = 4;

inBrowser('the change of a product', ['dev'], (site) => {
  const version = async (codigo: number, versao: string) =>
    (await site.call('demo', 'GET', `/catp/api/ext/produto/${RAIZ}/${codigo}/${versao}`)).json();
  const draft = async (content: object): Promise<number> => {
    const item = { seq: 1, cpfCnpjRaiz: RAIZ, situacao: 'RASCUNHO', ...content };
    const [result] = await (await site.call('demo', 'POST', '/catp/api/ext/produto', [item])).json();
    return Number(result.codigo);
  };
  const at = (codigo: number): string => `/produtos/${RAIZ}/${codigo}`;

  test('an incomplete draft is not activated: its fields report the missing values, and it is activated after they are filled in', async () => {
    const codigo = await draft({ denominacao: 'Café incompleto', ncm: '09012100', modalidade: 'IMPORTACAO' });
    const { page, complaints } = await site.enter('demo', at(codigo));
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    await page.getByRole('button', { name: 'Salvar e ativar' }).waitFor();
    await page.locator('[aria-invalid=true]').nth(1).waitFor();
    await eventually(() => faultsOf(page)).toEqual(['Forma de apresentação', 'Produto orgânico']);
    await expectGoodPage(page, `Produto ${codigo}`, 'produto-rascunho');
    await page.getByLabel('Forma de apresentação').fill('02');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await page.getByRole('button', { name: 'Editar' }).click();
    await eventually(() => page.getByLabel('Forma de apresentação').inputValue()).toBe('02 · Moído grosso');
    await eventually(() => faultsOf(page)).toEqual([]);
    await page.getByLabel('Produto orgânico').selectOption({ label: 'Não' });
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.getByText('Produto ativado.').waitFor();
    await eventually(() => version(codigo, '1')).toMatchObject({ situacao: 'ATIVADO', versao: '1' });
    // The browser also logs each refusal of the server to its console.
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
    await page.context().close();
  });

  test('a new version starts with the values of the product, and replaces it', async () => {
    const { page } = await site.enter('demo', `${at(WINE)}?de=1&para=1`);
    await edit(page, 'Nova versão');
    await page.getByRole('heading', { name: 'Atributos' }).waitFor();
    await eventually(() => page.getByLabel('Capacidade (L)').inputValue()).toBe('0,75');
    await eventually(() => page.getByLabel('Códigos internos').inputValue()).toBe('VINHO-T-750');
    expect(await page.getByLabel('Válido desde').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Salvar rascunho' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Retirar 02 Merlot inventada' }).click();
    await page.getByLabel('Teor alcoólico').fill('12,25');
    await expectGoodPage(page, `Produto ${WINE}`, 'produto-nova-versao');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText('Nova versão gravada.').waitFor();
    await eventually(() => version(WINE, '2')).toMatchObject({
      situacao: 'ATIVADO',
      codigosInterno: ['VINHO-T-750'],
      atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['01'] }],
    });
    expect((await version(WINE, '2')).atributos[0]).toEqual({ atributo: 'ATT_90002', valor: '12.25' });

    // The changes are listed by attribute name. The page compares the last two versions, also after an
    // earlier choice.
    const secondVersion = page.locator('.versions > li', { hasText: 'Versão 2' });
    await secondVersion.getByText(/por Maria Demonstração/).waitFor();
    await secondVersion.getByText(/^Teor alcoólico.*: 13,5 → 12,25$/).waitFor();
    await secondVersion.getByText(/^Uvas: 01 · .* \| 02 · Merlot inventada → 01 · /).waitFor();
    await page.getByRole('button', { name: 'Comparar', exact: true }).click();
    await page.getByText('2 diferenças entre a versão 1 e a 2.').waitFor();
    await page.context().close();
  });

  test('a rectification keeps NCM and modality, and a refusal of the server is shown at its field', async () => {
    const { page } = await site.enter('demo', `${at(COFFEE)}?editar=retificar`);
    await page.getByText('NCM e modalidade não mudam').waitFor();
    await eventually(() => page.getByLabel('NCM').isDisabled()).toBe(true);
    await eventually(() => page.getByLabel('Modalidade').isDisabled()).toBe(true);
    await page.getByLabel('Descrição').fill('Retificada.');
    await page.route('**/catp/api/ext/produto/**', (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      const body = { ...route.request().postDataJSON(), atributos: [{ atributo: 'ATT_90001', valor: '77' }] };
      return route.continue({ postData: JSON.stringify(body) });
    });
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const refusal = await refusalOn(page);
    for (const text of ['CATP-ER0422', '[CATP-', 'atributos/0/valor']) expect(refusal).toContain(text);
    await eventually(() => faultsOf(page)).toContain('Forma de apresentação');
    await page.unroute('**/catp/api/ext/produto/**');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText('Retificação gravada.').waitFor();
    await eventually(() => version(COFFEE, '1.1')).toMatchObject({
      descricao: 'Retificada.',
      ncm: '09012100',
    });
    await page.context().close();
  });

  test('the keyboard alone creates a version, and discards one', async () => {
    const { page } = await site.enter('demo', at(COFFEE));
    await page.getByRole('button', { name: 'Editar' }).waitFor();
    await tabTo(page, 'Editar');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Nova versão');
    await page.keyboard.press('Enter');
    await page.getByLabel('Descrição').waitFor();
    await tabToField(page, 'Descrição');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Pelo teclado.');
    await tabTo(page, 'Cancelar');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Deixar sem salvar?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Nova versão gravada.').waitFor();
    await eventually(() => version(COFFEE, '2')).toMatchObject({ descricao: 'Pelo teclado.' });
    await page.context().close();
  });

  test('a user without the right gets no form at any address', async () => {
    const { page } = await site.enter('estranho', `${at(COFFEE)}?editar=versao`);
    await page.getByText('não altera produtos no catálogo').waitFor();
    expect(await page.getByLabel('Denominação').count()).toBe(0);
    await page.context().close();
  });
});
