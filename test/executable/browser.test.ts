/** The pages of the compiled executable in a real browser (issue point 8). */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import type { Browser, Download, Page } from 'playwright-core';
import { chromiumPath, startBrowser, watchedPage } from '../support/browser.ts';
import { startCatp, type RunningCatp } from '../support/executable.ts';

if (chromiumPath === undefined)
  console.warn('ATENÇÃO: sem Chromium nesta máquina, os testes de navegador foram PULADOS.');

setDefaultTimeout(60_000);

const RAIZ = '12345678';
const good = (seq: number, denominacao: string) => ({
  seq,
  cpfCnpjRaiz: RAIZ,
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
});
const ITEMS = [
  good(1, 'Parafuso de aço'),
  { ...good(2, 'Porca'), ncm: '7318' },
  { ...good(3, 'Arruela'), cpfCnpjRaiz: '11222333' },
  good(4, 'Rebite de latão'),
  { seq: 5, cpfCnpjRaiz: RAIZ, modalidade: 'IMPORTACAO', ncm: '73181500' },
];
const FILE = {
  name: 'produtos.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(ITEMS)),
};
const PHONE = { width: 390, height: 844 };

describe.skipIf(chromiumPath === undefined)('the web pages in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catp-browser-'));
  let catp: RunningCatp;
  let browser: Browser;

  beforeAll(async () => {
    [catp, browser] = await Promise.all([
      startCatp(['dev', '--empty', '--port', '0'], { cwd: folder }),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await catp?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('somebody with a wrong key stays outside and reads why', async () => {
    const { page, strangers } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    await signIn(page, 'demo', 'errado');
    await page.getByText('Não foi possível efetuar a autenticação com chave de acesso.').waitFor();
    expect(await page.getByText('Importar um arquivo').count()).toBe(0);
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('a session that the server no longer accepts leads back to the door', async () => {
    const { page } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    await signIn(page, 'demo', 'demo');
    await page.getByText('Importar um arquivo').waitFor();
    await page.evaluate(() => sessionStorage.setItem('catp.session', '{"authorization":"x","csrf":"y"}'));
    await page.reload();
    await page.getByText('A sessão terminou.').waitFor();
    await page.getByRole('button', { name: 'Entrar' }).waitFor();
    await page.context().close();
  });

  test('scripts of others, inline or from outside, do not run', async () => {
    const { page, complaints } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    const ran = await page.evaluate(async () => {
      const script = document.createElement('script');
      try {
        script.text = 'document.title = "taken over"';
        document.head.append(script);
      } catch {
        // Refused even earlier, by trusted types.
      }
      const reached = await fetch('http://127.0.0.1:9/').then(
        () => true,
        () => false,
      );
      return { title: document.title, reached };
    });
    expect(ran.title).not.toBe('taken over');
    expect(ran.reached).toBe(false);
    expect(complaints.join('\n')).toContain('Content Security Policy');
    await page.context().close();
  });

  test('a file with good and bad items is checked, imported, explained and exported again', async () => {
    const { page, complaints, strangers } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    await signIn(page, 'demo', 'demo');
    await page.getByText('Nenhuma tabela de atributos carregada.').waitFor();

    await page.setInputFiles('input[type=file]', FILE);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('nada foi gravado').waitFor();
    expect(await tally(page)).toEqual({ Incluídos: 2, 'Novas versões': 0, Inalterados: 0, 'Com erro': 3 });
    expect(JSON.parse(await textInZip(await exported(page, 'Exportar produtos')))).toEqual([]);

    await page.getByRole('button', { name: 'Importar agora' }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    expect(await tally(page)).toEqual({ Incluídos: 2, 'Novas versões': 0, Inalterados: 0, 'Com erro': 3 });

    expect(await rows(page)).toHaveLength(3);
    const [second, third, fifth] = await rows(page);
    expect(second).toContain('7318');
    expect(second).toContain(', linha ');
    expect(second).toContain('/ncm');
    expect(third).toContain('representante');
    expect(fifth).toContain('denominacao');
    await page.getByLabel('Só os itens com erro').uncheck();
    await page.locator('tbody tr.created').first().waitFor();
    expect(await rows(page)).toHaveLength(ITEMS.length);

    const errors = await downloaded(page, () =>
      page.getByRole('button', { name: 'Baixar errors.csv' }).click(),
    );
    expect(errors.suggestedFilename()).toEndWith('errors.csv');
    expect(await Bun.file(await errors.path()).text()).toContain('denominacao');

    const products = await exported(page, 'Exportar produtos');
    expect(products.suggestedFilename()).toMatch(/^CATALOGO_PRODUTOS_12345678_\d{14}\.zip$/);
    const denominacoes = (JSON.parse(await textInZip(products)) as { denominacao: string }[]).map(
      (product) => product.denominacao,
    );
    expect(denominacoes).toEqual(['Parafuso de aço', 'Rebite de latão']);
    const operators = await exported(page, 'Exportar operadores estrangeiros');
    expect(operators.suggestedFilename()).toStartWith('OPERADORES_ESTRANGEIROS_12345678_');
    const links = await exported(page, 'Exportar vínculos');
    expect(links.suggestedFilename()).toStartWith('VINCULOS_FABRICANTES_12345678_');

    // A reload keeps the session, and finds both imports again.
    await page.reload();
    await page.getByRole('button', { name: 'Ver o resultado de produtos.json' }).nth(1).click();
    await page.getByText('nada foi gravado').waitFor();
    await page.getByRole('button', { name: 'Fechar' }).click();
    await page.getByRole('button', { name: 'Ver o resultado de produtos.json' }).first().click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('a file that cannot be read is refused with its reason, and nothing is kept', async () => {
    const { page } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    await signIn(page, 'demo2', 'demo2');
    await page.setInputFiles('input[type=file]', { ...FILE, buffer: Buffer.from('[{"seq":1,') });
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('o arquivo não pôde ser lido.').waitFor();
    expect(await page.locator('.notice.bad').innerText()).toMatch(/byte \d+.*Nada foi gravado\./s);
    await page.context().close();
  });

  test('everything on the way to a result can be done with the keyboard alone', async () => {
    const { page } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Ir para o conteúdo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Tab');
    await page.keyboard.type('demo');
    await page.keyboard.press('Enter');
    await page.getByText('Importar um arquivo').waitFor();
    await page.getByLabel('Empresa').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Operadores estrangeiros' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Espelho' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('file');
    await page.context().close();
  });

  test('the snippet of the first page works when it is pasted into a shell', async () => {
    const { page } = await watchedPage(browser, catp.url);
    await page.goto(catp.url);
    const snippet = await page.locator('.snippet pre').innerText();
    const shell = Bun.spawn(['bash', '-ec', `${snippet} -w '\\n%{http_code}'`], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const answer = await new Response(shell.stdout).text();
    expect(answer.split('\n').at(-1)).toMatch(/^20[04]$/);
    await page.context().close();
  });

  test('the reference shows every operation of the document, finds them, and asks nobody else', async () => {
    const document = (await (await fetch(`${catp.url}/openapi.json`)).json()) as { paths: object };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.keys(item as object).filter((key) => /^(get|post|put|delete|patch)$/.test(key)),
    );
    const { page, complaints, strangers } = await watchedPage(browser, catp.url);
    await page.goto(`${catp.url}/docs`);
    await page.locator('.operation').first().waitFor();
    expect(await page.locator('.operation').count()).toBe(operations.length);
    await openAll(page);
    await becomes(page, '.operation-inside', operations.length);
    await page.getByPlaceholder('Procurar operação').fill('PUT operador desativar');
    await becomes(page, '.operation', 1);
    expect(await page.locator('.operation .snippet pre').first().innerText()).toContain('curl -s -X PUT');
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('the reference shows each form of an item under its name, and a form that contains itself as deep as asked', async () => {
    const { page, complaints } = await watchedPage(browser, catp.url);
    await page.goto(`${catp.url}/docs#batchProducts`);
    const batch = page.locator('#batchProducts .operation-inside');
    for (const name of ['ProductItem', 'ProductDraftItem', 'ProductDeactivationItem'])
      await batch.getByText(name, { exact: true }).waitFor();
    expect(await batch.getByText('null', { exact: false }).count()).toBeGreaterThan(0);

    await page.goto(`${catp.url}/docs#loadAttributeTable`);
    const table = page.locator('#loadAttributeTable .operation-inside');
    const details = table.locator('li', { hasText: /^detalhesAtributos/ }).first();
    await details.waitFor();
    let part = details;
    for (let depth = 0; depth < 3; depth += 1) {
      const inner = part.locator('> details.inner');
      await inner.evaluate((element) => element.setAttribute('open', ''));
      part = inner.locator('> ul > li', { hasText: /^listaSubatributos/ });
      await part.waitFor({ state: 'attached' });
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('nothing is wider than a phone', async () => {
    const { page } = await watchedPage(browser, catp.url, { viewport: PHONE });
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    await page.goto(`${catp.url}/docs`);
    await openAll(page);
    expect(await isTooWide()).toBe(false);
    await page.goto(catp.url);
    expect(await isTooWide()).toBe(false);
    await signIn(page, 'demo', 'demo');
    await page.setInputFiles('input[type=file]', FILE);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.locator('table').waitFor();
    expect(await isTooWide()).toBe(false);
    await page.context().close();
  });
});

async function signIn(page: Page, clientId: string, clientSecret: string): Promise<void> {
  await page.getByLabel('Client-Id').fill(clientId);
  await page.getByLabel('Client-Secret').fill(clientSecret);
  await page.getByRole('button', { name: 'Entrar' }).click();
}

/** Waits until the page has so many of them: it is drawn after what was done to it. */
async function becomes(page: Page, selector: string, count: number): Promise<void> {
  const has = ([of, wanted]: readonly [string, number]): boolean =>
    document.querySelectorAll(of).length === wanted;
  await page.waitForFunction(has, [selector, count] as const);
}

/** Every operation of the reference, and what unfolds inside. */
async function openAll(page: Page): Promise<void> {
  const open = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
  await page.locator('.operation').first().waitFor();
  await open('.operation');
  await page.locator('.operation-inside').last().waitFor();
  await open('.operation-inside details');
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
}

async function tally(page: Page): Promise<Record<string, number>> {
  const names = await page.locator('.tally dt').allInnerTexts();
  const values = await page.locator('.tally dd').allInnerTexts();
  return Object.fromEntries(names.map((name, at) => [name, Number(values[at])]));
}

async function rows(page: Page): Promise<readonly string[]> {
  await page.locator('tbody tr').first().waitFor();
  return page.locator('tbody tr').allInnerTexts();
}

async function downloaded(page: Page, act: () => Promise<void>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()]);
  return download;
}

function exported(page: Page, name: string): Promise<Download> {
  return downloaded(page, () => page.getByRole('button', { name }).click());
}

async function textInZip(download: Download): Promise<string> {
  const [member] = Object.values(unzipSync(await Bun.file(await download.path()).bytes()));
  return new TextDecoder().decode(member);
}
