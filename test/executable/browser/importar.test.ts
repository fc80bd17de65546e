/** `/importar` and `/importar/{id}`: from a file to what became of each of its items. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import { expectGoodPage, focused, inBrowser, STORY_MS, tabTo } from './support.ts';

setDefaultTimeout(STORY_MS);

const RAIZ = '12345678';
const good = (seq: number, denominacao: string) => ({
  seq,
  cpfCnpjRaiz: RAIZ,
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
});
const ITEMS = [
  good(1, 'Parafuso de aço'),
  { ...good(2, 'Porca'), ncm: '7318' },
  { ...good(3, 'Arruela'), cpfCnpjRaiz: '11222333' },
  good(4, 'Rebite de latão'),
  { seq: 5, cpfCnpjRaiz: RAIZ, modalidade: 'IMPORTACAO', ncm: '73181500' },
];
const FILE = {
  name: 'produtos.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(ITEMS)),
};

inBrowser('importing', ['dev', '--empty'], (it) => {
  test('a file with good and bad items is checked, imported, explained and exported again', async () => {
    const { page, complaints, strangers } = await it.enter('demo', '/importar');
    await page.setInputFiles('input[type=file]', FILE);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('nada foi gravado').waitFor();
    expect(await tally(page)).toEqual({ Incluídos: 2, 'Novas versões': 0, Inalterados: 0, 'Com erro': 3 });

    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await page.setInputFiles('input[type=file]', FILE);
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    expect(await tally(page)).toEqual({ Incluídos: 2, 'Novas versões': 0, Inalterados: 0, 'Com erro': 3 });
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.locator('tbody tr').first().waitFor();
    await expectGoodPage(page, `Importação ${id}`, 'importar-resultado');

    const [second, third, fifth] = await rows(page);
    expect(await rows(page)).toHaveLength(3);
    for (const said of ['7318', ', linha ', '/ncm', 'Erro']) expect(second).toContain(said);
    expect(third).toContain('representante');
    expect(fifth).toContain('denominacao');
    await page.getByLabel('Só os itens com erro').uncheck();
    await page.getByText('Incluído', { exact: true }).first().waitFor();
    expect(await rows(page)).toHaveLength(ITEMS.length);

    const errors = await downloaded(page, 'Baixar CSV');
    expect(errors.suggestedFilename()).toEndWith('errors.csv');
    expect(await Bun.file(await errors.path()).text()).toContain('denominacao');

    // A reload keeps the session and the result.
    await page.reload();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.getByRole('link', { name: 'Produtos', exact: true }).click();
    const products = await downloaded(page, 'Exportar');
    expect(products.suggestedFilename()).toMatch(/^CATALOGO_PRODUTOS_12345678_\d{14}\.zip$/);
    const exported = JSON.parse(await textInZip(products)) as { denominacao: string }[];
    expect(exported.map(({ denominacao }) => denominacao)).toEqual(['Parafuso de aço', 'Rebite de latão']);
    await page.getByRole('link', { name: 'Operadores estrangeiros' }).click();
    const operators = await downloaded(page, 'Exportar');
    expect(operators.suggestedFilename()).toStartWith('OPERADORES_ESTRANGEIROS_12345678_');
    await page.getByRole('link', { name: 'Vínculos' }).click();
    const links = await downloaded(page, 'Exportar');
    expect(links.suggestedFilename()).toStartWith('VINCULOS_FABRICANTES_12345678_');

    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('a file that cannot be read is refused with its reason, and nothing is kept', async () => {
    const { page } = await it.enter('demo2', '/importar');
    await page.setInputFiles('input[type=file]', { ...FILE, buffer: Buffer.from('[{"seq":1,') });
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('o arquivo não pôde ser lido.').waitFor();
    expect(await page.getByRole('alert').innerText()).toMatch(/byte \d+.*Nada foi gravado\./s);
    await page.context().close();
  });

  test('the keyboard alone reaches everything of the form', async () => {
    const { page } = await it.enter('demo', '/importar');
    await page.getByText('Importar um arquivo').waitFor();
    await tabTo(page, 'Produtos');
    while ((await page.evaluate(() => document.activeElement?.tagName)) === 'A')
      await tabTo(page, 'Produtos');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Operadores estrangeiros' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'Espelho' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).type)).toBe('file');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Importar');
    await page.context().close();
  });
});

async function tally(page: Page): Promise<Record<string, number>> {
  const names = await page.locator('.tally dt').allInnerTexts();
  const values = await page.locator('.tally dd').allInnerTexts();
  return Object.fromEntries(names.map((name, at) => [name, Number(values[at])]));
}

async function rows(page: Page): Promise<readonly string[]> {
  await page.locator('tbody tr').first().waitFor();
  return page.locator('tbody tr').allInnerTexts();
}

async function downloaded(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return download;
}

async function textInZip(download: Download): Promise<string> {
  const [member] = Object.values(unzipSync(await Bun.file(await download.path()).bytes()));
  return new TextDecoder().decode(member);
}
