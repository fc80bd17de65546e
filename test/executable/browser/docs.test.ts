/** `/docs`: the API reference. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { EVENTUALLY_MS, eventually } from '../../support/eventually.ts';
import { expectCount, expectFocus, expectGoodPage, expectNoOverflow, inBrowser, tabTo } from './support.ts';

inBrowser('the API reference', ['dev', '--empty'], (it) => {
  test('the reference shows every operation of the document, finds them, and asks nobody else', async () => {
    const document = (await (await fetch(`${it.url}/openapi.json`)).json()) as { paths: object };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.keys(item as object).filter((key) => /^(get|post|put|delete|patch)$/.test(key)),
    );
    const { page, complaints, strangers } = await it.open('/docs');
    await page.locator('.operation').first().waitFor();
    await eventually(() => page.locator('.operation').count()).toBe(operations.length);
    await openAll(page);
    await expectCount(page.locator('.operation-inside'), operations.length);
    await page.getByPlaceholder('Procurar operação').fill('PUT operador desativar');
    await expectCount(page.locator('.operation'), 1);
    await eventually(() => page.locator('.operation .snippet pre').first().innerText()).toContain(
      'curl -s -X PUT',
    );
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('the reference shows each form of an item under its name, and a form that contains itself as deep as asked', async () => {
    const { page, complaints } = await it.open('/docs#batchProducts');
    const batch = page.locator('#batchProducts .operation-inside');
    for (const name of ['ProductItem', 'ProductDraftItem', 'ProductDeactivationItem'])
      await batch.getByText(name, { exact: true }).waitFor();
    await eventually(() => batch.getByText('null', { exact: false }).count()).toBeGreaterThan(0);

    await page.goto(`${it.url}/docs#loadAttributeTable`);
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
    await page.goto(`${it.url}/docs#subscribe`);
    const event = page.locator('#subscribe .answer', { has: page.getByText('catp-prazo', { exact: true }) });
    await event.locator('summary').first().click();
    for (const told of ['destinatario-tipo', 'secret'])
      await eventually(() => event.getByText(told, { exact: true }).count()).toBeGreaterThan(0);

    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('nothing of it is wider than a phone, all unfolded', async () => {
    const { page } = await it.open('/docs');
    await openAll(page);
    await expectNoOverflow(page);
    await page.context().close();
  });

  test('signed out, somebody signs in here, sends what is there and what is refused, and is told why', async () => {
    const { page, complaints, strangers } = await it.open('/docs#listProducts');
    const list = page.locator('#listProducts');
    await list.getByRole('button', { name: 'Experimentar' }).click();
    await list.getByRole('button', { name: 'Enviar' }).click();
    await list.getByText('PUCX-ER0201').first().waitFor();
    await eventually(() => list.locator('.try-codes').innerText()).toContain('Autentique-se');
    await page.getByRole('button', { name: 'Entrar para experimentar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('envia as requisições').waitFor();
    await page.getByLabel('Exemplos para').selectOption('87654321');
    await list.getByRole('button', { name: 'Enviar' }).click();
    await list.getByText('204', { exact: true }).first().waitFor();

    const include = page.locator('#includeProduct');
    await include.locator('summary').first().click();
    await include.getByRole('button', { name: 'Experimentar' }).click();
    await eventually(() => include.getByLabel('cpfCnpjRaiz').inputValue()).toBe('87654321');
    await include.getByRole('button', { name: 'Enviar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enviar de verdade?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Enviar');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await include.getByText('"codigo": 1').first().waitFor();
    await eventually(() => include.locator('.snippet pre').first().innerText()).toContain('produto/87654321');
    await page.getByPlaceholder('Procurar operação').fill('includeProduct');
    await expectGoodPage(page, 'Referência da API', 'docs-experimentar');
    await page.getByPlaceholder('Procurar operação').fill('');

    // What is there is found: the product that was just included.
    const version = page.locator('#getProductVersion');
    await version.locator('summary').first().click();
    await version.getByRole('button', { name: 'Experimentar' }).click();
    await version.locator('.snippet pre', { hasText: '/87654321/1/1' }).waitFor();
    await version.getByRole('button', { name: 'Enviar' }).click();
    await version.getByText('"situacao": "ATIVADO"').first().waitFor();
    // The session is that of the other pages.
    await page.getByRole('link', { name: 'Produtos', exact: true }).click();
    await page.getByText('Caixa plástica').waitFor();
    expect(complaints.filter((text) => !text.includes('401 (Unauthorized)'))).toEqual([]);
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('a field, a code and a text are found; the keyboard alone sends', async () => {
    const { page } = await it.open('/docs');
    await page.locator('.operation').first().waitFor();
    await page.getByPlaceholder('Procurar operação').fill('CATP-ER1104');
    await expectCount(page.locator('.operation'), 0);
    await page.getByText('Use um dos códigos do domínio').waitFor();
    await expectGoodPage(page, 'Referência da API', 'docs-codigo');
    await page.getByPlaceholder('Procurar operação').fill('codigoSubdivisaoPais');
    await page.locator('#includeForeignOperator .operation-fields').waitFor();
    await page.getByPlaceholder('Procurar operação').fill('getHealth');
    await expectCount(page.locator('.operation'), 1);
    await page.getByPlaceholder('Procurar operação').focus();
    await tabTo(page, /healthz/);
    while (!(await page.evaluate(() => document.activeElement?.matches('summary'))))
      await tabTo(page, /healthz/);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Experimentar');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Enviar');
    await page.keyboard.press('Enter');
    await page.locator('.try-answer', { hasText: '200' }).waitFor();
    await page.context().close();
  });
});

/** Every operation of the reference, and what unfolds inside. */
async function openAll(page: Page): Promise<void> {
  const open = (selector: string) =>
    page.locator(selector).evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
  await page.locator('.operation').first().waitFor();
  await open('.operation');
  await page
    .locator('.operation-inside')
    .last()
    .waitFor({ timeout: 2 * EVENTUALLY_MS });
  await open('.operation-inside details');
}
