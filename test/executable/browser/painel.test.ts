/** `/`: the content of the catalogue and the open problems, for each kind of user. */
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, importForm, inBrowser, settled, tabTo } from './support.ts';

const RAIZ = '12345678';

inBrowser('the panel', ['dev', '--empty', '--ambiente', 'producao', '--retry', 'none'], (site) => {
  test('of an empty catalogue describes the first step; later it counts, warns and links to the records', async () => {
    const { page, complaints, strangers } = await site.enter('demo', `/?cpfCnpjRaiz=${RAIZ}`);
    await page.getByRole('heading', { name: 'Comece por aqui' }).waitFor();
    await page.getByText('Peça ao administrador que carregue').first().waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'painel-vazio');
    await page.getByRole('link', { name: 'Novo produto' }).click();
    await page.waitForURL((url) => url.pathname === '/produtos/novo');

    await fill(site);
    await page.goto(`${site.url}/?cpfCnpjRaiz=${RAIZ}`);
    await page.getByText('A assinatura 1 falha desde').first().waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'painel');
    await eventually(() => page.locator('dl.tally').first().textContent()).toContain('2');
    await page.getByRole('link', { name: 'Ver rascunhos' }).first().click();
    await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('situacao=RASCUNHO'));
    await page.goBack();
    await page.getByRole('link', { name: 'Ver resultado' }).first().click();
    await page.waitForURL(/\/importar\/1\b/);
    await page.goBack();
    await page.getByRole('link', { name: 'Ver entregas' }).first().click();
    await page.waitForURL((url) => url.search.includes('subscriptionId=1'));

    // A user of several companies sees the open problems of each company, and no other data of one company.
    await page.goto(`${site.url}/`);
    const all = page.locator('section', { hasText: 'Todas as minhas empresas' });
    await all.getByText('rascunho por terminar').waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'painel-todas');
    expect(await page.locator('dl.tally').count()).toBe(0);
    await eventually(() => page.title()).toBe('Painel · Produção · catp');
    await all.getByRole('link', { name: 'Ver rascunhos' }).click();
    await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('situacao=RASCUNHO'));

    // A dismissed line stays hidden until its number grows.
    await page.goto(`${site.url}/?cpfCnpjRaiz=${RAIZ}`);
    const card = page.locator('section', { hasText: 'Pede atenção' }).first();
    const failures = card.locator('li', { hasText: 'parafusos.json' });
    await failures.getByRole('button', { name: 'Dispensar' }).click();
    await failures.waitFor({ state: 'detached' });

    // The panel of a company shows no data of another company.
    await page.goto(`${site.url}/?cpfCnpjRaiz=87654321`);
    await page.getByText('Nenhuma importação ainda.').waitFor();
    await settled(page);
    expect(await page.getByRole('main').textContent()).not.toContain('parafusos.json');

    // The keyboard alone reaches the drafts.
    await page.goto(`${site.url}/?cpfCnpjRaiz=${RAIZ}`);
    await page.getByRole('link', { name: 'Rascunhos', exact: true }).waitFor();
    await tabTo(page, 'Rascunhos');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('situacao=RASCUNHO'));
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('of an administrator shows the service, its backups, its receivers and its companies', async () => {
    const { page, complaints } = await site.enter('admin', '/');
    await page.getByText('Aceita gravações').waitFor();
    for (const text of ['conferências em ordem', '3 empresas', 'nenhuma ainda'])
      await page.getByText(text).waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'painel-administrador');
    await page.getByRole('link', { name: 'Ver cópias' }).click();
    await page.waitForURL((url) => url.pathname === '/administracao');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('of a public agent lists the readable catalogues, and offers no other action', async () => {
    const { page, complaints } = await site.enter('publico', '/');
    await page.getByText('Catálogos que você pode consultar').waitFor();
    await settled(page);
    await expectGoodPage(page, 'Painel', 'painel-agente');
    expect(await page.getByRole('link', { name: 'Importar' }).count()).toBe(0);
    await page.getByRole('main').getByRole('link').last().press('Enter');
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** The folder in which Linux keeps files in memory. */
const MEMORY = '/dev/shm';

describe.skipIf(!existsSync(MEMORY))('a data folder in memory', () => {
  const data = mkdtempSync(`${existsSync(MEMORY) ? MEMORY : tmpdir()}/catp-painel-`);
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  inBrowser('is reported on the panel of an administrator', ['dev', '--empty', '--data', data], (site) => {
    test('is one of the open problems, and changes the head of the page', async () => {
      const { page, complaints } = await site.enter('admin', '/');
      const matter = page.locator('.panel-attention li', { hasText: 'está em memória (tmpfs)' });
      await matter.getByText('um reinício da máquina perde tudo').waitFor();
      await page.locator('.page-head').getByText('problema grave nesta instância').waitFor();
      await page.getByText('conferências em ordem').waitFor();
      await settled(page);
      await expectGoodPage(page, 'Painel', 'painel-em-memoria');
      await matter.getByRole('link', { name: 'Ver diagnóstico' }).click();
      await page.waitForURL((url) => url.pathname === '/administracao');
      // A user without administrator rights cannot change the folder, so the panel does not show the problem.
      const userPage = await site.enter('demo', `/?cpfCnpjRaiz=${RAIZ}`);
      await userPage.page.getByText('Comece por aqui').waitFor();
      await settled(userPage.page);
      expect(await userPage.page.getByText('problema grave').count()).toBe(0);
      expect([...complaints, ...userPage.complaints]).toEqual([]);
      await Promise.all([page, userPage.page].map((opened) => opened.context().close()));
    });
  });
});

type Call = Parameters<Parameters<typeof inBrowser>[2]>[0]['call'];

/** Creates products, a draft, an import with an error, and a subscription of an unreachable receiver. */
async function fill({ call }: { readonly call: Call }): Promise<void> {
  const product = (seq: number) => ({
    seq,
    cpfCnpjRaiz: RAIZ,
    denominacao: `Parafuso ${seq}`,
    modalidade: 'IMPORTACAO',
    ncm: '73181500',
  });
  const batch = [product(1), product(2), { ...product(3), situacao: 'RASCUNHO' }];
  expect((await call('demo', 'POST', '/catp/api/ext/produto', batch)).status).toBe(200);
  expect(
    (
      await call('demo', 'POST', '/portal/api/ext/webhook', {
        evento: 'catp-prod-alterado',
        endpoint: 'https://nao-existe.invalid/',
      })
    ).status,
  ).toBe(200);
  await call('demo', 'PUT', `/catp/api/ext/produto/desativar/${RAIZ}/2`);
  await call('demo', 'PUT', `/catp/api/ext/produto/${RAIZ}/2`, product2);
  const form = importForm('parafusos.json', [{ seq: 1, cpfCnpjRaiz: RAIZ }]);
  expect((await call('demo', 'POST', '/appliance/api/imports', form)).status).toBe(202);
  for (;;) {
    const response = await call('demo', 'GET', '/appliance/api/deliveries/summary?days=1');
    const { failing, pending } = (await response.json()) as { failing: unknown[]; pending: number };
    if (failing.length > 0 && pending === 0) return;
  }
}

const product2 = { denominacao: 'Parafuso 2', modalidade: 'IMPORTACAO', ncm: '73181500' };
