/** `/remotos`: two executables; a person compares, decides, plans, sends, and reads the result. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signIn } from '../../../scripts/proof/client.ts';
import { PRODUCTS, button, chip, expectNoComplaints, startRemote, product } from './remotos.ts';
import { eventually } from '../../support/eventually.ts';
import { expectCount, expectGoodPage, inBrowser, settled } from './support.ts';

const TABLE = JSON.parse(
  readFileSync(join(import.meta.dir, '../../../src/demo/attribute-table-1.json'), 'utf8'),
);

inBrowser('a remote over the network', ['dev', '--empty'], (site) => {
  const remote = startRemote();
  const callLocal = async (method: string, path: string, body?: object) => {
    const answer = await site.call('demo', method, path, body);
    expect(answer.status).toBe(200);
    return answer.json();
  };

  test('is added, tested, compared, decided, planned, sent and compared again without a difference', async () => {
    // The records are equal, different, ambiguous, new, or will be refused by the remote.
    const tables = '/appliance/api/attribute-tables';
    const master = await signIn(remote.url, 'admin');
    const loaded = (await master.call('POST', tables, TABLE))?.body as { readonly id: number };
    expect((await master.call('POST', `${tables}/${loaded.id}/activate`, {}))?.status).toBe(200);
    const remoteClient = await signIn(remote.url, 'demo2');
    for (const body of [
      product('Caixa plástica', ['CX-1']),
      product('Parafuso de aço', ['PF-1']),
      product('Arruela lisa', ['AR-1']),
      product('Arruela de pressão', ['AR-1']),
    ])
      expect((await remoteClient.call('POST', PRODUCTS, body))?.status).toBe(200);
    for (const body of [
      product('Caixa plástica', ['CX-1']),
      product('Parafuso de latão', ['PF-1']),
      product('Arruela', ['AR-1']),
      product('Rebite'),
      product('Bicicleta', [], { ncm: '87120010' }),
    ])
      await callLocal('POST', PRODUCTS, body);

    const admin = await site.enter('admin', '/remotos');
    await settled(admin.page);
    await admin.page.getByText('Nenhum remoto ainda.').waitFor();
    await expectGoodPage(admin.page, 'Remotos', 'remotos-vazia');
    await button(admin.page, 'Novo remoto').click();
    await admin.page.getByLabel('Nome').fill('portal');
    await admin.page.getByRole('combobox', { name: 'Empresas' }).fill('12.345');
    await admin.page.locator('li[role=option]').first().click();
    await admin.page.getByLabel('Endereço').fill('http://portal.exemplo');
    await admin.page.getByLabel('Client-Id').fill('demo');
    await admin.page.getByLabel('Client-Secret').fill('demo');
    await button(admin.page, 'Salvar').click();
    await admin.page.getByRole('alert').waitFor();
    await eventually(() => admin.page.getByLabel('Endereço').getAttribute('aria-invalid')).toBe('true');
    await expectGoodPage(admin.page, 'Remotos', 'remotos-novo');
    await admin.page.getByLabel('Endereço').fill(remote.url);
    await button(admin.page, 'Salvar').click();
    await admin.page.getByRole('cell', { name: remote.url }).waitFor();
    await button(admin.page, 'Testar').click();
    await admin.page.getByText('Quem entra: ').waitFor();
    await expectGoodPage(admin.page, 'Remotos', 'remotos-administrador');
    expectNoComplaints(admin);
    await admin.page.context().close();

    const opened = await site.enter('demo', '/remotos');
    const { page } = opened;
    await settled(page);
    await page.getByText('Ainda não houve comparação com portal.').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-sem-comparacao');
    await button(page, 'Comparar com portal').click();
    await page.getByText('diferem').waitFor();
    // The most urgent state is selected first.
    await chip(page, /^Ambíguo 1/).waitFor();
    await eventually(() => chip(page, /^Ambíguo 1/).getAttribute('aria-pressed')).toBe('true');
    await expectGoodPage(page, 'Remotos', 'remotos-difere');
    await button(page, 'Arruela').click();
    const panel = page.getByRole('dialog', { name: 'Arruela' });
    await panel.getByLabel('Arruela lisa').check();
    await expectGoodPage(page, 'Remotos', 'remotos-ambiguo');
    await button(page, 'Decidir').click();
    await panel.getByText('Qual conteúdo vale?').waitFor();
    await panel.getByRole('button', { name: 'Vale o daqui' }).click();
    await panel.getByText('Mudou aqui', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await chip(page, /^Mudou nos dois 1/).click();
    expect(page.url()).toContain('state=mudouNosDois');
    await button(page, 'Parafuso de latão').click();
    await page
      .getByRole('dialog')
      .getByRole('row', { name: /Denominação/ })
      .waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-dois');
    await button(page, 'Vale o daqui').click();
    await page.getByRole('dialog').getByText('Mudou aqui', { exact: true }).waitFor();
    await button(page, 'Fechar').click();
    await chip(page, /^Mudou aqui 2/).waitFor();

    await button(page, 'Enviar…').click();
    await page.getByText('4 registros').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-enviar');
    await button(page, 'Ver o plano').click();
    await page.getByRole('heading', { name: '4 passos seriam dados em portal' }).waitFor();
    await page.getByText(/no máximo 900 por hora: (hoje|amanhã) às?/).waitFor();
    await page.locator('table[class*=table]').nth(1).waitFor();
    const plan = /Plano \d+/.exec(await page.title())?.[0] ?? '';
    await expectGoodPage(page, plan, 'remotos-plano');
    await button(page, 'Enviar').click();
    await page.getByRole('dialog', { name: 'Enviar 4 passos a portal?' }).waitFor();
    await expectGoodPage(page, plan, 'remotos-confirma');
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Terminou com pendências.').waitFor();
    // The page shows the refused record with the message of the remote and a link to correct it.
    await expectCount(page.getByRole('row', { name: /Bicicleta/ }), 1);
    await page.locator('main').getByRole('link', { name: 'A corrigir' }).waitFor();
    await eventually(() => page.getByLabel('Mostrar').inputValue()).toBe('refused');
    await expectGoodPage(page, /Envio \d+/.exec(await page.title())?.[0] ?? '', 'remotos-envio');
    // The queue lists the refused records under the message of the remote.
    await page.locator('main').getByRole('link', { name: 'A corrigir' }).click();
    await page.getByRole('heading', { name: 'Remoto portal · 1 produto' }).waitFor();
    await eventually(() => page.getByLabel('Quais').inputValue()).toBe('refused');
    await page.goBack();
    await page.getByLabel('Mostrar').selectOption('todos');
    await expectCount(page.getByRole('row'), 5);

    // The refused record is corrected locally; the second candidate is created by hand.
    await callLocal('PUT', `${PRODUCTS}/5`, product('Bicicleta'));
    await callLocal('POST', PRODUCTS, product('Arruela de pressão', ['AR-1']));
    await page.getByRole('link', { name: 'Comparação com portal' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('1 difere').waitFor();
    await button(page, 'Enviar…').click();
    await button(page, 'Ver o plano').click();
    await button(page, 'Enviar').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor();
    await page.getByRole('link', { name: 'Compare de novo' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('tudo igual').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-igual');
    expectNoComplaints(opened);
    await page.context().close();
  });
});
