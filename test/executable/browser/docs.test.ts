/** `/docs`: the API reference. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { expectNoOverflow, inBrowser, STORY_MS } from './support.ts';

setDefaultTimeout(STORY_MS);

inBrowser('the API reference', ['dev', '--empty'], (it) => {
  test('the reference shows every operation of the document, finds them, and asks nobody else', async () => {
    const document = (await (await fetch(`${it.url}/openapi.json`)).json()) as { paths: object };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.keys(item as object).filter((key) => /^(get|post|put|delete|patch)$/.test(key)),
    );
    const { page, complaints, strangers } = await it.open('/docs');
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
    const { page, complaints } = await it.open('/docs#batchProducts');
    const batch = page.locator('#batchProducts .operation-inside');
    for (const name of ['ProductItem', 'ProductDraftItem', 'ProductDeactivationItem'])
      await batch.getByText(name, { exact: true }).waitFor();
    expect(await batch.getByText('null', { exact: false }).count()).toBeGreaterThan(0);

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
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('nothing of it is wider than a phone, all unfolded', async () => {
    const { page } = await it.open('/docs');
    await openAll(page);
    await expectNoOverflow(page);
    await page.context().close();
  });
});

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
