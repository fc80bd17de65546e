/**
 * A broker with thirty clients searches the open problems of today, the importers of an NCM, and the
 * clients that lack an attribute, and fills it in for several of them in one dialog: by mouse and by
 * keyboard.
 */
import { expect, test } from 'bun:test';
import { product, tableFile } from '../../catalogue/attribute/support.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type Instance,
  expectCount,
  expectFocus,
  expectGoodPage,
  inBrowser,
  settled,
  tabTo,
} from './support.ts';

const DEMO = '00000000191';
const CLIENTS = Array.from({ length: 28 }, (_, index) => ({
  cpfCnpjRaiz: String(45543901 + index),
  nome: `Cliente ${String(index + 1).padStart(2, '0')} Ltda.`,
}));
/** The clients that import telephones. Each of their products lacks the attribute. */
const INCOMPLETE = CLIENTS.slice(0, 7);

const ARGS = ['dev', '--empty', '--ambiente', 'producao', '--clock', '2026-11-01T12:00:00Z'];

inBrowser('a broker with thirty clients', ARGS, (site) => {
  test('answers three questions, and fills in one deadline for seven clients in one dialog', async () => {
    await fill(site);
    const { page, complaints } = await site.enter('demo', '/');
    const all = page.locator('section', { hasText: 'Todas as minhas empresas' }).last();

    // Question 1: the open problems of today.
    await expectCount(all.locator('.panel-attention > li'), 8);
    await eventually(() => all.locator('.panel-attention > li').first().innerText()).toContain('Cliente 01');
    await eventually(() => all.locator('.panel-attention > li').last().innerText()).toContain('rascunho');
    await all.getByText('22 empresas em que nada pede atenção').waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'trinta-painel');

    // The navigation of every page counts the lines of the company's panel.
    const navigation = page.getByRole('navigation', { name: 'Principal' });
    await navigation.getByText('8 itens pedem atenção').waitFor();
    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=45543903`);
    await navigation.getByText('1 item pede atenção').waitFor();
    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=45543920`);
    await settled(page);
    expect(await navigation.getByText('atenção').count()).toBe(0);
    await page.goto(`${site.url}/`);
    await settled(page);

    // Question 2: the companies that import 8517.13.00.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('8517.13.00');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Em 7 empresas' }).waitFor();
    await expectGoodPage(page, 'Painel', 'trinta-busca');
    await dialog.getByRole('link', { name: 'Ver todos na lista, de Cliente 07 Ltda.' }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get('cpfCnpjRaiz') === '45543907');
    await page.getByText('1 produto', { exact: true }).waitFor();

    // Question 3: the clients that lack that attribute on 21/11.
    await page.goto(`${site.url}/`);
    await all.getByRole('link', { name: 'Prazos de todas as empresas' }).click();
    const card = page.locator('section', { hasText: '21/11/2026: Inventado ATT_1' }).last();
    await expectCount(card.locator('li'), INCOMPLETE.length);
    await settled(page);
    await expectGoodPage(page, 'A corrigir', 'trinta-prazos');

    await card.getByRole('button', { name: 'Preencher' }).click();
    await dialog.getByRole('textbox', { name: 'Inventado ATT_1' }).fill('sim');
    await dialog.getByRole('checkbox', { name: /Cliente 02/ }).uncheck();
    await expectGoodPage(page, 'A corrigir', 'trinta-dialogo');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await expectCount(dialog.getByText('Seria nova versão'), 6);
    await dialog.getByRole('button', { name: 'Gravar em 6 empresas' }).click();
    await expectCount(dialog.getByText('Nova versão', { exact: true }), 6);
    await expectGoodPage(page, 'A corrigir', 'trinta-gravado');
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    await eventually(() => card.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/Cliente 02 .*1 produto/s),
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('completes the task by keyboard alone, with a different value for the last client', async () => {
    const { page, complaints } = await site.enter('demo', '/');
    await settled(page);
    await tabTo(page, 'Prazos de todas as empresas');
    await page.keyboard.press('Enter');
    await page.getByText('Cliente 02 Ltda.').first().waitFor();
    await tabTo(page, /^Preencher/);
    await page.keyboard.press('Enter');
    await expectFocus(page, /Um valor para todas/);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('dialog').getByRole('textbox', { name: 'Inventado ATT_1' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('não');
    await tabTo(page, 'Conferir sem gravar');
    await page.keyboard.press('Enter');
    await page.getByText('Seria nova versão').waitFor();
    await tabTo(page, 'Gravar em 1 empresa');
    await page.keyboard.press('Enter');
    await page.getByText('Nova versão', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('A nenhum produto das suas empresas falta o valor.').waitFor();
    const response = await site.call('demo', 'GET', '/catp/api/ext/produto?cpfCnpjRaiz=45543902');
    expect(JSON.stringify(await response.json())).toContain('não');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('a person with another right in each company', ARGS, (site) => {
  test('writes a deadline, proposes it, or is offered nothing, as the right of each company says', async () => {
    await fill(site);
    for (const [at, papel] of [
      [0, 'preenchimento'],
      [2, 'leitura'],
    ] as const) {
      const right = { documento: DEMO, cpfCnpjRaiz: CLIENTS[at]?.cpfCnpjRaiz, perfil: 'IMPEXP', papel };
      expect((await site.call('admin', 'POST', '/appliance/api/representations', right)).status).toBe(200);
    }
    const { page, complaints } = await site.enter('demo', '/corrigir?aba=prazos&de=todas');
    await page.getByRole('button', { name: /^Preencher/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Inventado ATT_1' }).fill('sim');
    await dialog.getByText('outra pessoa aprova').waitFor();
    expect(await dialog.getByRole('checkbox', { name: /Cliente 03/ }).isEnabled()).toBe(false);
    await expectGoodPage(page, 'A corrigir', 'trinta-papeis');
    await dialog.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await expectCount(dialog.getByText('Seria nova versão'), 6);
    await dialog.getByRole('button', { name: 'Gravar em 5 empresas' }).click();
    await expectCount(dialog.getByText('Nova versão', { exact: true }), 5);
    await dialog.getByRole('button', { name: 'Propor em 1 empresa' }).click();
    await dialog.getByText('Espera uma decisão').waitFor();
    await dialog.getByRole('button', { name: 'Fechar' }).click();
    const proposals = await site.call('demo', 'GET', '/appliance/api/proposals?state=awaiting');
    expect(await proposals.json()).toMatchObject([
      { cpfCnpjRaiz: CLIENTS[0]?.cpfCnpjRaiz, kind: 'alteracao', newVersion: 1 },
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

async function fill(site: Instance): Promise<void> {
  const call = async (user: 'demo' | 'admin', path: string, body: unknown) => {
    const answer = await site.call(user, 'POST', path, body);
    const text = await answer.text();
    expect([answer.ok, text]).toEqual([true, text]);
    return text;
  };
  for (const { cpfCnpjRaiz, nome } of CLIENTS) {
    await call('admin', '/appliance/api/companies', { cpfCnpjRaiz, nome });
    const acts = { documento: DEMO, cpfCnpjRaiz, perfil: 'IMPEXP' };
    await call('admin', '/appliance/api/representations', acts);
  }
  const pairs = [{ codigo: 'ATT_1', obrigatorio: false, to: '2026-11-20' }];
  const file = tableFile('1', { '8517.13.00': pairs, '7318.15.00': [] });
  const { id } = JSON.parse(await call('admin', '/appliance/api/attribute-tables', file)) as { id: number };
  await call('admin', `/appliance/api/attribute-tables/${id}/activate`, {});
  const included = CLIENTS.map(({ cpfCnpjRaiz }, index) => ({
    seq: index + 1,
    cpfCnpjRaiz,
    ...product(index < INCOMPLETE.length ? '85171300' : '73181500'),
  }));
  await call('demo', '/catp/api/ext/produto', included);
  const [, , , , , , , , draft] = CLIENTS;
  await call('demo', '/appliance/api/products/drafts', {
    cpfCnpjRaiz: draft?.cpfCnpjRaiz,
    denominacao: 'Parafuso por terminar',
  });
}
