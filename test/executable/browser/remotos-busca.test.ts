/**
 * `/remotos`: records that exist or changed only on the remote are fetched; the link to their import undoes
 * it.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { signIn } from '../../../scripts/proof/client.ts';
import { COMPANY, PRODUCTS, button, chip, expectNoComplaints, startRemote, product } from './remotos.ts';
import { expectCount, expectGoodPage, inBrowser } from './support.ts';

inBrowser('the records of a remote', ['dev', '--empty'], (site) => {
  const otherServer = startRemote();
  const nameOf = async (codigo: number): Promise<readonly [name: string, situacao: string]> => {
    const list = await (
      await site.call('demo', 'GET', `/catp/api/ext/produto?cpfCnpjRaiz=${COMPANY}&codigo=${codigo}`)
    ).json();
    return [list[0].denominacao, list[0].situacao];
  };
  const fetchPlanned = async (page: Page): Promise<void> => {
    await button(page, 'Trazer').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Trazer' }).click();
    await page.getByText('Tudo feito.').waitFor();
  };

  test('are fetched from a plan, stored as imports, and undone there', async () => {
    const remoteClient = await signIn(otherServer.url, 'demo2');
    const ask = async (method: string, path: string, body?: object) =>
      expect((await remoteClient.call(method, path, body))?.status).toBe(200);
    await ask('POST', PRODUCTS, product('Caixa plástica', ['CX-1']));
    await ask('POST', PRODUCTS, product('Parafuso de aço', ['PF-1']));
    const connection = { url: otherServer.url, clientId: 'demo', clientSecret: 'demo' };
    const remote = { name: 'portal', companies: [COMPANY], ...connection };
    expect((await site.call('admin', 'POST', '/appliance/api/remotes', remote)).status).toBe(200);

    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await button(page, 'Comparar com portal').click();
    await chip(page, /^Só lá 2/).click();
    await button(page, 'Trazer…').click();
    await page.getByText('2 registros. O plano mostra cada passo; nada é trazido').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-trazer');
    await button(page, 'Ver o plano').click();
    await page.getByRole('heading', { name: '2 passos seriam dados aqui' }).waitFor();
    await page.getByText('Isto é só o plano: nada foi trazido.').waitFor();
    await page.locator('table[class*=table]').nth(1).waitFor();
    const plan = /Plano \d+/.exec(await page.title())?.[0] ?? '';
    await expectGoodPage(page, plan, 'remotos-busca-plano');
    await button(page, 'Trazer').click();
    await page.getByRole('dialog', { name: 'Trazer 2 passos de portal?' }).waitFor();
    await expectGoodPage(page, plan, 'remotos-busca-confirma');
    await page.getByRole('dialog').getByRole('button', { name: 'Trazer' }).click();
    await page.getByText('Tudo feito.').waitFor();
    await expectCount(page.getByRole('row', { name: /Parafuso de aço.*Trazido/ }), 1);
    await expectGoodPage(page, /Busca \d+/.exec(await page.title())?.[0] ?? '', 'remotos-busca');
    // A fetched record has a local page.
    await page
      .getByRole('row', { name: /Caixa plástica/ })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { name: 'Produto 1', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Compare de novo' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('tudo igual').waitFor();

    await ask('PUT', `${PRODUCTS}/1`, product('Caixa de papelão', ['CX-1']));
    await ask('PUT', `/catp/api/ext/produto/desativar/${COMPANY}/2`);
    await button(page, 'Comparar com portal').click();
    await chip(page, /^Mudou lá 1/).waitFor();
    await button(page, 'Trazer…').click();
    await button(page, 'Ver o plano').click();
    await page.getByText('1 produto ou operador será desativado').waitFor();
    await expectGoodPage(page, /Plano \d+/.exec(await page.title())?.[0] ?? '', 'remotos-busca-desativa');
    await fetchPlanned(page);
    expect([await nameOf(1), await nameOf(2)]).toEqual([
      ['Caixa de papelão', 'ATIVADO'],
      ['Parafuso de aço', 'DESATIVADO'],
    ]);
    await page.getByRole('link', { name: 'Compare de novo' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('tudo igual').waitFor();
    await page.getByRole('table', { name: 'Envios e buscas recentes' }).getByRole('link').first().click();

    // An undone import is a local change, which the next comparison shows.
    await page
      .getByRole('link', { name: /^Importação \d+$/ })
      .first()
      .click();
    await page.getByText('Caixa de papelão').first().waitFor();
    await expectGoodPage(
      page,
      /Importação \d+/.exec(await page.title())?.[0] ?? '',
      'remotos-busca-importada',
    );
    await button(page, 'Desfazer').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Desfazer' }).click();
    await page
      .getByText(/desfaz a importação/i)
      .first()
      .waitFor();
    while ((await nameOf(1))[0] !== 'Caixa plástica') await Bun.sleep(50);
    await page.goto(`${site.url}/remotos?cpfCnpjRaiz=${COMPANY}`);
    await button(page, 'Comparar com portal').click();
    await chip(page, /^Mudou aqui 1/).waitFor();
    expectNoComplaints(opened);
    await page.context().close();
  });
});
