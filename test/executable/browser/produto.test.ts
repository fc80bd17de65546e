/**
 * `/produtos/{cpfCnpjRaiz}/{codigo}`: current and earlier versions of a product, its manufacturers, its
 * actions.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { edit, refusalOn } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, type Instance, settled, tabTo } from './support.ts';

const RAIZ = '12345678';
const PATH = `/catp/api/ext/produto/${RAIZ}`;
const WINE = {
  descricao: 'Safra especial',
  denominacao: 'Vinho tinto',
  modalidade: 'IMPORTACAO',
  ncm: '22042100',
  atributos: [
    { atributo: 'ATT_90002', valor: '13.5' },
    { atributo: 'ATT_90005', valor: 'false' },
  ],
  atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['01', '02'] }],
  atributosCompostos: [
    {
      atributo: 'ATT_90010',
      valores: [
        { atributo: 'ATT_90011', valor: '05' },
        { atributo: 'ATT_90012', valor: '3' },
      ],
    },
  ],
  atributosCompostosMultivalorados: [],
  codigosInterno: ['VIN-1'],
};

async function ask<T>(site: Instance, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await site.call('demo', method, path, body);
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

/** Creates versions 1 and 2 on two days. */
async function wine(site: Instance): Promise<number> {
  const { codigo } = await ask<{ codigo: number }>(site, 'POST', PATH, WINE);
  const clockAnswer = await site.call('admin', 'POST', '/appliance/api/clock', { advance: 'P1D' });
  expect(clockAnswer.status).toBe(200);
  const [alcohol] = WINE.atributos;
  await ask(site, 'PUT', `${PATH}/${codigo}`, {
    ...WINE,
    denominacao: 'Vinho tinto reserva',
    atributos: [
      ...(alcohol === undefined ? [] : [alcohol]),
      { atributo: 'ATT_90005', valor: 'true' },
      { atributo: 'ATT_90006', valor: '01' },
      { atributo: 'ATT_90007', valor: '2030-12-31' },
    ],
    atributosMultivalorados: [{ atributo: 'ATT_90004', valores: ['02'] }],
  });
  return codigo;
}

const line = (page: Page, name: string) =>
  page.locator('.product-content > div', { has: page.locator('dt', { hasText: name }) }).first();

