/** One session for all tabs of a browser, which ends with them or by `Sair` in all (contract section 17). */
import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openSandbox } from '../support.ts';
import { becomes, inBrowser, settled, signIn, STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

/** Storage key of the companies that `demo` opened. The browser keeps them after the session. */
const RECENT = 'catp.recent-companies.00000000191';
const ENDED = 'A sessão terminou. Entre de novo para continuar.';

inBrowser('the session of a browser', ['dev', '--empty'], (site) => {
  /** Opens another tab of the same browser. */
  const secondTab = async (page: Page, path: string): Promise<Page> => {
    const tab = await page.context().newPage();
    await tab.goto(site.url + path);
    return tab;
  };
  const atHeading = (page: Page, name: string): Promise<void> =>
    page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  const expectSignedOut = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Entrar', exact: true }).waitFor();
  const stored = (page: Page): Promise<unknown> =>
    page.evaluate(() => [Object.keys(localStorage), document.cookie, sessionStorage.getItem('catp.session')]);

  test('is shared by every tab: opened by address, by the middle button, and on or from the help pages', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const second = await secondTab(page, '/operadores');
    await atHeading(second, 'Operadores estrangeiros');
    await second.waitForURL('**/operadores?cpfCnpjRaiz=12345678');

    const [middle] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Produtos' }).click({ button: 'middle' }),
    ]);
    await atHeading(middle, 'Produtos');

    const help = await secondTab(page, '/ajuda');
    await help.getByRole('link', { name: 'Painel' }).click();
    await atHeading(help, 'Painel');
    // A help page that is the only tab passes the session on to the next tab.
    await help.goto(`${site.url}/ajuda/interface-web`);
    for (const tab of [page, second, middle]) await tab.close();
    const [alone] = await Promise.all([
      help.context().waitForEvent('page'),
      help.getByRole('navigation').getByRole('link', { name: 'Painel' }).click({ button: 'middle' }),
    ]);
    await atHeading(alone, 'Painel');
    expect((await stored(alone)) as unknown[]).toMatchObject([[RECENT], '', expect.any(String)]);
    expect(complaints).toEqual([]);
    await help.context().close();
  });

  test('works in parallel tabs, each with the tokens that another tab renewed', async () => {
    const { page } = await site.enter('demo', '/importar');
    const second = await secondTab(page, '/importar');
    await atHeading(second, 'Importar');
    const refusals: string[] = [];
    for (const tab of [page, second])
      tab.on(
        'response',
        (answer) => answer.status() >= 400 && refusals.push(`${answer.status()} ${answer.url()}`),
      );
    for (const name of ['Vínculos', 'Importar', 'Produtos', 'Notificações'])
      for (const tab of [page, second]) {
        await tab.getByRole('link', { name, exact: true }).click();
        await atHeading(tab, name);
      }
    for (const tab of [page, second]) {
      await tab.reload();
      await atHeading(tab, 'Notificações');
    }
    expect(refusals).toEqual([]);
    await page.context().close();
  });

  test('starts in all tabs by a sign-in in one, each on its own page', async () => {
    const { page } = await site.open('/operadores');
    const second = await secondTab(page, '/vinculos');
    for (const tab of [page, second]) await expectSignedOut(tab);
    await signIn(page, 'demo');
    await atHeading(page, 'Operadores estrangeiros');
    await atHeading(second, 'Vínculos');
    await page.context().close();
  });

  test('ends in all tabs by Sair, also on the help pages, and leaves no data in any', async () => {
    const { page } = await site.enter('demo', '/operadores');
    const second = await secondTab(page, '/produtos/novo');
    await second.getByLabel('Denominação').fill('Café do Sul');
    const help = await secondTab(page, '/ajuda');
    await becomes(
      () => help.evaluate(() => sessionStorage.length),
      (length) => length > 0,
    );
    await page.getByRole('button', { name: 'Sair' }).click();
    for (const tab of [page, second]) {
      await expectSignedOut(tab);
      expect(tab.url()).toBe(`${site.url}/entrar`);
    }
    for (const tab of [page, second, help])
      expect(
        await becomes(
          () => tab.evaluate(() => sessionStorage.length),
          (length) => length === 0,
        ),
      ).toBe(0);
    const third = await secondTab(page, '/produtos');
    await expectSignedOut(third);
    await page.context().close();
  });

  test('is reported as expired in all tabs, and continues in all after a sign-in', async () => {
    const { page } = await site.enter('demo', '/operadores');
    const second = await secondTab(page, '/vinculos');
    await atHeading(second, 'Vínculos');
    for (const tab of [page, second]) await settled(tab);
    const response = await site.call('admin', 'DELETE', '/appliance/api/users/00000000191/sessions');
    expect(response.status).toBe(204);
    await page.getByRole('link', { name: 'Produtos' }).click();
    for (const tab of [page, second]) await tab.getByText(ENDED).waitFor();
    await signIn(second, 'demo');
    await atHeading(second, 'Vínculos');
    await atHeading(page, 'Produtos');
    expect(await page.getByText(ENDED).count()).toBe(0);
    await page.context().close();
  });

  test('is requested by a tab that missed a later sign-in, and continues', async () => {
    const { page } = await site.enter('demo', '/operadores');
    const second = await secondTab(page, '/vinculos');
    await atHeading(second, 'Vínculos');
    await settled(second);
    await second.evaluate(() =>
      sessionStorage.setItem('catp.session', '{"authorization":"x","csrf":"y","until":0,"since":0}'),
    );
    // A slow click: its mouse-down must not cause a redraw that replaces the link before the mouse-up.
    await second.getByRole('link', { name: 'Produtos' }).hover();
    await second.mouse.down();
    await second.evaluate(async () => {
      for (const path of ['/healthz', '/readyz']) await fetch(path);
    });
    await second.mouse.up();
    await atHeading(second, 'Produtos');
    await settled(second);
    expect(await page.getByText(ENDED).count()).toBe(0);
    await page.context().close();
  });

  test('can be stored by the browser: the fields of the form declare Client-Id and secret', async () => {
    const { page } = await site.open('/entrar');
    await expectSignedOut(page);
    const autofillHints = await page
      .getByRole('form', { name: 'Entrar com chave de acesso' })
      .getByRole('textbox')
      .evaluateAll((fields) =>
        fields.map((field) => [(field as HTMLInputElement).type, field.getAttribute('autocomplete')]),
      );
    expect(autofillHints).toEqual([
      ['text', 'username'],
      ['password', 'current-password'],
    ]);
    await page.context().close();
  });

  test('ends with the last tab', async () => {
    const { page } = await site.enter('demo', '/importar');
    const context = page.context();
    const second = await secondTab(page, '/importar');
    await atHeading(second, 'Importar');
    await page.close();
    await second.reload();
    await atHeading(second, 'Importar');
    await second.close();
    const next = await context.newPage();
    await next.goto(`${site.url}/importar`);
    await next.waitForURL('**/entrar?voltar=*');
    await expectSignedOut(next);
    expect(await stored(next)).toEqual([[RECENT], '', null]);
    await context.close();
  });

  test('leaves saved filters to the user who saved them; the browser may have damaged them', async () => {
    const { page, complaints } = await site.enter('demo', '/produtos?text=vinho');
    await page.getByRole('button', { name: 'Guardar filtro' }).click();
    await page.getByLabel('Nome do filtro').fill('Vinhos');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Esquecer “Vinhos”' }).waitFor();
    await page.evaluate(() => localStorage.setItem('catp.columns.produtos.00000000191', '{'));
    await page.reload();
    await page.getByRole('button', { name: 'Esquecer “Vinhos”' }).waitFor();

    await page.getByRole('button', { name: 'Sair' }).click();
    await expectSignedOut(page);
    await signIn(page, 'demo2');
    await settled(page);
    await page.goto(`${site.url}/produtos?text=vinho`);
    await page.getByRole('button', { name: 'Guardar filtro' }).waitFor();
    expect(await page.getByRole('button', { name: 'Filtros guardados' }).count()).toBe(0);

    const damagedFilters = '[{"name":"Vinhos","values":null}]';
    await page.evaluate(
      (text) => localStorage.setItem('catp.filters.produtos.00000000272', text),
      damagedFilters,
    );
    await page.reload();
    await page.getByRole('button', { name: 'Guardar filtro' }).waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('is not visible to another origin', async () => {
    const { page } = await site.enter('demo', '/importar');
    const sandbox = await openSandbox();
    try {
      const { url } = await sandbox.start('dev', '--empty', '--port', '0');
      const stranger = await page.context().newPage();
      await stranger.goto(`${url}/entrar`);
      await stranger.evaluate(() => {
        const channel = new BroadcastChannel('catp.session');
        const messages: unknown[] = [];
        channel.onmessage = ({ data }) => messages.push(data);
        Object.assign(window, { heard: messages });
        channel.postMessage({ about: 'question' });
      });
      // The same question from a tab of this origin is answered.
      const second = await secondTab(page, '/importar');
      await atHeading(second, 'Importar');
      await expectSignedOut(stranger);
      const messages = await stranger.evaluate(() => (window as unknown as { heard: unknown[] }).heard);
      expect([messages, await stranger.evaluate(() => sessionStorage.length)]).toEqual([[], 0]);
    } finally {
      await sandbox.close();
      await page.context().close();
    }
  });

  test('belongs to one user: a sign-in by another user changes all tabs, and shows no data of the former', async () => {
    const { page } = await site.enter('demo', '/produtos/novo');
    await page.getByLabel('Denominação').fill('Café do Sul');
    const second = await secondTab(page, '/docs/listProducts');
    await second.getByRole('button', { name: 'Entrar com outra chave' }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByLabel('Client-Id').fill('demo2');
    await dialog.getByLabel('Client-Secret').fill('demo2');
    await dialog.getByRole('button', { name: 'Entrar', exact: true }).click();
    await second.locator('.reference-session').getByText('João Demonstração').waitFor();
    await page.locator('.me').getByText('João Demonstração').waitFor();
    expect(await page.getByLabel('Denominação').inputValue()).toBe('');
    await page.context().close();
  });

  test('ends with its messages, which the next user does not see', async () => {
    const { page } = await site.enter('demo', '/produtos/novo?cpfCnpjRaiz=12345678');
    await page.getByLabel('Denominação').fill('Café do Sul');
    await page.getByRole('button', { name: 'Salvar rascunho' }).click();
    const toast = page.getByText(/Rascunho \d+ salvo\./);
    await toast.waitFor();
    await page.getByRole('button', { name: 'Sair' }).click();
    await expectSignedOut(page);
    expect(await toast.count()).toBe(0);
    await signIn(page, 'demo2');
    expect(await toast.count()).toBe(0);
    await page.context().close();
  });
});
