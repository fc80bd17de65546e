/** `/produtos/novo` and the product form: from nothing to an active product, and every way there. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectGoodPage, inBrowser, STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

const RAIZ = '12345678';
const NEW = `/produtos/novo?cpfCnpjRaiz=${RAIZ}`;

inBrowser('the product form', ['dev'], (it) => {
  const productAt = async (page: Page) => {
    await page.waitForURL(/\/produtos\/12345678\/\d+$/);
    const codigo = new URL(page.url()).pathname.split('/').at(-1);
    const [product] = await (
      await it.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${RAIZ}&codigo=${codigo}`)
    ).json();
    return product;
  };

  test('a wine: conditional fields come and go, several values, a compound, and it is active', async () => {
    const { page, complaints, strangers } = await it.enter('demo', NEW);
    await page.getByLabel('Denominação').fill('Vinho tinto de teste, 750 mL');
    await page.getByLabel('Descrição').fill('Um vinho.\nDe duas uvas.');
    await page.getByLabel('NCM').fill('2204');
    await page.getByRole('option', { name: '22042100' }).click();
    expect(await page.getByLabel('NCM').inputValue()).toBe('22042100');
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
    expect(await page.getByLabel('Validade do certificado').inputValue()).toBe('31/12/2030');

    await page.getByLabel('Teor alcoólico').fill('13,5');
    await page.getByLabel('Uvas').fill('01');
    await page.getByLabel('Uvas').press('Enter');
    await page.getByLabel('Uvas').fill('02');
    await page.getByLabel('Material').fill('01');
    await page.getByLabel('Capacidade (L)').fill('0.75');
    await expectGoodPage(page, 'Novo produto', 'produto-novo');
    await page.getByRole('button', { name: 'Salvar e ativar' }).click();
    expect(await productAt(page)).toMatchObject({
      ...{ situacao: 'ATIVADO', versao: '1', ncm: '22042100', modalidade: 'IMPORTACAO' },
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

  test('what is wrong stands at its field before anything is sent, and the first has the focus', async () => {
    const { page, complaints } = await it.enter('demo', NEW);
    const save = page.getByRole('button', { name: 'Salvar e ativar' });
    await save.click();
    await page.getByRole('alert').waitFor();
    expect(await faultsOf(page)).toEqual(['Denominação', 'NCM', 'Modalidade']);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('denominacao');

    await page.getByLabel('Denominação').fill('Vinho');
    expect(await faultsOf(page)).toEqual(['NCM', 'Modalidade']);
    await page.getByLabel('NCM').fill('22042100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Códigos internos').fill('a\nb\na');
    await page.getByLabel('Teor alcoólico').fill('13,555');
    await save.click();
    await page.locator('[aria-invalid=true]').nth(4).waitFor();
    expect(await faultsOf(page)).toEqual([
      'Códigos internos',
      'Teor alcoólico (% vol)',
      'Uvas',
      'Produto orgânico',
      'Material',
    ]);
    await expectGoodPage(page, 'Novo produto', 'produto-novo-erros');
    await page.getByLabel('Capacidade (L)').fill('1');
    await save.click();
    expect(await describedBy(page, 'Material')).toContain('ATT_90011');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** The labels of the fields in error. */
const faultsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('[aria-invalid=true]')].map(
      ({ labels }) => labels?.[0]?.textContent ?? '',
    ),
  );

/** What is said at a field. */
const describedBy = (page: Page, label: string): Promise<string> =>
  page
    .getByLabel(label)
    .evaluate(
      (field) => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    );
