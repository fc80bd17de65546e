/** The charts of each page: the drawing, the same data as a table, and the link of a bar. */
import { expect, test } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { product, tableFile } from '../../catalogue/attribute/support.ts';
import { eventually } from '../../support/eventually.ts';
import {
  type Instance,
  expectCount,
  expectGoodPage,
  importForm,
  inBrowser,
  settled,
  tabTo,
} from './support.ts';

const RAIZ = '12345678';
const OF_COMPANY = `cpfCnpjRaiz=${RAIZ}`;

inBrowser('the charts', ['dev', '--empty', '--ambiente', 'producao', '--retry', 'none'], (site) => {
  test('show the counts of the server: chapters, deactivations and reactivations, imports and attempts', async () => {
    await fill(site);
    const { page, complaints, strangers } = await site.enter('demo', `/?${OF_COMPANY}`);
    const chapters = chart(page, 'Produtos de cada capítulo, por situação');
    await eventually(() => tableRows(chapters)).toEqual([
      ['Capítulo', 'Ativados', 'Rascunhos', 'Desativados por alguém', 'Desativados pelo sistema'],
      ['Capítulo 22', '1', '0', '0', '1'],
      ['Capítulo 73', '1', '1', '1', '0'],
      ['Sem NCM', '0', '1', '0', '0'],
    ]);
    await expectCount(chapters.locator('.chart-bars > *'), 3);
    await expectCount(chapters.locator('rect:not([height="0"])'), 6);
    await tableRows(chart(page, 'Em cada hora, nas últimas 24'));
    await settled(page);
    await expectGoodPage(page, 'Painel', 'graficos-painel');

    // A bar links to the records that it counts and has no tab stop. Its row has the same link.
    await page.locator('.chart-bars a').last().click();
    await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('ncm=73'));
    await page.getByText('3 produtos').first().waitFor();
    await page.goBack();
    await chapters.waitFor();
    await tabTo(page, 'Ver em tabela: Produtos de cada capítulo, por situação');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Capítulo 22');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/produtos' && url.search.includes('ncm=22'));

    await page.goto(`${site.url}/atributos?aba=tabelas&${OF_COMPANY}`);
    const deactivations = chart(page, 'Produtos que o sistema desativou');
    const [heads, ...tables] = await tableRows(deactivations);
    expect([
      heads,
      ...tables.map(([name, ...numbers]) => [name?.replace(/\d\d\/\S+/, 'dia'), ...numbers]),
    ]).toEqual([
      ['Tabela', 'Ativados de novo', 'Ainda não ativados'],
      ['Versão 1, desde dia 2 desativados', '1', '1'],
    ]);
    await settled(page);
    await expectGoodPage(page, 'Atributos', 'graficos-tabelas');

    await page.goto(`${site.url}/importar?${OF_COMPANY}`);
    const quality = chart(page, 'Itens recusados em cada importação, das últimas');
    const shares = await tableRows(quality);
    expect(shares.map(([name, share]) => [name?.replace(/ \d\d\/.*: /, ' '), share])).toEqual([
      ['Importação', 'Recusados'],
      ['pior.json, 2 de 3 itens', '66,67%'],
      ['melhor.json, 0 de 1 item', '0%'],
    ]);
    await settled(page);
    await expectGoodPage(page, 'Importar', 'graficos-importar');
    await quality.locator('.chart-bars a').first().click();
    await page.waitForURL(/\/importar\/1$/);

    await page.goto(`${site.url}/notificacoes?aba=resumo&${OF_COMPANY}`);
    const hours = chart(page, 'Em cada hora, nas últimas 24');
    const rows = await tableRows(hours);
    expect([rows[0], rows.length]).toEqual([['Hora', 'Entregues', 'Falharam'], 25]);
    const failureCount = rows.slice(1).reduce((sum, [, , text]) => sum + Number(text), 0);
    const response = await site.call('demo', 'GET', `/appliance/api/deliveries/summary?days=2&${OF_COMPANY}`);
    const { days } = (await response.json()) as { days: { failed: number }[] };
    expect(failureCount).toBeGreaterThan(0);
    expect(failureCount).toBe(days.reduce((sum, day) => sum + day.failed, 0));
    await settled(page);
    await expectGoodPage(page, 'Notificações', 'graficos-notificacoes');

    // Print always shows the table below the bars.
    await page.emulateMedia({ media: 'print' });
    const height = async () => (await hours.locator('table').boundingBox())?.height ?? 0;
    await eventually(height).toBeGreaterThan(100);
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('are hidden or show that they are empty for a company without products, tables and imports', async () => {
    const { page } = await site.enter('demo', '/?cpfCnpjRaiz=87654321');
    await settled(page);
    await expectCount(page.locator('figure.chart'), 0);
    await page.goto(`${site.url}/atributos?aba=tabelas&cpfCnpjRaiz=87654321`);
    await page.getByText('Nenhuma tabela desativou produtos desta empresa.').waitFor();
    await page.goto(`${site.url}/importar?cpfCnpjRaiz=87654321`);
    await page.getByText('Nenhuma importação ainda.').waitFor();
    await expectCount(page.locator('figure.chart'), 0);
    await page.context().close();
  });
});

