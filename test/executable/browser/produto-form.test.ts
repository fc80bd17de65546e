/** `/produtos/novo` and the product form: from an empty form to an active product, by every path. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describedBy, faultsOf, refusalOn, tabToField } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser, tabTo, expectCount } from './support.ts';

const RAIZ = '12345678';
const NEW = `/produtos/novo?cpfCnpjRaiz=${RAIZ}`;

inBrowser('the product form', ['dev'], (site) => {
  const productAt = async (page: Page) => {
    await page.waitForURL(/\/produtos\/12345678\/\d+$/);
    const codigo = new URL(page.url()).pathname.split('/').at(-1);
    const [product] = await (
      await site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigo=${codigo}`)
    ).json();
    return product;
  };

  test('shows and hides conditional fields, several values and a compound of a wine, and activates it', async () => {
    const { page, complaints, strangers } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Vinho tinto de teste, 750 mL');
    await page.getByLabel('Descrição').fill('Um vinho.\nDe duas uvas.');
    await page.getByLabel('NCM').fill('2204');
    await page.getByRole('option', { name: '2204.21.00' }).click();
    await eventually(() => page.getByLabel('NCM').inputValue()).toBe('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Códigos internos').fill('0017\nVINHO-9');

    const organic = page.getByLabel('Produto orgânico');
    await organic.waitFor();
    expect(await page.getByLabel('Certificação orgânica').count()).toBe(0);
    await organic.selectOption({ label: 'Sim' });
    await page.getByLabel('Certificação orgânica').fill('01');
    await page.getByLabel('Validade do certificado').fill('31/12/2030');
    await organic.selectOption({ label: 'Não' });
    await page.getByLabel('Certificação orgânica').waitFor({ state: 'detached' });
    await page.getByLabel('Validade do certificado').waitFor({ state: 'detached' });
    await organic.selectOption({ label: 'Sim' });
    await eventually(() => page.getByLabel('Validade do certificado').inputValue()).toBe('31/12/2030');

    await page.getByLabel('Teor alcoólico').fill('13,5');
    await page.getByLabel('Uvas').fill('01');
    await page.getByLabel('Uvas').press('Enter');
    await page.getByLabel('Uvas').fill('02');
    await page.getByLabel('Material').fill('01');
    await page.getByLabel('Capacidade (L)').fill('0.75');
    await expectGoodPage(page, 'Novo produto', 'produto-novo');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await eventually(() => productAt(page)).toMatchObject({
      situacao: 'ATIVADO',
      versao: '1',
      ncm: '22042100',
      modalidade: 'IMPORTACAO',
      descricao: 'Um vinho.\nDe duas uvas.',
      codigosInterno: ['0017', 'VINHO-9'],
      atributos: [
        { atributo: 'ATT_90002', valor: '13.5' },
        { atributo: 'ATT_90005', valor: 'true' },
        { atributo: 'ATT_90006', valor: '01' },
        { atributo: 'ATT_90007', valor: '2030-12-31' },
      ],
      atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['01', '02'] }],
      atributosCompostos: [
        {
          atributo: 'ATT_90010',
          valores: [
            { atributo: 'ATT_90011', valor: '01' },
            { atributo: 'ATT_90012', valor: '0.75' },
          ],
        },
      ],
    });
    await page.getByText(/Produto \d+ salvo e ativado\./).waitFor();
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('reports every invalid value at its field, and focuses the first', async () => {
    const { page, complaints } = await site.enter('demo', NEW);
    const save = page.getByRole('button', { name: 'Salvar e ativar' });
    await save.click();
    await page.getByRole('alert').waitFor();
    await eventually(() => faultsOf(page)).toEqual(['Denominação', 'NCM', 'Modalidade']);
    await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe(
      'denominacao',
    );

    await page.getByLabel('Denominação').fill('Vinho');
    await eventually(() => faultsOf(page)).toEqual(['NCM', 'Modalidade']);
    await page.getByLabel('NCM').fill('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Códigos internos').fill('a\nb\na');
    await page.getByLabel('Teor alcoólico').fill('13,555');
    await save.click();
    await page.locator('[aria-invalid=true]').nth(4).waitFor();
    await eventually(() => faultsOf(page)).toEqual([
      'Códigos internos',
      'Teor alcoólico (% vol)',
      'Uvas',
      'Produto orgânico',
      'Material',
    ]);
    await expectGoodPage(page, 'Novo produto', 'produto-novo-erros');
    await page.getByLabel('Capacidade (L)').fill('1');
    const refusal = page.waitForResponse((response) => response.status() === 422);
    await save.click();
    await refusal;
    await page.getByRole('alert').filter({ hasText: 'CATP-ER1111' }).waitFor();
    await eventually(() => describedBy(page, 'Material')).toContain('Material: ');
    const alert = await refusalOn(page);
    for (const text of ['CATP-ER0422', '[CATP-', 'CATP-ER1111']) expect(alert).toContain(text);
    // The browser also logs each refusal of the server to its console.
    expect(complaints.filter((text) => !/40[04]|422/.test(text))).toEqual([]);
    await page.context().close();
  });

  test('is filled in and saved by keyboard alone', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').waitFor();
    await tabToField(page, 'Denominação');
    await page.keyboard.type('Café pelo teclado');
    await tabToField(page, 'NCM');
    await page.keyboard.type('0901');
    await page.getByRole('option', { name: '0901.21.00' }).waitFor();
    await page.keyboard.press('Enter');
    await tabToField(page, 'Modalidade');
    await page.keyboard.type('Imp');
    await page.getByLabel('Forma de apresentação').waitFor();
    await tabToField(page, 'Forma de apresentação');
    await page.keyboard.type('sach');
    await page.keyboard.press('Enter');
    await tabToField(page, 'Produto orgânico');
    await page.keyboard.press('ArrowDown');
    await page.getByLabel('Certificação orgânica').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByLabel('Certificação orgânica').waitFor({ state: 'detached' });
    await tabTo(page, 'Salvar e ativar');
    await page.keyboard.press('Enter');
    await eventually(() => productAt(page)).toMatchObject({
      denominacao: 'Café pelo teclado',
      situacao: 'ATIVADO',
      modalidade: 'IMPORTACAO',
      atributos: [
        { atributo: 'ATT_90001', valor: '07' },
        { atributo: 'ATT_90005', valor: 'false' },
      ],
    });
    await page.context().close();
  });

  test('adds and removes groups, at most five, and reports an invalid value in its group', async () => {
    const { page } = await site.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Creme');
    await page.getByLabel('NCM').fill('33049990');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    const addButton = page.getByRole('button', { name: 'Mais um grupo' });
    for (let group = 1; group < 5; group += 1) {
      await addButton.click();
      await page.getByText(`Grupo ${group + 1}`).waitFor();
    }
    await page.getByText('No máximo 5 grupos.').waitFor();
    await eventually(() => addButton.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Retirar o grupo 5' }).click();
    await page.getByLabel('Substância').nth(0).fill('Água');
    await page.getByLabel('Concentração (%)').nth(0).fill('99,5');
    await page.getByLabel('Concentração (%)').nth(2).fill('0,5');
    await page.getByLabel('Destino de uso').fill('01');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.getByRole('alert').waitFor();
    // Empty groups are removed, so the third group becomes the second.
    await expectCount(page.getByLabel('Substância'), 2);
    await eventually(() => page.getByLabel('Substância').nth(1).getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Substância').nth(1).fill('Sal');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    const product = await productAt(page);
    expect(product.atributosCompostosMultivalorados[0].valores).toHaveLength(2);
    await page.context().close();
  });

  test('shows markup, right-to-left and zero-width texts as text inside the page', async () => {
    const hostile = {
      denominacao: `<script>alert(1)</script> \u202Eaçúca\u202C \u200B${'W'.repeat(300)}`,
      descricao: `<img src=x onerror=alert(1)>\u05D0\u05D1 ${'_'.repeat(400)}`,
    };
    const response = await site.call('demo', 'POST', '/catp/api/ext/produto', [
      { seq: 1, cpfCnpjRaiz: RAIZ, situacao: 'RASCUNHO', ...hostile, ncm: '00000000', modalidade: 'AMBOS' },
    ]);
    const [{ codigo }] = await response.json();
    const { page } = await site.enter('demo', `${NEW}&copiar=${codigo}`);
    await eventually(() => page.getByLabel('Denominação').inputValue()).toBe(hostile.denominacao);
    await page.getByText('só pode ser salvo como rascunho').waitFor();
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    await page.getByRole('alert').waitFor();
    await eventually(() => faultsOf(page)).toEqual(['NCM']);
    await eventually(() => describedBy(page, 'NCM')).toContain('não está na tabela');
    await expectGoodPage(page, 'Novo produto', 'produto-novo-textos');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    await eventually(() => productAt(page)).toMatchObject(hostile);
    await page.context().close();
  });

  test('is not offered to a user without the right to write', async () => {
    for (const user of ['admin', 'estranho'] as const) {
      const { page } = await site.enter(user, NEW);
      await page.getByText(user === 'admin' ? 'não tem acesso' : 'não inclui produtos no catálogo').waitFor();
      expect(await page.getByLabel('Denominação').count()).toBe(0);
      await page.context().close();
    }
  });
});
