/** `/remotos` without a network: exports of the remote are compared, and files are transferred by hand. */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { COMPANY, PRODUCTS, button, chip, expectNoComplaints, product } from './remotos.ts';
import { expectFocus, expectGoodPage, inBrowser, settled, tabTo } from './support.ts';

inBrowser('a remote by files', ['dev', '--empty'], (site) => {
  const exportFile = (products: readonly object[]) => (name: string) => ({
    name: `${name}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(name === 'produtos' ? products : [])),
  });
  const remoteProduct = (codigo: number, members: object) => ({
    seq: codigo,
    codigo,
    cpfCnpjRaiz: COMPANY,
    situacao: 'Ativado',
    versao: '1',
    ...members,
  });
  const FILES = ['produtos', 'operadores', 'vinculos'] as const;
  const MANY = 12;

  test('is compared by keyboard alone, a plan is created, and its files are transferred by hand', async () => {
    for (const name of ['Caixa', 'Tampa']) await site.call('demo', 'POST', PRODUCTS, product(name));
    const remote = { name: 'sem-rede', companies: [COMPANY] };
    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await settled(page);
    await page.getByText('Esta empresa ainda não tem remoto.').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-nenhum');
    expect((await site.call('admin', 'POST', '/appliance/api/remotes', remote)).status).toBe(200);
    await page.reload();
    await page.getByText('Este remoto não tem endereço').waitFor();

    await tabTo(page, 'Comparar com sem-rede');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Comparar com sem-rede por arquivos' });
    await dialog.waitFor();
    await tabTo(page, 'Comparar');
    await page.keyboard.press('Enter');
    await dialog.getByText('Produtos, com os desativados: falta o arquivo.').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-arquivos');
    const content = exportFile([remoteProduct(7, product('Caixa')), remoteProduct(9, product('Prego'))]);
    for (const [at, name] of FILES.entries())
      await dialog.locator('input[type=file]').nth(at).setInputFiles(content(name));
    await tabTo(page, 'Comparar');
    await page.keyboard.press('Enter');
    await page.getByText('2 diferem').waitFor();
    await expectFocus(page, 'Comparar com sem-rede');

    // A chip is a button, the list is a grid, and a record opens in a side panel that returns the focus.
    await tabTo(page, /^Só lá/);
    await page.keyboard.press('Enter');
    await eventually(() => page.getByRole('grid').getByRole('row').nth(1).innerText()).toContain('Prego');
    await settled(page);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Prego' }).getByText('Trazer o inclui aqui.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await tabTo(page, 'Mostrar todos os registros');
    await page.keyboard.press('Enter');
    await page.getByText('3 registros', { exact: true }).waitFor();
    await page.getByLabel('Nome ou código').fill('tampa');
    await page.keyboard.press('Enter');
    await page.getByText('1 registro', { exact: true }).waitFor();

    await tabTo(page, 'Enviar…');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Só aqui: 1 registro');
    await page.keyboard.press('Space');
    await tabTo(page, 'Ver o plano');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Marque ao menos um tipo e um estado.').first().waitFor();
    await page.getByLabel('Só aqui: 1 registro').check();
    await tabTo(page, 'Ver o plano');
    await page.keyboard.press('Enter');
    await page.getByText('sem-rede não tem endereço: baixe os arquivos').waitFor();
    const downloaded = page.waitForEvent('download');
    await tabTo(page, 'Arquivos para upload');
    await page.keyboard.press('Enter');
    expect((await downloaded).suggestedFilename()).toMatch(/^remoto_sem-rede_12345678_\d+\.zip$/);
    expectNoComplaints(opened);

    // The page of the product and the list show its state on each remote.
    await page.goto(`${site.url}/produtos/${COMPANY}/1`);
    const stateTable = page.getByRole('table', { name: 'Onde o produto está em cada remoto' });
    await stateTable.getByText('Igual', { exact: true }).waitFor();
    await stateTable.getByText('7 v1').waitFor();
    await page.goto(`${site.url}/produtos?cpfCnpjRaiz=${COMPANY}&remote=sem-rede&remoteState=soAqui`);
    await page.getByText('1 produto', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Código lá' }).waitFor();
    await expectGoodPage(page, 'Produtos', 'remotos-produtos');
    await page.goto(`${site.url}/?cpfCnpjRaiz=${COMPANY}`);
    await page.getByText('2 diferem · comparado em').waitFor();
    await expectGoodPage(page, 'Painel', 'remotos-painel');
    await page.context().close();
  });

  test('an incomplete export is reported, and a deactivation of many is planned, not sent', async () => {
    for (let count = 0; count < MANY; count += 1)
      await site.call('demo2', 'POST', PRODUCTS, product(`Peça ${count}`));
    const opened = await site.enter('demo2', '/remotos');
    const { page } = opened;
    const compareWith = async (products: readonly object[], force = false): Promise<void> => {
      await button(page, 'Comparar com sem-rede').click();
      const dialog = page.getByRole('dialog');
      for (const [at, name] of FILES.entries())
        await dialog.locator('input[type=file]').nth(at).setInputFiles(exportFile(products)(name));
      if (force) await dialog.getByLabel('Seguir mesmo que falte mais da metade').check();
      await dialog.getByRole('button', { name: 'Comparar', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const all = Array.from({ length: MANY }, (_, index) =>
      remoteProduct(index + 20, product(`Peça ${index}`)),
    );
    await compareWith(all, true);
    await chip(page, new RegExp(`^Igual ${MANY}`)).waitFor();
    await compareWith([]);
    await page.getByText('mais da metade').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-falhou');
    // All local products are deactivated: the plan shows the number.
    for (let count = 0; count < MANY; count += 1)
      await site.call('demo2', 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${count + 3}`);
    await compareWith(all);
    await chip(page, new RegExp(`^Desativado aqui ${MANY}`)).waitFor();
    await button(page, 'Enviar…').click();
    await page.getByLabel(/^Só aqui/).uncheck();
    await button(page, 'Ver o plano').click();
    await page.getByText(`${MANY} produtos e operadores serão desativados`).waitFor();
    await expectGoodPage(page, /Plano \d+/.exec(await page.title())?.[0] ?? '', 'remotos-desativa');
    expectNoComplaints(opened);
    await page.context().close();
  });
});
