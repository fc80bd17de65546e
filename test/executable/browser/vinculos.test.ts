/** `/vinculos`: the manufacturers of products; one link, many at once, and removed links. */
import { expect, test } from 'bun:test';
import { refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import {
  expectGoodPage,
  expectFocus,
  inBrowser,
  type Instance,
  settled,
  tabTo,
  expectCount,
} from './support.ts';

const RAIZ = '12345678';
const LINKS = '/appliance/api/manufacturer-links';

async function include(site: Instance, path: string, body: object): Promise<string> {
  const answer = await site.call('demo', 'POST', path, body);
  expect(answer.status).toBe(200);
  return String(((await answer.json()) as { codigo: string | number }).codigo);
}

const product = (site: Instance, denominacao: string, codigosInterno: readonly string[] = [], raiz = RAIZ) =>
  include(site, `/catp/api/ext/produto/${raiz}`, {
    denominacao,
    modalidade: 'IMPORTACAO',
    ncm: '73181500',
    codigosInterno,
  });
const operator = (site: Instance, codigoPais: string, nome: string, raiz = RAIZ) =>
  include(site, `/catp/api/ext/operador-estrangeiro/${raiz}/${codigoPais}`, {
    nome,
    logradouro: 'Rua 1',
    nomeCidade: 'Cidade',
  });

async function linksInForce(site: Instance, raiz = RAIZ): Promise<readonly string[]> {
  const answer = await site.call('demo', 'GET', `${LINKS}?cpfCnpjRaiz=${raiz}`);
  const { items } = (await answer.json()) as { items: readonly Record<string, string | null>[] };
  return items.map((link) =>
    [
      link['codigoProduto'],
      link['codigoPais'],
      link['codigoOperadorEstrangeiro'] ?? link['cpfCnpjFabricante'],
    ]
      .filter((part) => part !== null)
      .join(' '),
  );
}

inBrowser('links', ['dev', '--empty'], (site) => {
  test('one link is created: its fields follow the rules, and a refusal is shown at them', async () => {
    await product(site, 'Parafuso sextavado', ['PF-0007']);
    await product(site, 'Porca');
    await operator(site, 'CN', 'Shenzhen Screws Ltd');
    await operator(site, 'DE', 'Schrauben GmbH');
    const { page, complaints, strangers } = await site.enter('demo', '/vinculos');
    await page.getByText('Ainda não há vínculos').waitFor();
    await expectGoodPage(page, 'Vínculos', 'vinculos-vazio');
    await page.getByRole('button', { name: 'Novo vínculo' }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('alert').waitFor();
    for (const label of ['Produto', 'País'])
      await eventually(() => page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');

    await page.getByLabel('Produto').fill('PF-0007');
    await page.getByRole('option', { name: 'Parafuso sextavado' }).click();
    const operatorField = page.getByLabel('Operador estrangeiro');
    const number = page.getByLabel('CPF/CNPJ do fabricante');
    await page.getByLabel('País').fill('BR');
    await number.waitFor();
    await eventually(() => operatorField.count()).toBe(0);
    await page.getByLabel('Conhecido').selectOption({ label: 'Não' });
    await eventually(() => number.count()).toBe(0);
    await page.getByLabel('Conhecido').selectOption({ label: 'Sim' });
    await page.getByLabel('País').fill('CN');
    await operatorField.waitFor();
    await eventually(() => number.count()).toBe(0);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
    await expectFocus(page, 'Operador estrangeiro');
    expect(await refusalOn(page)).toMatch(/CATP-ER\d+ .*\[CATP-/s);
    await operatorField.fill('shen');
    await eventually(() => page.getByRole('listbox').getByRole('option').allInnerTexts()).toEqual([
      'OPE_1 Shenzhen Screws Ltd',
    ]);
    await page.keyboard.press('Enter');
    await eventually(() => operatorField.getAttribute('aria-invalid')).toBeNull();
    await expectGoodPage(page, 'Novo vínculo', 'vinculos-novo');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('1 vínculo', { exact: true }).waitFor();
    await eventually(() => linksInForce(site)).toEqual(['1 CN OPE_1']);
    expect({ complaints: complaints.filter((text) => !/status of 4/.test(text)), strangers }).toEqual({
      complaints: [],
      strangers: [],
    });
    await page.context().close();
  });

  test('several manufacturers are linked at once, each with its result; several links are removed', async () => {
    const { page, complaints } = await site.enter(
      'demo',
      `/vinculos?cpfCnpjRaiz=${RAIZ}&codigoProduto=2&novo=1`,
    );
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main [role=combobox]')?.value === '2 · Porca',
    );
    await page.getByRole('button', { name: 'Mais um produto' }).click();
    await page.getByLabel('Produto 2').fill('1');
    await page.getByLabel('País').fill('CN');
    await page.getByLabel('Operador estrangeiro').fill('OPE_1');
    await page.getByRole('button', { name: 'Mais um fabricante' }).click();
    await page.getByLabel('País').nth(1).fill('BR');
    await page.getByText('Serão feitos 4 vínculos').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Informe o CPF ou o CNPJ.', { exact: true }).last().waitFor();
    await page.getByLabel('CPF/CNPJ do fabricante').fill('12.345.678/0001-95');
    await page.getByRole('button', { name: 'Salvar' }).click();
    // The page of results shows the outcome of each link.
    await page.getByText('3 incluídos, 1 com erro.').waitFor();
    await expectCount(page.locator('tbody tr'), 1);
    await settled(page);
    await expectGoodPage(page, 'Importação 1', 'vinculos-resultado');
    await eventually(() => linksInForce(site)).toEqual([
      ...['1 CN OPE_1', '1 BR 12345678000195', '2 CN OPE_1', '2 BR 12345678000195'],
    ]);

    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('4 vínculos', { exact: true }).waitFor();
    await expectGoodPage(page, 'Vínculos', 'vinculos');
    await page.getByLabel('Operador estrangeiro').fill('OPE_1');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByText('2 vínculos', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('codigoOperadorEstrangeiro')).toBe('OPE_1');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    expect((await Bun.file(await file.path()).text()).trim().split('\r\n')).toHaveLength(3);
    await page.getByLabel('Como na tela').check();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar CSV' }).click(),
    ]);
    expect((await Bun.file(await download.path()).text()).split('\r\n')[0]).toEndWith(
      'Código do produto;Denominação;Conhecido;Operador estrangeiro;Nome do operador;CPF/CNPJ do fabricante;País;Desde',
    );

    await page.getByRole('button', { name: 'Desvincular' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Parafuso sextavado').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Desvincular');
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByRole('button', { name: 'Desvincular 2 escolhidos' }).click();
    await dialog.getByText('Desvincular 2?').waitFor();
    // Another user removes one of the links first.
    await site.call('demo2', 'PUT', `/catp/api/ext/fabricante/${RAIZ}`, {
      codigoProduto: 1,
      conhecido: true,
      codigoPais: 'CN',
      codigoOperadorEstrangeiro: 'OPE_1',
    });
    await dialog.getByRole('button', { name: 'Desvincular' }).click();
    await page.getByText('1 alterado, 1 com erro.').waitFor();
    await page.getByRole('table').getByText('Fabricante/produtor não encontrado no produto.').waitFor();
    await eventually(() => linksInForce(site)).toEqual(['1 BR 12345678000195', '2 BR 12345678000195']);
    expect(complaints.filter((text) => !/status of 4/.test(text))).toEqual([]);
    await page.context().close();
  });

  test('the keyboard alone creates a link and removes it', async () => {
    const raiz = '87654321';
    await product(site, 'Arruela', [], raiz);
    const { page } = await site.enter('demo', `/vinculos?cpfCnpjRaiz=${raiz}`);
    await page.getByText('Ainda não há vínculos').waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'Novo vínculo' }).waitFor();
    await tabTo(page, 'Produto');
    await page.keyboard.type('arru');
    await page.getByRole('listbox').getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await tabTo(page, 'SimNão');
    await page.keyboard.press('ArrowDown');
    await tabTo(page, 'País');
    await page.keyboard.type('japao');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Salvar');
    await page.keyboard.press('Enter');
    await page.getByText('1 vínculo', { exact: true }).waitFor();
    await eventually(() => linksInForce(site, raiz)).toEqual(['1 JP']);
    await tabTo(page, 'Escolher 1, Desconhecido');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Desvincular 1 escolhido' }).waitFor();
    await tabTo(page, 'Desvincular');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectFocus(page, 'Desvincular');
    await page.keyboard.press('Enter');
    await page.getByText('Ainda não há vínculos').waitFor();
    await eventually(() => linksInForce(site, raiz)).toEqual([]);
    await page.context().close();
  });
});

