/**
 * Values on every page have the usual written form (contract section 17, "Words for people"): days
 * `dd/mm/aaaa`, NCMs `8712.00.10`, companies `12.345.678`, persons `123.456.789-01`.
 */
import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { addFilter, removeFilter } from './forms.ts';
import { inBrowser, settled, type User } from './support.ts';

/** Elements with machine-readable texts: samples, bodies, and the values of settings. */
const FOR_MACHINES = 'pre, textarea, script, style, [data-label=Valor]';

/** Returns the visible raw values of a page: ISO days, and numbers of 8, 11 or 14 digits. */
async function rawOn(page: Page): Promise<readonly string[]> {
  await settled(page);
  return page.evaluate((machines) => {
    const raw = /(?<![\w./:-])(?:\d{4}-\d{2}-\d{2}\S*|\d{8}|\d{11}|\d{14})(?!\w)/g;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const element = node.parentElement;
      if (element === null || element.closest(machines) !== null || !element.checkVisibility()) continue;
      for (const [text] of (node.textContent ?? '').matchAll(raw))
        texts.push(
          `${text} in ${element.outerHTML.slice(0, 160)} of ${element.parentElement?.outerHTML.slice(0, 120)}`,
        );
    }
    return texts;
  }, FOR_MACHINES);
}

const OF_CATALOGUE = [
  '/',
  '/produtos',
  '/produtos?aba=repetidos',
  '/produtos/novo?copiar=1',
  '/produtos/12345678/1',
  '/operadores',
  '/operadores/12345678/OPE_1',
  '/vinculos',
  '/importar',
  '/remotos',
  '/atributos',
  '/atributos?aba=ncm&ncm=22042100',
  '/atributos?aba=tabelas',
  '/corrigir',
  '/corrigir?aba=prazos',
  '/aprovar',
  '/notificacoes',
  '/notificacoes?aba=entregas',
  '/notificacoes?aba=falhas',
  '/notificacoes?aba=resumo',
  '/requisicoes',
  '/fidelidade',
];
const OF_ADMINISTRATOR = [
  '/',
  '/remotos',
  '/atributos',
  '/notificacoes',
  '/requisicoes',
  '/requisicoes?aba=retratos',
  '/administracao',
  '/administracao?aba=auditoria',
  '/administracao?aba=copias',
  '/administracao?aba=diagnostico',
  '/administracao?aba=configuracoes',
];

inBrowser('the written form of values', ['dev'], (site) => {
  const walk = async (user: User, addresses: readonly string[]): Promise<void> => {
    const { page } = await site.enter(user, addresses[0]);
    const all: Record<string, readonly string[]> = {};
    for (const address of addresses) {
      await page.goto(site.url + address);
      const raw = await rawOn(page);
      if (raw.length > 0) all[address] = [...new Set(raw)].slice(0, 8);
    }
    expect(all).toEqual({});
    await page.context().close();
  };
  test('is used on the pages of a catalogue', () => walk('demo', OF_CATALOGUE));
  test('is used on the pages of a public agent', () =>
    walk('demo2', ['/', '/produtos', '/operadores', '/vinculos']));
  test('is used on the pages of an administrator', () => walk('admin', OF_ADMINISTRATOR));

  test('is accepted by searches: an NCM and a CNPJ with their separators', async () => {
    const { page } = await site.enter('demo', '/produtos?ncm=8712.00.10');
    await page.getByText('1 produto', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Bicicleta urbana Demonstra 100' }).waitFor();
    await removeFilter(page, 'NCM');
    await addFilter(page, 'Fabricante');
    await page.getByLabel('Fabricante').fill('12.345.678/0001-95');
    await page.getByRole('button', { name: 'Filtrar' }).click();
    await page.getByRole('link', { name: 'Café moído em conversão orgânica, 500 g' }).waitFor();
    expect(new URL(page.url()).searchParams.get('cpfCnpjFabricante')).toBe('12345678000195');
    await page.context().close();
  });
});
