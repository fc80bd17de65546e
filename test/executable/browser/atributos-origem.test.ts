/**
 * `/atributos` with automatic table updates: the received tables, the reason of a held table, the changes of
 * each.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { openOrigin } from '../../support/origin.ts';
import { expectGoodPage, inBrowser } from './support.ts';

const TITLE = 'Atributos';
const FIRST = JSON.parse(
  readFileSync(join(import.meta.dir, '../../../src/demo/attribute-table-1.json'), 'utf8'),
);
/** The table of the demonstration, reduced to three NCMs. */
const REDUCED = { ...FIRST, versao: '9', listaNcm: FIRST.listaNcm.slice(0, 3) };

const origin = await openOrigin('http');
origin.serves(JSON.stringify(REDUCED));
/** An origin whose answer is not a nomenclature. */
const invalidOrigin = await openOrigin('http');
invalidOrigin.serves('{"Nomenclaturas": []}');
afterAll(() => Promise.all([origin[Symbol.asyncDispose](), invalidOrigin[Symbol.asyncDispose]()]));
const SETTINGS = ['--set', `atributos.origem=${origin.url}`, '--set', `ncm.origem=${invalidOrigin.url}`];

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

inBrowser('automatic updates of the tables', ['dev', ...SETTINGS], (site) => {
  test('a table that lost many attributes is held with its reason, and a person can activate it', async () => {
    const { page, complaints } = await site.enter('admin', '/atributos');
    const arrived = async (): Promise<boolean> => {
      const { last } = await (
        await site.call('admin', 'GET', '/appliance/api/attribute-tables/origin')
      ).json();
      return last !== null;
    };
    while (!(await arrived())) await Bun.sleep(100);
    await page.reload();
    await page.getByText(/Última busca na origem, .*A tabela 9 foi buscada e retida/).waitFor();
    await page.getByText(/Próxima: .* 00:30/).waitFor();
    await row(page, 'Retida').getByText('NCMs da tabela em vigor, mais de 10 %').waitFor();
    await expectGoodPage(page, TITLE, 'atributos-origem');

    await page.getByRole('tab', { name: 'Histórico' }).click();
    await row(page, 'a menos').getByText('nunca').waitFor();
    await button(page, 'Ver o que mudou na tabela 9').click();
    await page.getByRole('heading', { name: 'O que a tabela 9 mudou desde a 1' }).waitFor();
    await expectGoodPage(page, TITLE, 'atributos-historico');
    expect(new URL(page.url()).searchParams.get('aba')).toBe('historico');

    await page.getByRole('tab', { name: 'Tabelas' }).click();
    await button(page, 'Ativar a tabela 9').click();
    await page.getByText('O sistema desativaria').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Ativar' }).click();
    await page.getByRole('row', { name: /^9 .*Em vigor/ }).waitFor();
    // The activation decides, so the notice requests no action any more.
    await page.locator('.notice.good').getByText('A tabela 9 foi buscada').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the nomenclature shows its origin on its page and among the diagnostics', async () => {
    const { page, complaints } = await site.enter('admin', '/administracao?aba=nomenclatura');
    const notice = page
      .getByRole('alert')
      .getByText(/Última busca na origem, .*A nomenclatura foi buscada e recusada/);
    while (!(await notice.isVisible())) await page.reload({ waitUntil: 'networkidle' });
    await page.getByText(/Próxima: .*:30/).waitFor();
    await expectGoodPage(page, 'Administração', 'administracao-nomenclatura-origem');
    await page.goto(`${site.url}/administracao?aba=diagnostico`);
    await row(page, 'Nomenclatura').getByText('Atenção').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
