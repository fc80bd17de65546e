/** Replaced server messages: the pages show them, and otherwise behave the same. */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { describedBy, faultsOf } from './forms.ts';
import { eventually } from '../../support/eventually.ts';
import { inBrowser } from './support.ts';

const REWORDED = 'Dito de outra maneira.';

/** Replaces every message in the answers of an address. */
const reword = (page: Page, address: string) =>
  page.route(address, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const body = text.replaceAll(/"(message|description)":"(?:[^"\\]|\\.)*"/g, `"$1":"${REWORDED}"`);
    await route.fulfill({ response, body });
  });

const NEW = '/produtos/novo?cpfCnpjRaiz=12345678';
const ARGS = ['dev', '--set', 'produto.recusarIdentico=true', '--retry', 'none'];
const COFFEE = {
  denominacao: 'Café igual',
  modalidade: 'IMPORTACAO',
  ncm: '09012100',
  atributos: [
    { atributo: 'ATT_90001', valor: '01' },
    { atributo: 'ATT_90005', valor: 'false' },
  ],
};

inBrowser('changed messages of the server', ARGS, (site) => {
  test('a refusal is shown at the fields of the form, and the identical product is named', async () => {
    const { page } = await site.enter('demo', NEW);
    await reword(page, '**/catp/api/ext/produto/**');
    await page.getByLabel('Denominação').fill('Café igual');
    await page.getByLabel('NCM').fill('09012100');
    await page.getByLabel('Modalidade').selectOption('IMPORTACAO');
    await page.getByLabel('Forma de apresentação').waitFor();
    const save = page.getByRole('button', { name: 'Salvar e ativar' });
    await save.click();
    await page.locator('[aria-invalid=true]').nth(1).waitFor();
    await eventually(() => faultsOf(page)).toEqual(['Forma de apresentação', 'Produto orgânico']);
    await eventually(() => describedBy(page, 'Produto orgânico')).toBe(REWORDED);

    const response = await site.call('demo', 'POST', '/catp/api/ext/produto/12345678', COFFEE);
    const { codigo } = await response.json();
    await page.getByLabel('Forma de apresentação').fill('01');
    await page.getByLabel('Produto orgânico').selectOption({ label: 'Não' });
    await save.click();
    await page.getByRole('link', { name: `Abrir o produto ${codigo}` }).click();
    await page.waitForURL(`**/produtos/12345678/${codigo}`);
    await page.context().close();
  });

  test('an attempt shows its progress', async () => {
    const endpoint = 'https://nao-existe.invalid/';
    await site.call('demo', 'POST', '/portal/api/ext/webhook', { evento: 'catp-prod-alterado', endpoint });
    await site.call('demo', 'POST', '/catp/api/ext/produto/12345678', { ...COFFEE, denominacao: 'Outro' });
    const { page } = await site.enter('demo', '/notificacoes?aba=entregas');
    await reword(page, '**/appliance/api/deliveries*');
    await reword(page, '**/appliance/api/deliveries/*');
    await page.reload();
    await page.getByRole('table').getByText('Falhou').waitFor();
    await page.getByRole('button', { name: 'Ver' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(REWORDED).waitFor();
    const phases = await dialog.locator('.notif-phases li').allInnerTexts();
    expect(phases.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Nome (aqui falhou)',
      ...['Conexão', 'TLS', 'Resposta', 'Corpo'].map((name) => `${name} (não chegou a)`),
    ]);
    await page.context().close();
  });
});
