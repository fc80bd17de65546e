/** `/docs`: the API reference, printed by the server. */
import { expect, test } from 'bun:test';
import type { Locator } from 'playwright-core';
import { eventually } from '../../support/eventually.ts';
import { expectCount, expectFocus, expectGoodPage, expectNoOverflow, inBrowser, tabTo } from './support.ts';

const SEARCH = 'Operação, campo, código ou texto';

inBrowser('the API reference', ['dev', '--empty'], (site) => {
  test('lists and finds every operation of the document, and requests no other server', async () => {
    const document = (await (await fetch(`${site.url}/openapi.json`)).json()) as { paths: object };
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.keys(item as object).filter((key) => /^(get|post|put|delete|patch)$/.test(key)),
    );
    const { page, complaints, strangers } = await site.open('/docs');
    await expectCount(page.locator('.operations > li'), operations.length);
    await page.getByLabel(SEARCH).fill('PUT operador desativar');
    await page.getByRole('button', { name: 'Procurar' }).click();
    await page.getByText(`1 de ${operations.length} operações`).waitFor();
    await page.getByRole('link', { name: 'Desativa uma versão do operador estrangeiro' }).click();
    await page.getByRole('heading', { level: 1, name: 'Desativa uma versão' }).waitFor();
    await eventually(() => page.locator('.snippet pre').first().innerText()).toContain('curl -s -X PUT');
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('is complete without JavaScript, with the addresses of searches and operations', async () => {
    const textOf = async (path: string): Promise<string> =>
      (await fetch(site.url + path, { headers: { accept: 'text/html' } })).text();
    expect(await textOf('/docs')).toContain('href="/docs/includeProduct"');
    expect(await textOf('/docs?busca=CATP-ER1104')).toContain('Use um dos códigos do domínio');
    const operation = await textOf('/docs/includeProduct');
    for (const part of ['curl -s -X POST', 'denominacao', 'obrigatório', 'PUCX-ER0201'])
      expect(operation).toContain(part);
    const notFound = await fetch(`${site.url}/docs/nada`, { headers: { accept: 'text/html' } });
    expect(notFound.status).toBe(404);
  });

  test('shows the form of an item under its name, and names a recursive form', async () => {
    const { page, complaints } = await site.open('/docs/batchProducts');
    await page.getByText('lista de ProductItem', { exact: true }).first().waitFor();
    await page.getByText('RASCUNHO exige denominacao').first().waitFor();

    await page.goto(`${site.url}/docs/loadAttributeTable`);
    const details = page.locator('li', { hasText: /^detalhesAtributos/ }).first();
    const open = (parent: Locator) =>
      parent.locator('> details.inner').evaluate((element) => element.setAttribute('open', ''));
    await open(details);
    const parts = details.locator('> details.inner > ul > li', { hasText: /^listaSubatributos/ });
    await open(parts);
    await parts.getByText('em que está').waitFor();

    await page.goto(`${site.url}/docs/subscribe`);
    const event = page.locator('.answer', { has: page.getByText('catp-prazo', { exact: true }) });
    await event.locator('summary').first().click();
    for (const part of ['destinatario-tipo', 'secret'])
      await event.getByText(part, { exact: true }).first().waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('fits the width of a phone with all parts unfolded', async () => {
    const { page } = await site.open('/docs');
    for (const address of ['/docs', '/docs/subscribe', '/docs/loadAttributeTable', '/docs/startImport']) {
      await page.goto(site.url + address);
      await page
        .locator('details')
        .evaluateAll((all) => all.forEach((details) => details.setAttribute('open', '')));
      await expectNoOverflow(page);
    }
    await page.context().close();
  });

  test('signs in from the page, sends a valid and an invalid request, and shows the reason of the refusal', async () => {
    const { page, complaints, strangers } = await site.open('/docs/listProducts');
    await page.getByRole('button', { name: 'Experimentar', exact: true }).click();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await eventually(() => page.locator('.try-codes').innerText()).toContain('Autentique-se');
    await page.getByRole('button', { name: 'Entrar para experimentar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('envia as requisições').waitFor();
    await page.getByLabel('Exemplos para').selectOption('87654321');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('204', { exact: true }).first().waitFor();

    await page.goto(`${site.url}/docs/includeProduct`);
    await page.getByRole('button', { name: 'Experimentar', exact: true }).click();
    await eventually(() => page.getByLabel('cpfCnpjRaiz').inputValue()).toBe('87654321');
    await page.getByRole('button', { name: 'Enviar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enviar de verdade?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Enviar');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('"codigo": 1').first().waitFor();
    await eventually(() => page.locator('.snippet pre').first().innerText()).toContain('produto/87654321');
    await expectGoodPage(page, 'Inclui um produto (versão inicial)', 'docs-experimentar');

    // A request finds the product that the previous request included.
    await page.goto(`${site.url}/docs/getProductVersion`);
    await page.getByRole('button', { name: 'Experimentar', exact: true }).click();
    await page.locator('.snippet pre', { hasText: '/87654321/1/1' }).waitFor();
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('"situacao": "ATIVADO"').first().waitFor();
    // The other pages share the session.
    await page.goto(`${site.url}/produtos`);
    await page.getByText('Caixa plástica').waitFor();
    expect(complaints.filter((text) => !text.includes('401 (Unauthorized)'))).toEqual([]);
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('finds a field, a code and a text; sends by keyboard alone', async () => {
    const { page } = await site.open('/docs?busca=CATP-ER1104');
    await expectCount(page.locator('.operations > li'), 0);
    await page.getByText('Use um dos códigos do domínio').waitFor();
    await expectGoodPage(page, 'Referência da API', 'docs-codigo');
    await page.goto(`${site.url}/docs?busca=codigoSubdivisaoPais`);
    await page.locator('#includeForeignOperator', { hasText: 'codigoSubdivisaoPais' }).waitFor();
    await tabTo(page, SEARCH);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('getHealth');
    await page.keyboard.press('Enter');
    await expectCount(page.locator('.operations > li'), 1);
    await tabTo(page, 'O processo está vivo');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Experimentar', exact: true }).waitFor();
    await tabTo(page, 'Experimentar');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Enviar');
    await page.keyboard.press('Enter');
    await page.locator('.try-answer', { hasText: '200' }).waitFor();
    await page.context().close();
  });
});
