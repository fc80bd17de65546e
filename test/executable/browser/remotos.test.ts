/** `/remotos`: two executables; a person compares, decides, plans, sends, and sees what became of it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { WatchedPage } from '../../support/browser.ts';
import { signIn } from '../../../scripts/proof/client.ts';
import { type RunningCatp, startCatp } from '../../support/executable.ts';
import { expectCount, expectFocus, expectGoodPage, inBrowser, settled, STORY_MS, tabTo } from './support.ts';

setDefaultTimeout(STORY_MS * 2);

const COMPANY = '12345678';
const PRODUCTS = `/catp/api/ext/produto/${COMPANY}`;
const TABLE = JSON.parse(
  readFileSync(join(import.meta.dir, '../../../src/demo/attribute-table-1.json'), 'utf8'),
);
const product = (denominacao: string, codigosInterno: readonly string[] = [], members: object = {}) => ({
  ...{ denominacao, codigosInterno, modalidade: 'IMPORTACAO', ncm: '39269090' },
  ...members,
});

/** The other side: who signed in there must wait a minute to do so again, so that each story has its own. */
function otherSide(): { readonly url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'catp-remotos-'));
  let there: RunningCatp;
  beforeAll(async () => {
    there = await startCatp(['dev', '--empty', '--perfil', 'portal', '--port', '0'], { cwd: folder });
  });
  afterAll(async () => {
    await there.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get url() {
      return there.url;
    },
  };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const chip = (page: Page, name: RegExp) => page.locator('.remote-counts').getByRole('button', { name });

inBrowser('a remote over the network', ['dev', '--empty'], (it) => {
  const there = otherSide();
  const here = async (method: string, path: string, body?: object) => {
    const answer = await it.call('demo', method, path, body);
    expect(answer.status).toBe(200);
    return answer.json();
  };

  test('is added, tested, compared, decided, planned, sent and compared again: all is equal', async () => {
    // What is at both sides, differs, is in doubt, is new, and what the other side will refuse.
    const tables = '/appliance/api/attribute-tables';
    const master = await signIn(there.url, 'admin');
    const loaded = (await master.call('POST', tables, TABLE))?.body as { readonly id: number };
    expect((await master.call('POST', `${tables}/${loaded.id}/activate`, {}))?.status).toBe(200);
    const theirs = await signIn(there.url, 'demo2');
    for (const body of [
      product('Caixa plástica', ['CX-1']),
      product('Parafuso de aço', ['PF-1']),
      product('Arruela lisa', ['AR-1']),
      product('Arruela de pressão', ['AR-1']),
    ])
      expect((await theirs.call('POST', PRODUCTS, body))?.status).toBe(200);
    for (const body of [
      product('Caixa plástica', ['CX-1']),
      product('Parafuso de latão', ['PF-1']),
      product('Arruela', ['AR-1']),
      product('Rebite'),
      product('Bicicleta', [], { ncm: '87120010' }),
    ])
      await here('POST', PRODUCTS, body);

    const admin = await it.enter('admin', '/remotos');
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
    expect(await admin.page.getByLabel('Endereço').getAttribute('aria-invalid')).toBe('true');
    await expectGoodPage(admin.page, 'Remotos', 'remotos-novo');
    await admin.page.getByLabel('Endereço').fill(there.url);
    await button(admin.page, 'Salvar').click();
    await admin.page.getByRole('cell', { name: there.url }).waitFor();
    await button(admin.page, 'Testar').click();
    await admin.page.getByText('Quem entra: ').waitFor();
    await expectGoodPage(admin.page, 'Remotos', 'remotos-administrador');
    expectNoComplaints(admin);
    await admin.page.context().close();

    const opened = await it.enter('demo', '/remotos');
    const { page } = opened;
    await settled(page);
    await page.getByText('Ainda não houve comparação com portal.').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-sem-comparacao');
    await button(page, 'Comparar com portal').click();
    await page.getByText('diferem').waitFor();
    // What most needs a person is seen first.
    await chip(page, /^Ambíguo 1/).waitFor();
    expect(await chip(page, /^Ambíguo 1/).getAttribute('aria-pressed')).toBe('true');
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
    await page.getByText('Terminou, com o que resolver.').waitFor({ timeout: STORY_MS });
    // The refusal is what is shown, in the other side's words, with a way to mend it.
    await expectCount(page.getByRole('row', { name: /Bicicleta/ }), 1);
    await page.getByRole('link', { name: 'A corrigir' }).waitFor();
    expect(await page.getByLabel('Mostrar').inputValue()).toBe('refused');
    await expectGoodPage(page, /Envio \d+/.exec(await page.title())?.[0] ?? '', 'remotos-envio');
    // All that was refused waits in the queue, under the words of the remote.
    await page.getByRole('link', { name: 'A corrigir' }).click();
    await page.getByRole('heading', { name: 'Remoto portal · 1 produto' }).waitFor();
    expect(await page.getByLabel('Quais').inputValue()).toBe('refused');
    await page.goBack();
    await page.getByLabel('Mostrar').selectOption('todos');
    await expectCount(page.getByRole('row'), 5);

    // What was refused is mended here; the second candidate is brought by hand.
    await here('PUT', `${PRODUCTS}/5`, product('Bicicleta'));
    await here('POST', PRODUCTS, product('Arruela de pressão', ['AR-1']));
    await page.getByRole('link', { name: 'Comparação com portal' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('1 difere').waitFor();
    await button(page, 'Enviar…').click();
    await button(page, 'Ver o plano').click();
    await button(page, 'Enviar').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor({ timeout: STORY_MS });
    await page.getByRole('link', { name: 'Compare de novo' }).click();
    await button(page, 'Comparar com portal').click();
    await page.getByText('tudo igual').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-igual');
    expectNoComplaints(opened);
    await page.context().close();
  });
});

inBrowser('a remote by files', ['dev', '--empty'], (it) => {
  const exported = (products: readonly object[]) => (name: string) => ({
    name: `${name}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(name === 'produtos' ? products : [])),
  });
  const theirs = (codigo: number, members: object) => ({
    ...{ seq: codigo, codigo, cpfCnpjRaiz: COMPANY, situacao: 'Ativado', versao: '1' },
    ...members,
  });
  const FILES = ['produtos', 'operadores', 'vinculos'] as const;
  const MANY = 12;

  test('is compared by the keyboard alone, a plan is made, and the files go by hand', async () => {
    for (const name of ['Caixa', 'Tampa']) await it.call('demo', 'POST', PRODUCTS, product(name));
    const remote = { name: 'sem-rede', companies: [COMPANY] };
    const opened = await it.enter('demo', '/remotos');
    const { page } = opened;
    await settled(page);
    await page.getByText('Esta empresa ainda não tem remoto.').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-nenhum');
    expect((await it.call('admin', 'POST', '/appliance/api/remotes', remote)).status).toBe(200);
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
    const content = exported([theirs(7, product('Caixa')), theirs(9, product('Prego'))]);
    for (const [at, name] of FILES.entries())
      await dialog.locator('input[type=file]').nth(at).setInputFiles(content(name));
    await tabTo(page, 'Comparar');
    await page.keyboard.press('Enter');
    await page.getByText('2 diferem').waitFor();
    await expectFocus(page, 'Comparar com sem-rede');

    // A chip is a button, the list is a grid, a record opens at the side and gives the focus back.
    await tabTo(page, /^Só lá/);
    await page.keyboard.press('Enter');
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

    // Where it stands is told on its own page and in the list.
    await page.goto(`${it.url}/produtos/${COMPANY}/1`);
    const standing = page.getByRole('table', { name: 'Onde o produto está em cada remoto' });
    await standing.getByText('Igual', { exact: true }).waitFor();
    await standing.getByText('7 v1').waitFor();
    await page.goto(`${it.url}/produtos?cpfCnpjRaiz=${COMPANY}&remote=sem-rede&remoteState=soAqui`);
    await page.getByText('1 produto', { exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'Código lá' }).waitFor();
    await expectGoodPage(page, 'Produtos', 'remotos-produtos');
    await page.goto(`${it.url}/?cpfCnpjRaiz=${COMPANY}`);
    await page.getByText('2 diferem · comparado em').waitFor();
    await expectGoodPage(page, 'Painel', 'remotos-painel');
    await page.context().close();
  });

  test('an export that misses most fails and says so, and a fall of many is planned, not sent', async () => {
    for (let made = 0; made < MANY; made += 1)
      await it.call('demo2', 'POST', PRODUCTS, product(`Peça ${made}`));
    const opened = await it.enter('demo2', '/remotos');
    const { page } = opened;
    const compareWith = async (products: readonly object[], force = false): Promise<void> => {
      await button(page, 'Comparar com sem-rede').click();
      const dialog = page.getByRole('dialog');
      for (const [at, name] of FILES.entries())
        await dialog.locator('input[type=file]').nth(at).setInputFiles(exported(products)(name));
      if (force) await dialog.getByLabel('Seguir mesmo que falte mais da metade').check();
      await dialog.getByRole('button', { name: 'Comparar', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const all = Array.from({ length: MANY }, (_, at) => theirs(at + 20, product(`Peça ${at}`)));
    await compareWith(all, true);
    await chip(page, new RegExp(`^Igual ${MANY}`)).waitFor();
    await compareWith([]);
    await page.getByText('mais da metade').waitFor();
    await expectGoodPage(page, 'Remotos', 'remotos-falhou');
    // All of them fall here: the plan names how many.
    for (let made = 0; made < MANY; made += 1)
      await it.call('demo2', 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${made + 3}`);
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

inBrowser('a run that goes on', ['dev', '--empty'], (it) => {
  const there = otherSide();
  const MANY = 11;
  const made = async (first: number, count: number): Promise<void> => {
    for (let at = first; at < first + count; at += 1)
      await it.call('demo', 'POST', PRODUCTS, product(`Peça ${at}`));
  };
  /** `found`: what the comparison finds, and what is sent then. */
  const planned = async (page: Page, found: RegExp): Promise<void> => {
    await button(page, 'Comparar com la').click();
    await chip(page, found).click();
    await button(page, 'Enviar…').click();
    await button(page, 'Ver o plano').click();
    await button(page, 'Enviar').click();
  };

  test('a fall of many leaves only for who types how many', async () => {
    await made(1, MANY);
    // Just enough for this story, so that the next one has to rest.
    const way = { url: there.url, clientId: 'demo', clientSecret: 'demo', perHour: MANY };
    const body = { name: 'la', companies: [COMPANY], ...way };
    expect((await it.call('admin', 'POST', '/appliance/api/remotes', body)).status).toBe(200);
    const opened = await it.enter('demo', '/remotos');
    const { page } = opened;
    await planned(page, new RegExp(`^Só aqui ${MANY}`));
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor({ timeout: STORY_MS });
    for (let at = 1; at <= MANY; at += 1)
      await it.call('demo', 'PUT', `/catp/api/ext/produto/desativar/${COMPANY}/${at}`);
    await page.getByRole('link', { name: 'Comparação com la' }).click();
    await planned(page, new RegExp(`^Desativado aqui ${MANY}`));
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`${MANY} produtos e operadores serão desativados`).waitFor();
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await dialog.getByRole('alert').getByText(`desativaria lá ${MANY}`).first().waitFor();
    await expectGoodPage(page, /Plano \d+/.exec(await page.title())?.[0] ?? '', 'remotos-freio');
    await dialog.getByLabel('Quantos podem ser desativados').fill(String(MANY));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('Tudo feito.').waitFor({ timeout: STORY_MS });
    expectNoComplaints(opened);
    await page.context().close();
  });

  test('rests, is stopped, goes on, and what has not begun is cancelled', async () => {
    await made(MANY + 1, MANY + 1);
    const opened = await it.enter('demo', '/remotos');
    const { page } = opened;
    await planned(page, new RegExp(`^Só aqui ${MANY + 1}`));
    await page.getByRole('dialog').getByRole('button', { name: 'Enviar' }).click();
    await page.getByText('A inclusão de produtos espera até').waitFor({ timeout: STORY_MS });
    await page
      .getByText(`de ${MANY + 1}`)
      .first()
      .waitFor();
    const title = /Envio \d+/.exec(await page.title())?.[0] ?? '';
    await expectGoodPage(page, title, 'remotos-descansa');
    // It is seen from the panel and from the page of the remote, where nothing else is begun meanwhile.
    await page.getByRole('link', { name: 'Comparação com la' }).click();
    await page.getByText('está em andamento: ').waitFor();
    expect(await button(page, 'Enviar…').isDisabled()).toBe(true);
    await page.getByRole('table', { name: 'Envios e buscas recentes' }).getByText('Descansando').waitFor();
    await page.goto(`${it.url}/?cpfCnpjRaiz=${COMPANY}`);
    await page.getByRole('link', { name: title, exact: true }).click();

    await button(page, 'Parar').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Continuar segue de onde parou.').waitFor();
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

  test('an administrator changes a remote and takes it away; its secret is never seen again', async () => {
    const opened = await it.enter('admin', '/remotos');
    const { page } = opened;
    await button(page, 'Editar').click();
    const dialog = page.getByRole('dialog', { name: 'Alterar la' });
    expect(await dialog.getByLabel('Client-Secret').inputValue()).toBe('');
    await dialog.getByText('Ritmo, parada, outra autoridade, outro ambiente').click();
    await dialog.getByLabel('Parada diária').fill('1h');
    await button(page, 'Salvar').click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Parada diária').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Parada diária').fill('01:00-03:00');
    await dialog.getByText('Certificado A1').click();
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        ...{ name: 'a1.pfx', mimeType: 'application/x-pkcs12', buffer: Buffer.from('nenhum') },
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

/** Chromium writes each refusal down. */
function expectNoComplaints({ complaints, strangers }: WatchedPage): void {
  const others = complaints.filter((text) => !/status of 4\d\d/.test(text));
  expect({ others, strangers }).toEqual({ others: [], strangers: [] });
}
