/**
 * `/requisicoes`: the journal live, faults from its lines, the clock, snapshots; by mouse and by keyboard.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { startCatp } from '../../support/executable.ts';
import { somethingHasFocus } from './keyboard.ts';
import { eventually } from '../../support/eventually.ts';
import { expectGoodPage, expectFocus, inBrowser, settled, tabTo } from './support.ts';

const PRODUCTS = '/catp/api/ext/produto/12345678';
const INVALID = { denominacao: 'Caixa <b>', modalidade: 'IMPORTACAO', ncm: '3926.90.90', atributos: [] };

const isLive = (page: Page) => page.getByText('Ao vivo').waitFor();
const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

inBrowser('the journal', ['dev', '--empty', '--clock', '2026-01-31T12:00:00Z'], (site) => {
  test('a refused request appears automatically, is explained, filtered by the address and turned into a rule', async () => {
    const { page, complaints, strangers } = await site.enter('admin', '/requisicoes');
    await isLive(page);
    await site.call('demo', 'POST', PRODUCTS, INVALID);
    await rowWith(page, PRODUCTS).getByRole('button').click();
    await page.getByRole('heading', { name: /^Requisição \d+$/ }).waitFor();
    await page.locator('.requests-wrong', { hasText: '3926.90.90' }).first().waitFor();
    await page.getByText('O que estava errado, e o que teria sido válido').waitFor();
    await eventually(() => page.locator('.requests-problems').innerText()).toContain('/ncm');
    await eventually(() => page.locator('.requests-headers').first().innerText()).toContain('***');
    await eventually(() => page.locator('.requests-headers').last().innerText()).toContain(
      'x-csrf-expiration',
    );
    await page.getByText('O comando que a repete').click();
    await eventually(() => page.locator('.requests-curl pre').innerText()).toContain('curl -sS');
    await expectGoodPage(page, 'Requisições', 'requisicoes-detalhe');

    await page.getByLabel('Status', { exact: true }).fill('400');
    await page.getByLabel('Caminho', { exact: true }).fill('/ext/produto');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.waitForURL(/path=.*status=400|status=400.*path=/);
    await page.reload();
    await isLive(page);
    await rowWith(page, PRODUCTS).waitFor();
    await eventually(() => page.getByLabel('Status', { exact: true }).inputValue()).toBe('400');
    await page.getByText(/^1 de \d+ requisições/).waitFor();

    await page.getByRole('button', { name: 'Criar regra de falha' }).click();
    await eventually(() => page.getByRole('dialog').getByLabel('Caminho').inputValue()).toBe(PRODUCTS);
    await page.getByRole('dialog').getByLabel('Status').fill('204');
    await page.getByRole('button', { name: 'Criar regra', exact: true }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await eventually(() => page.getByRole('dialog').getByLabel('Status').getAttribute('aria-invalid')).toBe(
      'true',
    );
    await page.getByRole('dialog').getByLabel('Status').fill('502');
    await page.getByRole('button', { name: 'Criar regra', exact: true }).click();
    await page.getByText(/Regra \d+ criada/).waitFor();
    expect((await site.call('demo', 'POST', PRODUCTS, INVALID)).status).toBe(502);
    expect((await site.call('demo', 'POST', PRODUCTS, INVALID)).status).toBe(400);
    await page.getByRole('tab', { name: 'Falhas' }).click();
    const rule = page.getByRole('row').filter({ hasText: 'Status de erro 502' });
    await rule.filter({ hasText: 'includeProduct' }).waitFor();
    expect((await rule.getByRole('cell').allInnerTexts()).slice(4, 6)).toEqual(['2', '1']);
    await expectGoodPage(page, 'Requisições', 'requisicoes-falhas');
    await rule.getByRole('button', { name: /^Excluir a regra/ }).click();
    await page.getByText('Nenhuma regra: tudo é atendido como sempre').waitFor();
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
    expect(strangers).toEqual([]);
    await page.context().close();
  });

  test('the developer of a company reads its requests, and on demand those of the pages', async () => {
    const { page, complaints } = await site.enter('demo', '/requisicoes');
    await isLive(page);
    await site.call('demo2', 'GET', `${PRODUCTS}/7/1`);
    await site.call('demo', 'GET', `${PRODUCTS}/8/1`);
    await rowWith(page, `${PRODUCTS}/8/1`).getByRole('button').click();
    await page.getByText('O comando que a repete').waitFor();
    const grid = page.getByRole('grid');
    expect(await grid.innerText()).not.toMatch(/\/7\/1|\/appliance\//);
    expect(await page.getByRole('button', { name: 'Esvaziar' }).count()).toBe(0);
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Diário', 'Falhas', 'Relógio']);
    await expectGoodPage(page, 'Requisições', 'requisicoes-proprias');
    await page.getByLabel('Mostrar também o que esta interface pede').check();
    await rowWith(page, '/appliance/api/session').first().waitFor();
    expect(page.url()).toContain('pages=true');
    await page.getByRole('button', { name: 'Criar regra de falha' }).waitFor();
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await page.context().close();
  });

  test('the keyboard alone opens a request, creates a rule and removes all rules', async () => {
    const { page } = await site.enter('admin', '/requisicoes?operation=listProducts');
    await isLive(page);
    await site.call('demo', 'GET', '/catp/api/ext/produto?cpfCnpjRaiz=12345678');
    await rowWith(page, '/catp/api/ext/produto').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Requisição \d+$/ }).waitFor();
    await page.getByText('Sem corpo.').first().waitFor();
    await page.getByRole('tab', { name: 'Diário' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Regras de falha' }).waitFor();
    await expectFocus(page, 'Falhas');
    await tabTo(page, 'Nova regra');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT');
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Nova regra');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Falha').selectOption('delay');
    await tabTo(page, 'Milissegundos');
    await page.keyboard.press('Enter');
    await page.getByText('Demora de 2000 ms').waitFor();
    await expectFocus(page, 'Nova regra');
    await tabTo(page, /^Excluir a regra/);
    await page.keyboard.press('Enter');
    await page.getByText('Demora de 2000 ms').waitFor({ state: 'detached' });
    await somethingHasFocus(page);
    await tabTo(page, 'Nova regra');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Criar regra');
    await page.keyboard.press('Enter');
    await page.getByText('Status de erro 503').waitFor();
    await expectFocus(page, 'Nova regra');
    await tabTo(page, 'Excluir todas');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir', exact: true }).press('Enter');
    await page.getByText('Nenhuma regra: tudo é atendido como sempre').waitFor();
    await page.context().close();
  });

  test('the paused journal does not change, and it can be emptied', async () => {
    const { page } = await site.enter('admin', '/requisicoes');
    await isLive(page);
    await page.getByRole('button', { name: 'Pausar' }).click();
    await page.getByText('Pausado').waitFor();
    await site.call('demo', 'GET', '/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=12345678&nome=parado');
    await page.getByText(/\d+ novas?/).waitFor();
    expect(await rowWith(page, 'parado').count()).toBe(0);
    await page.getByRole('button', { name: 'Pausar' }).click();
    await rowWith(page, 'parado').waitFor();
    await page.getByRole('button', { name: 'Esvaziar' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Esvaziar' }).click();
    await page.getByText('Nenhuma requisição ainda').waitFor();
    await expectGoodPage(page, 'Requisições', 'requisicoes-vazio');
    await page.context().close();
  });

  test('a state is saved, changed, restored and deleted; the data can start again', async () => {
    const { page, complaints } = await site.enter('admin', '/requisicoes?aba=snapshots');
    await page.getByText('Nenhum estado guardado ainda').waitFor();
    await page.getByLabel('Nome do snapshot').fill('Com espaço');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Nome do snapshot').fill('antes');
    await page.getByLabel('Nome do snapshot').press('Enter');
    await page.getByText(/Snapshot antes guardado/).waitFor();
    const valid = { ...INVALID, ncm: '39269090' };
    expect((await site.call('demo', 'POST', PRODUCTS, valid)).status).toBe(200);
    await expectGoodPage(page, 'Requisições', 'requisicoes-snapshots');
    await page.getByRole('button', { name: 'Restaurar antes' }).click();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Restaurar antes');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Restaurar' }).click();
    await page.getByText('Estado restaurado.').waitFor();
    const list = `/catp/api/ext/produto?cpfCnpjRaiz=12345678`;
    expect((await site.call('demo', 'GET', list)).status).toBe(204);
    expect((await site.call('demo', 'POST', PRODUCTS, valid)).status).toBe(200);
    await page.getByRole('button', { name: 'Reiniciar os dados' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reiniciar' }).click();
    await page.getByText('Os dados são os do primeiro início.').waitFor();
    expect((await site.call('demo', 'GET', list)).status).toBe(204);
    await page.getByRole('button', { name: 'Excluir antes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click();
    await page.getByText('Nenhum estado guardado ainda').waitFor();
    expect(complaints.filter((text) => !text.includes('400 (Bad Request)'))).toEqual([]);
    await page.context().close();
  });

  test('faults of conformity appear automatically and by keyboard: each leads to help and to its requests', async () => {
    await site.call('admin', 'DELETE', '/appliance/api/conformity'); // removes the findings of earlier tests
    const { page, complaints, strangers } = await site.enter('admin', '/requisicoes?aba=conformidade');
    await page.getByText('Nada até agora').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Começar de novo' }).isDisabled()).toBe(true);
    const product = { ...INVALID, ncm: '39269090', modalidade: 'AMBOS' };
    expect((await site.call('demo', 'POST', PRODUCTS, product)).status).toBe(200);
    const finding = page.getByRole('row').filter({ hasText: 'Modalidade AMBOS' });
    await finding.filter({ hasText: '000.000.001-91' }).waitFor();
    await expectGoodPage(page, 'Requisições', 'requisicoes-conformidade');
    const help = finding.getByRole('link');
    await eventually(() => help.getAttribute('href')).toBe('/ajuda/conformidade#modalidade');

    await tabTo(page, /^Abrir a requisição \d+ no diário$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Requisição \d+$/ }).waitFor();
    await page.getByText('"AMBOS"').first().waitFor();
    await page.goBack();
    await finding.waitFor();

    await tabTo(page, 'Começar de novo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Começar de novo');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Começar' }).press('Enter');
    await page.getByText('Nada até agora').waitFor();
    expect([complaints, strangers]).toEqual([[], []]);
    await page.context().close();
  });

  test('the test clock is moved by a button, by a duration and to a moment', async () => {
    const signInAnswer = await fetch(`${site.url}/portal/api/autenticar/chave-acesso`, {
      method: 'POST',
      headers: { 'client-id': 'demo', 'client-secret': 'demo', 'role-type': 'IMPEXP' },
    });
    const programTokens = {
      authorization: signInAnswer.headers.get('set-token') ?? '',
      'x-csrf-token': signInAnswer.headers.get('x-csrf-token') ?? '',
    };
    const { page } = await site.enter('admin', '/requisicoes?aba=relogio');
    await page.getByText('31/01/2026').first().waitFor();
    await expectGoodPage(page, 'Requisições', 'requisicoes-relogio');
    await page.getByLabel('Duração').fill('um dia');
    await page.getByRole('button', { name: 'Avançar', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await eventually(() => page.getByLabel('Duração').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Duração').fill('PT10M');
    await page.getByLabel('Duração').press('Enter');
    await page.getByText(/Agora são 09:1\d de 31\/01\/2026/).waitFor();
    await page.getByLabel('Ir para').fill('31/01/2026 09:30');
    await page.getByRole('button', { name: 'Acertar' }).click();
    await page.getByText(/Agora são 09:30 de 31\/01\/2026/).waitFor();
    await page.getByRole('button', { name: 'Avançar 30 dias' }).click();
    await page.getByText(/Agora são 09:3\d de 02\/03\/2026/).waitFor();
    // The journal shows the real time of a request; its details show the time of the test clock.
    await page.goto(`${site.url}/requisicoes?pages=true`);
    await page.getByRole('row', { name: /clock/ }).first().getByRole('button').click();
    await page.getByText(/02\/03\/2026 09:3\d:\d\d no relógio de teste/).waitFor();
    await page.goto(`${site.url}/requisicoes?aba=relogio`);
    // The session of a page uses real time (contract section 2); the session of a program has expired.
    await page.reload();
    await page.getByText('02/03/2026').first().waitFor();
    expect(await page.getByText('A sessão terminou').count()).toBe(0);
    const expired = await fetch(`${site.url}/catp/api/ext/produto?cpfCnpjRaiz=12345678`, {
      headers: programTokens,
    });
    expect([expired.status, await expired.text()]).toEqual([401, expect.stringContaining('expir')]);
    await page.context().close();
  });
});

inBrowser('the journal of a day', ['dev', '--empty'], (site) => {
  test('a thousand requests are listed without being drawn, and without a test clock the page explains how to start one', async () => {
    const { page } = await site.enter('admin', '/requisicoes');
    await isLive(page);
    for (let round = 0; round < 11; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => fetch(`${site.url}/catp/api/ext/fabricante`)));
    await page.getByText('1.000 requisições').waitFor();
    const drawnRows = await page.locator('tbody tr').count();
    expect(drawnRows).toBeLessThan(60);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => document.querySelector('[aria-rowindex="1001"]') !== null);
    await expectGoodPage(page, 'Requisições', 'requisicoes');
    await page.getByRole('tab', { name: 'Relógio' }).click();
    await page.getByText('catp dev --clock').waitFor();
    await settled(page);
    await page.context().close();
  });

  // This test is the last one, because it stops the server.
  test('a lost connection is reported; when the server is back, the journal continues automatically', async () => {
    const { page } = await site.enter('admin', '/requisicoes');
    await isLive(page);
    await site.catp.kill9();
    await page.getByText('Sem conexão: reconectando…').waitFor();
    const port = new URL(site.url).port;
    const restarted = await startCatp(['dev', '--empty', '--port', port], { cwd: site.folder });
    await isLive(page);
    await site.call('demo', 'GET', '/catp/api/ext/operador-estrangeiro?cpfCnpjRaiz=12345678&nome=depois');
    await rowWith(page, 'depois').waitFor();
    await page.context().close();
    await restarted.stop();
  });
});
