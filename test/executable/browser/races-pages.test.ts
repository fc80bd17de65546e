/** Operators, links, notifications, requests: events before the page has drawn, and outdated answers. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { runInOneTask, delayFirst } from './one-task.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser, type Instance, settled, expectCount } from './support.ts';

const RAIZ = '12345678';
const NEW_LINK = `/vinculos?cpfCnpjRaiz=${RAIZ}&novo=1`;
const LINKS = `/appliance/api/manufacturer-links?cpfCnpjRaiz=${RAIZ}`;
const PRODUCT_SEARCH = '**/appliance/api/products?*internalCode=*';

const valueOf = (page: Page, label: string, value: string) =>
  page.waitForFunction(
    ([label, expected]) =>
      [...document.querySelectorAll<HTMLInputElement>('main input')].some(
        (field) => field.labels?.[0]?.textContent === label && field.value === expected,
      ),
    [label, value] as const,
  );

/** Creates more products than a list shows at once. */
async function manyProducts(site: Instance): Promise<void> {
  for (const first of [0, 100, 200])
    await site.call(
      ...(['demo', 'POST', '/catp/api/ext/produto'] as const),
      Array.from({ length: 100 }, (_, index) => ({
        seq: index + 1,
        cpfCnpjRaiz: RAIZ,
        denominacao: `Peça ${first + index + 1}`,
        ncm: '73181500',
        modalidade: 'IMPORTACAO',
      })),
    );
}