inBrowser('the page of a product', ['dev', '--clock', '2026-11-20T10:00:00-03:00'], (site) => {
  test('shows values in written form, lists every version, compares two and shows a past day', async () => {
    const codigo = await wine(site);
    await ask(site, 'POST', `/catp/api/ext/fabricante/${RAIZ}`, {
      codigoProduto: codigo,
      conhecido: false,
      codigoPais: 'CN',
    });
    const { page, complaints, strangers } = await site.enter('demo', `/produtos/${RAIZ}/${codigo}`);
    await page.getByText('Vinho tinto reserva').first().waitFor();
    await settled(page);
    await eventually(() => line(page, 'Produto orgânico').innerText()).toContain('Sim');
    await eventually(() => line(page, 'Teor alcoólico').innerText()).toContain('13,5');
    await eventually(() => line(page, 'Uvas').innerText()).toContain('Merlot inventada');
    await eventually(() => line(page, 'Embalagem').innerText()).toContain('Capacidade (L)');
    await expectGoodPage(page, `Produto ${codigo}`, 'produto');

    const firstVersion = await page.locator('.versions > li').first().innerText();
    expect(firstVersion).toMatch(/Feita em .* por Maria Demonstração/);
    expect(firstVersion).toMatch(/Denominação: Vinho tinto → Vinho tinto reserva/);

    await page.getByLabel('De', { exact: true }).selectOption('1');
    await page.getByLabel('Para', { exact: true }).selectOption('2');
    await page.getByRole('button', { name: 'Comparar', exact: true }).click();
    await page.getByText('5 diferenças').waitFor();
    const differences = await page.locator('.versions-differences tbody tr').allInnerTexts();
    expect(differences.find((text) => text.includes('Denominação'))).toMatch(/Vinho tinto\s.*reserva/s);
    expect(differences.find((text) => text.includes('Certificação orgânica'))).toContain('Novo');
    expect(differences.find((text) => text.includes('Produto orgânico'))).toMatch(/Não.*Sim.*Alterado/s);
    expect(new URL(page.url()).searchParams.get('de')).toBe('1');
    await expectGoodPage(page, `Produto ${codigo}`, 'produto-comparado');

    await page.getByLabel('Como estava em').fill('20/11/2026');
    await page.getByText('Esta é a versão 1').waitFor();
    await page.getByText('01 · Cabernet inventada', { exact: true }).waitFor();
    expect(await line(page, 'Denominação').innerText()).not.toContain('reserva');
    await page.getByLabel('Como estava em').fill('19/11/2026');
    await page.getByText('Em 19/11/2026 o produto ainda não estava no catálogo.').waitFor();
    await page.getByRole('button', { name: 'Versão 1' }).click();
    await page.getByText('Conteúdo da versão 1').waitFor();
    await page.getByRole('button', { name: 'Ver a versão vigente' }).click();
    await page.getByText('Conteúdo da versão 2').waitFor();

    await page.getByRole('button', { name: 'Desvincular' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Desconhecido, China').waitFor();
    await dialog.getByRole('button', { name: 'Desvincular' }).click();
    await page.getByText('Nenhum fabricante ou produtor vinculado.').waitFor();
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('two versions are compared, and a past day is shown, by keyboard alone', async () => {
    const { codigo } = await ask<{ codigo: number }>(site, 'POST', PATH, { ...WINE, descricao: 'Quarta' });
    await ask(site, 'PUT', `${PATH}/${codigo}`, { ...WINE, descricao: 'Quarta, revista' });
    const { page } = await site.enter('demo', `/produtos/${RAIZ}/000${codigo}`);
    await page.getByText('Conteúdo da versão 2').waitFor();
    await eventually(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(`Produto ${codigo}`);
    await tabTo(page, 'Como estava em');
    await page.keyboard.type('01/01/2020');
    await page.getByText('Em 01/01/2020 o produto ainda não estava no catálogo.').waitFor();
    await tabTo(page, 'Versão 1');
    await page.keyboard.press('Enter');
    await page.getByText('Conteúdo da versão 1').waitFor();
    // The last two versions are selected by default.
    await tabTo(page, /^2 \(em vigor/);
    await tabTo(page, 'Comparar');
    await page.keyboard.press('Enter');
    await page.getByText('1 diferença entre').waitFor();
    await eventually(() => page.locator('.versions-differences tbody').innerText()).toMatch(
      /Descrição.*Quarta/s,
    );
    await page.context().close();
  });

  test('a product is deactivated after confirmation, by keyboard alone; Escape cancels', async () => {
    const { codigo } = await ask<{ codigo: number }>(site, 'POST', PATH, { ...WINE, descricao: 'Outra' });
    const { page, complaints } = await site.enter('demo', `/produtos/${RAIZ}/${codigo}`);
    await page.getByRole('button', { name: 'Novo vínculo' }).waitFor();
    await tabTo(page, 'Desativar');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Desativar o produto ${codigo}?` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(page, 'Desativar');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectFocus(page, 'Desativar');
    await page.keyboard.press('Enter');
    await page.getByText('Produto desativado.').waitFor();
    await page.locator('.product-heading .badge', { hasText: 'Desativado' }).waitFor();
    await page.getByText(/desativada em .* por Maria Demonstração/).waitFor();
    // A deactivated version is no longer in force.
    await page.locator('.versions .badge', { hasText: 'Desativado' }).first().waitFor();
    await eventually(() => page.locator('.versions .badge', { hasText: 'Vigente' }).count()).toBe(0);
    for (const name of ['Desativar', 'Novo vínculo'])
      await eventually(() => page.getByRole('button', { name }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a complete draft is activated; an incomplete one lists what it lacks', async () => {
    const draft = (seq: number, members: object) => ({
      seq,
      cpfCnpjRaiz: RAIZ,
      situacao: 'RASCUNHO',
      denominacao: 'Vinho em rascunho',
      ...members,
    });
    const [complete, incomplete] = await ask<readonly { codigo: string }[]>(
      site,
      'POST',
      '/catp/api/ext/produto',
      [draft(1, { ...WINE, denominacao: 'Vinho inteiro' }), draft(2, {})],
    );
    const { page } = await site.enter('demo', `/produtos/${RAIZ}/${complete?.codigo}`);
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    await page.getByText('Produto ativado.').waitFor();
    await page.locator('.product-heading .badge', { hasText: 'Ativado' }).waitFor();
    await page.goto(`${site.url}/produtos/${RAIZ}/${incomplete?.codigo}`);
    await page.getByRole('button', { name: 'Ativar', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await eventually(() => page.getByRole('alert').innerText()).toMatch(/NCM/);
    await page.context().close();
  });

  test('a new version and a rectification open in the form, which replaces the page', async () => {
    const { codigo } = await ask<{ codigo: number }>(site, 'POST', PATH, { ...WINE, descricao: 'Terceira' });
    const { page, complaints } = await site.enter('demo', `/produtos/${RAIZ}/${codigo}`);
    await edit(page, 'Nova versão');
    await page.getByLabel('Denominação').fill('Vinho da terceira safra');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByText('Conteúdo da versão 2').waitFor();
    await page.getByText('Nova versão gravada.').waitFor();
    expect(page.url()).not.toContain('editar');
    await page.getByRole('button', { name: 'Versão 1' }).click();
    await page.getByText('Esta é a versão 1').waitFor();
    await edit(page, 'Retificar');
    await page.waitForURL('**versao=1**');
    await page.getByLabel('Descrição').fill('Terceira, posta em ordem');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.getByRole('button', { name: 'Versão 1.1' }).waitFor();
    await edit(page, 'Retificar');
    await page.getByRole('button', { name: 'Cancelar' }).click();
    await page.getByText('Conteúdo da versão 2').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an unknown product is reported with code and tag', async () => {
    const { page } = await site.enter('demo', `/produtos/${RAIZ}/999999`);
    await page.getByRole('alert').waitFor();
    expect(await refusalOn(page)).toMatch(/CATP|APPL/);
    await page.context().close();
  });
});

// In this environment only public agents sign in.
inBrowser('the page of a product, for a public agent', ['dev', '--ambiente', 'homologacao'], (site) => {
  test('a public agent reads it, and is offered no forbidden action', async () => {
    const { page } = await site.enter('publico', `/produtos/${RAIZ}/1`);
    await page.getByText('Conteúdo da versão 1').waitFor();
    for (const name of [
      'Editar',
      'Nova versão',
      'Retificar',
      'Desativar',
      'Copiar',
      'Novo vínculo',
      'Desvincular',
    ])
      expect({ name, offered: await page.getByRole('button', { name }).count() }).toEqual({
        name,
        offered: 0,
      });
    await page.context().close();
  });
});
