/**
 * `/remotos/{id}`: a paused run, stopped and resumed; the brake; and an administrator's changes of a
 * remote.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { COMPANY, PRODUCTS, button, chip, expectNoComplaints, startRemote, product } from './remotos.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, inBrowser } from './support.ts';

inBrowser('a running transfer', ['dev', '--empty'], (site) => {
  const remote = startRemote();
  const MANY = 11;
  const createProducts = async (first: number, count: number): Promise<void> => {
    for (let index = first; index < first + count; index += 1)
      await site.call('demo', 'POST', PRODUCTS, product(`Peça ${index}`));
  };
  /** Compares, plans to send the records of the chip, and sends them. */
  const planned = async (page: Page, chipText: RegExp): Promise<void> => {
    await button(page, 'Comparar com la').click();
    await chip(page, chipText).click();
    await button(page, 'Enviar…').click();
    await button(page, 'Ver o plano').click();
    await button(page, 'Enviar').click();
  };

  test('deactivates many only after their number is typed', async () => {
    await createProducts(1, MANY);
    // The hourly limit is just enough for this test, so the run of the next test must pause.
    const connection = { url: remote.url, clientId: 'demo', clientSecret: 'demo', perHour: MANY };
    const body = { name: 'la', companies: [COMPANY], ...connection };
    expect((await site.call('admin', 'POST', '/appliance/api/remotes', body)).status).toBe(200);
    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await planned(page, new RegExp(`^Só aqui ${MANY}`));
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor();
    for (let index = 1; index <= MANY; index += 1)
      await site.call('demo', 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${index}`);
    await page.getByRole('link', { name: 'Comparação com la' }).click();
    await planned(page, new RegExp(`^Desativado aqui ${MANY}`));
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${MANY} produtos e operadores serão desativados`).waitFor();
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await dialog.getByRole('alert').getByText(`Desativaria lá ${MANY}`).first().waitFor();
    await expectGoodPage(page, /Plano \d+/.exec(await page.title())?.[0] ?? '', 'remotos-freio');
    await dialog.getByLabel('Quantos podem ser desativados').fill(String(MANY));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('pauses, is stopped, resumes, and the steps that did not start are cancelled', async () => {
    await createProducts(MANY + 1, MANY + 1);
    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await planned(page, new RegExp(`^Só aqui ${MANY + 1}`));
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('A inclusão de produtos espera até').waitFor();
    await page
      .getByText(`de ${MANY + 1}`)
      .first()
      .waitFor();
    const title = /Envio \d+/.exec(await page.title())?.[0] ?? '';
    await expectGoodPage(page, title, 'remotos-descansa');
    // The panel and the page of the remote show the running run, and the page starts no second one.
    await page.getByRole('link', { name: 'Comparação com la' }).click();
    await page.getByText('está em andamento: ').waitFor();
    await eventually(() => button(page, 'Enviar…').isDisabled()).toBe(true);
    await page.getByRole('table', { name: 'Envios e buscas recentes' }).getByText('Descansando').waitFor();
    await page.goto(`${site.url}/?cpfCnpjRaiz=${COMPANY}`);
    await page.getByRole('link', { name: title, exact: true }).click();

    await button(page, 'Parar').focus();
    await page.keyboard.press('Enter');
    await page.getByText('“Continuar” retoma de onde parou.').waitFor();
    await button(page, 'Continuar').click();
    await page.getByText('A inclusão de produtos espera até').waitFor();
    await button(page, 'Cancelar').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/passos? que não começ/).waitFor();
    await dialog.getByRole('button', { name: 'Cancelar o que falta' }).click();
    await page.getByText('Cancelado. Compare de novo').waitFor();
    await expectGoodPage(page, title, 'remotos-cancelado');
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('an administrator changes a remote and removes it; its secret is never shown again', async () => {
    const opened = await site.enter('admin', '/remotos');
    const { page } = opened;
    await button(page, 'Editar').click();
    const dialog = page.getByRole('dialog', { name: 'Alterar la' });
    await eventually(() => dialog.getByLabel('Client-Secret').inputValue()).toBe('');
    await dialog.getByText('Ritmo, parada, outra autoridade, outro ambiente').click();
    await dialog.getByLabel('Parada diária').fill('1h');
    await button(page, 'Salvar').click();
    await dialog.getByRole('alert').waitFor();
    await eventually(() => dialog.getByLabel('Parada diária').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Parada diária').fill('01:00-03:00');
    await dialog.getByText('Certificado A1').click();
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'a1.pfx',
        mimeType: 'application/x-pkcs12',
        buffer: Buffer.from('nenhum'),
      });
    await button(page, 'Salvar').click();
    await dialog.getByRole('alert').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-certificado');
    await dialog.getByText('Chave de acesso').click();
    await button(page, 'Salvar').click();
    await page.getByText('parada 01:00-03:00').waitFor();
    await button(page, 'Excluir').click();
    await page
      .getByRole('dialog', { name: 'Excluir o remoto la?' })
      .getByRole('button', { name: 'Excluir' })
      .click();
    await page.getByText('Nenhum remoto ainda.').waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });
});