inBrowser('late answers', ['dev', '--empty'], (site) => {
  test('a product that is found late removes no product that was added meanwhile', async () => {
    await manyProducts(site);
    const { page } = await site.enter('demo', NEW_LINK);
    await settled(page);
    const delayed = await delayFirst(page, PRODUCT_SEARCH);
    await page.getByLabel('Produto', { exact: true }).fill('299');
    await delayed.arrived;
    await page.getByRole('button', { name: 'Mais um produto' }).click();
    await page.getByLabel('Produto 2').fill('7');
    await page.getByLabel('País').focus();
    await valueOf(page, 'Produto 2', '7 · Peça 7');
    delayed.release();
    await valueOf(page, 'Produto', '299 · Peça 299');
    await valueOf(page, 'Produto 2', '7 · Peça 7');
    await page.context().close();
  });

  test('Enter selects no product while its search is not answered', async () => {
    const { page } = await site.enter('demo', NEW_LINK);
    await settled(page);
    const field = page.getByLabel('Produto', { exact: true });
    const delayed = await delayFirst(page, PRODUCT_SEARCH);
    await field.fill('Peça 298');
    await delayed.arrived;
    await field.press('Enter');
    await eventually(() => field.inputValue()).toBe('');
    delayed.release();
    await valueOf(page, 'Produto', '298 · Peça 298');
    await page.context().close();
  });

  test('a completely typed code counts, also when the button is pressed before it is found', async () => {
    const { page } = await site.enter('demo', NEW_LINK);
    await settled(page);
    await page.getByLabel('Conhecido').selectOption({ label: 'Não' });
    await page.getByLabel('País').fill('JP');
    const delayed = await delayFirst(page, PRODUCT_SEARCH);
    await page.getByLabel('Produto', { exact: true }).fill('297');
    await delayed.arrived;
    await page.getByRole('button', { name: 'Salvar' }).click();
    delayed.release();
    await page.getByText('Vínculo gravado.').waitFor();
    const all = await site.call('demo', 'GET', `${LINKS}&codigoProduto=297`);
    expect(((await all.json()) as { total: number }).total).toBe(1);

    await page.goto(`${site.url}/vinculos?cpfCnpjRaiz=${RAIZ}`);
    const search = await delayFirst(page, PRODUCT_SEARCH);
    await page.getByLabel('Produto', { exact: true }).fill('297');
    await search.arrived;
    await page.getByRole('button', { name: 'Filtrar' }).click();
    search.release();
    await page.waitForURL('**codigoProduto=297**');
    await page.getByText('1 vínculo', { exact: true }).waitFor();
    await page.context().close();
  });

  test('failed links are tried again from the requested day', async () => {
    const link = { codigoProduto: 2, conhecido: false, codigoPais: 'CN' };
    await site.call('demo', 'POST', `/catp/api/ext/fabricante/${RAIZ}`, link);
    const { page } = await site.enter('demo', NEW_LINK);
    await settled(page);
    await page.getByLabel('Produto', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Mais um produto' }).click();
    await page.getByLabel('Produto 2').fill('2');
    await page.getByLabel('Conhecido').selectOption({ label: 'Não' });
    await page.getByLabel('País').fill('CN');
    await page.getByLabel('Início do vínculo').fill('02/01/2026');
    // A double press sends one request.
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await runInOneTask(page, [{ press: 'Salvar' }, { press: 'Salvar' }]);
    await page.getByText('1 incluído, 1 com erro.').waitFor();
    expect(posts).toBe(1);
    await site.call('demo', 'PUT', `/catp/api/ext/fabricante/${RAIZ}`, link);
    await page.getByRole('button', { name: 'Importar só os que falharam' }).click();
    await page.getByText('1 incluído.').waitFor();
    const { items } = (await (await site.call('demo', 'GET', LINKS)).json()) as {
      items: readonly { codigoPais: string; startsOn: string }[];
    };
    const chineseItems = items.filter(({ codigoPais }) => codigoPais === 'CN');
    expect(chineseItems.map(({ startsOn }) => startsOn)).toEqual(['2026-01-02', '2026-01-02']);
    await page.context().close();
  });

  test('two fields of an identification that change at once both count', async () => {
    const { page } = await site.enter('demo', `/operadores?cpfCnpjRaiz=${RAIZ}&novo=1`);
    await page.getByLabel('País').fill('DE');
    await page.getByRole('button', { name: 'Mais uma identificação' }).click();
    await page.getByLabel('Número 1').waitFor();
    const saveRequest = page.waitForRequest((request) => request.method() === 'POST');
    await runInOneTask(page, [
      { label: 'Nome', value: 'Gleichzeitig GmbH' },
      { label: 'Logradouro', value: 'Weg 1' },
      { label: 'Cidade', value: 'Köln' },
      { label: 'Número 1', value: '4012345000009' },
      { label: 'Agência 1', value: '9' },
      { press: 'Salvar' },
    ]);
    expect((await saveRequest).postDataJSON().identificacoesAdicionais).toEqual([
      { numero: '4012345000009', codigo: '9' },
    ]);
    await page.getByRole('heading', { level: 1, name: 'Gleichzeitig GmbH' }).waitFor();
    await page.context().close();
  });

  test('an event that is chosen before the samples are loaded gets its sample later', async () => {
    const { page } = await site.open('/notificacoes');
    const delayed = await delayFirst(page, '**/appliance/api/event-types');
    await page.getByLabel('Client-Id').fill('admin');
    await page.getByLabel('Client-Secret').fill('admin');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await delayed.arrived;
    await page.getByLabel('Evento').fill('duex-historico');
    delayed.release();
    await page.waitForFunction(() => document.querySelector('textarea')?.value.includes('"due"'));
    await page.context().close();
  });

  test('the day of failures is typed key by key', async () => {
    const { page } = await site.enter('demo', '/notificacoes?aba=falhas');
    await page.getByText('Nenhuma falha de entrega nesse dia.').waitFor();
    const day = page.getByLabel('Dia', { exact: true });
    await day.focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('02/01/2026');
    await page.waitForURL('**data=02012026');
    await page.getByText('0 falhas em 02/01/2026').waitFor();
    await eventually(() => day.inputValue()).toBe('02/01/2026');
    await page.keyboard.press('Backspace');
    await eventually(() => day.inputValue()).toBe('02/01/202');
    await page.context().close();
  });

  test('requests that arrive while the journal reloads are kept', async () => {
    const { page } = await site.open('/requisicoes');
    const at = '2026-01-01T10:00:00-03:00';
    const row = { id: 999_999, at, arrivedAt: at, method: 'GET', path: '/novo', query: {} };
    const members = { operation: null, status: 200, ms: 1, tag: null, user: null, fault: null, problems: [] };
    const events = `event: lost\ndata: {"count":1}\n\nid: 999999\ndata: ${JSON.stringify({ ...row, ...members })}\n\n`;
    let streams = 0;
    await page.route('**/appliance/api/requests/live', async (route) => {
      streams += 1;
      // Later streams get no answer, so only these events change the page.
      if (streams === 1) await route.fulfill({ contentType: 'text/event-stream', body: events });
    });
    let lists = 0;
    let release = (): void => {};
    const free = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/appliance/api/requests?*', async (route) => {
      lists += 1;
      if (lists > 1) await free;
      await route.continue().catch(() => undefined);
    });
    await page.getByLabel('Client-Id').fill('admin');
    await page.getByLabel('Client-Secret').fill('admin');
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.getByText('/novo').waitFor();
    const listResponse = page.waitForResponse('**/appliance/api/requests?*');
    release();
    await listResponse;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expectCount(page.getByText('/novo'), 1);
    await page.context().close();
  });
});