const chart = (page: Page, title: string): Locator => page.locator('figure.chart', { hasText: title });

/**
 * Returns the rows of the table of a chart, which screen readers use. Opens the table and closes it again.
 */
async function tableRows(figure: Locator): Promise<string[][]> {
  const summary = figure.locator('summary');
  await summary.click();
  await figure.locator('table').waitFor();
  const rows = await figure
    .locator('tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
  await summary.click();
  return rows;
}

/**
 * Creates products, two deactivated by a table and one activated again, two imports, and an unreachable
 * receiver.
 */
async function fill(site: Instance): Promise<void> {
  const send = async (
    user: 'demo' | 'admin',
    method: string,
    path: string,
    body?: unknown,
  ): Promise<unknown> => {
    const answer = await site.call(user, method, path, body);
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, text]);
    return text === '' ? undefined : JSON.parse(text);
  };
  const webhook = { evento: 'catp-prod-alterado', endpoint: 'https://nao-existe.invalid/' };
  await send('demo', 'POST', '/portal/api/ext/webhook', webhook);
  for (const ncm of ['22042100', '22042100', '73181500', '73181500'])
    await send('demo', 'POST', `/catp/api/ext/produto/${RAIZ}`, product(ncm));
  await send('demo', 'PUT', `/catp/api/ext/produto/desativar/${RAIZ}/4`);
  const file = tableFile('1', { '2204.21.00': [{ codigo: 'ATT_1' }], '7318.15.00': [] });
  const { id } = (await send('admin', 'POST', '/appliance/api/attribute-tables', file)) as { id: number };
  await send('admin', 'POST', `/appliance/api/attribute-tables/${id}/activate`, {});
  await send('demo', 'PUT', `/catp/api/ext/produto/${RAIZ}/1`, product('22042100', 'ATT_1'));
  const invalid = { seq: 1, cpfCnpjRaiz: RAIZ };
  const draft = { ...invalid, situacao: 'RASCUNHO', denominacao: 'Rascunho' };
  await importItems(site, 'pior.json', [invalid, { ...invalid, seq: 2 }, { ...draft, seq: 3 }]);
  await importItems(site, 'melhor.json', [{ ...draft, ncm: '73181500' }]);
  for (;;) {
    const response = await site.call('demo', 'GET', '/appliance/api/deliveries/summary?days=1');
    const { failing, pending } = (await response.json()) as { failing: unknown[]; pending: number };
    if (failing.length > 0 && pending === 0) return;
  }
}

async function importItems(site: Instance, fileName: string, items: readonly object[]): Promise<void> {
  const response = await site.call('demo', 'POST', '/appliance/api/imports', importForm(fileName, items));
  const { id } = (await response.json()) as { id: number };
  const state = async (): Promise<unknown> =>
    ((await (await site.call('demo', 'GET', `/appliance/api/imports/${id}`)).json()) as { state: string })
      .state;
  await eventually(state).toBe('done');
}