inBrowser('links of a large catalogue', ['dev', '--empty'], (site) => {
  test('a product beyond the length of a list is found, and 150 links are removed at once', async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
    for (const page of [0, 1, 2, 3, 4, 5])
      await site.call(
        ...(['demo', 'POST', '/catp/api/ext/produto'] as const),
        numbers.map((seq) => ({
          seq,
          cpfCnpjRaiz: RAIZ,
          denominacao: `Peça ${page * 100 + seq}`,
          modalidade: 'IMPORTACAO',
          ncm: '73181500',
          codigosInterno: [`00${page * 100 + seq}-X`],
        })),
      );
    for (const page of [0, 1])
      await site.call(
        ...(['demo', 'POST', '/catp/api/ext/fabricante'] as const),
        numbers.slice(0, page === 0 ? 100 : 49).map((seq) => ({
          seq,
          cpfCnpjRaiz: RAIZ,
          codigoProduto: page * 100 + seq,
          conhecido: false,
          codigoPais: 'CN',
        })),
      );
    const { page, complaints } = await site.enter(
      'demo',
      `/vinculos?cpfCnpjRaiz=${RAIZ}&codigoProduto=600&novo=1`,
    );
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('main [role=combobox]')?.value === '600 · Peça 600',
    );
    await page.getByLabel('Produto').fill('599-X');
    await page.getByRole('option', { name: 'Peça 599' }).click();
    await page.getByLabel('Conhecido').selectOption({ label: 'Não' });
    await page.getByLabel('País').fill('DE');
    // The code is typed completely and the field loses the focus at once.
    await page.getByRole('button', { name: 'Mais um produto' }).click();
    await page.getByLabel('Produto 2').fill('598');
    await page.getByLabel('Produto 2').blur();
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>('[role=combobox]')].some(
        ({ value }) => value === '598 · Peça 598',
      ),
    );
    await page.getByLabel('Início do vínculo').fill('02/01/2026');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('2 incluídos.').waitFor();

    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('151 vínculos', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByRole('button', { name: 'Desvincular 151 escolhidos' }).click();
    await page.getByRole('dialog').getByText('e mais 146.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Desvincular' }).click();
    await page.getByText('151 alterados.').waitFor();
    await eventually(() => linksInForce(site)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('links without batches', ['dev', '--empty', '--set', 'operacoesDescontinuadas=false'], (site) => {
  test('many links are created and removed when the batch operations are switched off', async () => {
    await product(site, 'Mola');
    const { page } = await site.enter('demo', `/vinculos?cpfCnpjRaiz=${RAIZ}&codigoProduto=1&novo=1`);
    await page.getByLabel('Conhecido').selectOption({ label: 'Não' });
    await page.getByLabel('País').fill('CN');
    // A reload keeps the choices, also in a form that was opened from a product.
    await page.reload();
    const country = () => page.getByLabel('País').inputValue();
    await eventually(country).toStartWith('CN');
    await page.getByRole('button', { name: 'Mais um fabricante' }).click();
    await page.getByLabel('País').nth(1).fill('BR');
    await page.getByLabel('CPF/CNPJ do fabricante').fill('12345678000195');
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('2 incluídos.').waitFor();
    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('2 vínculos', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Marcar todos' }).click();
    await page.getByRole('button', { name: 'Desvincular 2 escolhidos' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desvincular' }).click();
    await page.getByText('2 alterados.').waitFor();
    await eventually(() => linksInForce(site)).toEqual([]);
    await page.context().close();
  });
});

inBrowser('links for a read-only user', ['dev', '--set', 'ambiente=producao'], (site) => {
  test('are shown without an offer of change', async () => {
    const { page } = await site.enter('publico', `/vinculos?cpfCnpjRaiz=${RAIZ}&novo=1`);
    await page.getByRole('heading', { level: 1, name: 'Vínculos' }).waitFor();
    await settled(page);
    for (const name of ['Novo vínculo', 'Desvincular', 'Marcar todos'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.context().close();
  });
});
