/** Two people, or two tabs, edit the same record: the second one is warned before a change is overwritten. */
import { expect, test } from 'bun:test';
import { expectGoodPage, inBrowser } from './support.ts';

const RAIZ = '12345678';
const PRODUCT = `/catp/api/ext/produto/${RAIZ}`;
const PLAIN = { descricao: 'Antes', denominacao: 'Porca', modalidade: 'IMPORTACAO', ncm: '73181500' };
const OPERATOR = `/catp/api/ext/operador-estrangeiro/${RAIZ}/DE`;
const MAKER = { nome: 'Fabrik GmbH', logradouro: 'Weg 1', nomeCidade: 'Köln' };

inBrowser('one record in two forms', ['dev', '--empty'], (site) => {
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await site.call('demo2', method, path, body);
    expect(answer.ok).toBe(true);
    return answer.json();
  };

  test('shows the changes of a concurrent version, and overwrites it only on request', async () => {
    const { codigo } = await ask('POST', PRODUCT, PLAIN);
    const { page, complaints } = await site.enter('demo', `/produtos/${RAIZ}/${codigo}?editar=versao`);
    await page.getByLabel('Descrição').fill('Depois');
    await ask('PUT', `${PRODUCT}/${codigo}`, { ...PLAIN, codigosInterno: ['NOVO-A'] });
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText(/Este produto já é a versão 2 \(por .+, em .+\).* partiu da versão 1/).waitFor();
    await page.getByText('Códigos internos: nada → NOVO-A').waitFor();
    await expectGoodPage(page, `Produto ${codigo}`, 'produto-ao-mesmo-tempo');
    expect(await ask('GET', `${PRODUCT}/${codigo}/2`)).toMatchObject({ codigosInterno: ['NOVO-A'] });
    expect((await site.call('demo', 'GET', `${PRODUCT}/${codigo}/3`)).status).toBe(404);

    // The page reports a still newer version too, and reports no version twice.
    await ask('PUT', `${PRODUCT}/${codigo}`, { ...PLAIN, denominacao: 'Porca sextavada' });
    await page.getByRole('button', { name: 'Salvar mesmo assim' }).click();
    await page.getByText('Este produto já é a versão 3').waitFor();
    expect(await page.getByText('Versão 2 mudou:').count()).toBe(0);
    await page.getByRole('button', { name: 'Salvar mesmo assim' }).click();
    await page.getByText('Nova versão gravada.').waitFor();
    expect(await ask('GET', `${PRODUCT}/${codigo}/4`)).toMatchObject({ descricao: 'Depois' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('warns of a concurrent version of an operator and of a concurrent rectification', async () => {
    const { codigo } = await ask('POST', OPERATOR, MAKER);
    const { page } = await site.enter('demo', `/operadores/${RAIZ}/${codigo}?editar=versao`);
    await page.getByLabel('Cidade').fill('Bonn');
    await ask('PUT', `${OPERATOR}/${codigo}`, { ...MAKER, email: 'novo@example.com' });
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText('Este operador já é a versão 2').waitFor();
    await page.getByText('E-mail: nada → novo@example.com').waitFor();
    await page.getByRole('button', { name: 'Salvar mesmo assim' }).click();
    await page.getByText('Versão 3 gravada.').waitFor();

    await page.getByRole('button', { name: 'Retificar' }).click();
    await page.getByLabel('Cidade').fill('Aachen');
    await ask('PUT', `${OPERATOR}/${codigo}/3`, { ...MAKER, nomeCidade: 'Trier' });
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText('Este operador já tem a versão 3.1').waitFor();
    await page.getByText('Cidade: Bonn → Trier').waitFor();
    await page.context().close();
  });
});
