/** `/importar` and `/importar/{id}`: from a file to the result of each item. */
import { expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import { textsOf } from '../../sheet/support.ts';
import { eventually } from '../../support/eventually.ts';
import {
  expectGoodPage,
  expectFocus,
  importForm,
  importSheet,
  inBrowser,
  xlsxFile,
  expectCount,
} from './support.ts';

const RAIZ = '12345678';
const validItem = (seq: number, denominacao: string) => ({
  seq,
  cpfCnpjRaiz: RAIZ,
  denominacao,
  modalidade: 'IMPORTACAO',
  ncm: '73181500',
});
const ITEMS = [
  validItem(1, 'Parafuso de aço'),
  { ...validItem(2, 'Porca'), ncm: '7318' },
  { ...validItem(3, 'Arruela'), cpfCnpjRaiz: '11222333' },
  validItem(4, 'Rebite de latão'),
  { seq: 5, cpfCnpjRaiz: RAIZ, modalidade: 'IMPORTACAO', ncm: '73181500' },
];
const FILE = {
  name: 'produtos.json',
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(ITEMS)),
};

inBrowser('importing', ['dev', '--empty', '--set', 'importacao.falhas=7'], (site) => {
  test('a file with good and bad items is checked, imported, explained and exported again', async () => {
    const { page, complaints, strangers } = await site.enter('demo', '/importar');
    await page.setInputFiles('input[type=file]', FILE);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('produtos.json: 2 seriam incluídos, 3 com erro.').waitFor();
    await page.getByText('nada foi gravado').waitFor();
    await eventually(() => countsOf(page)).toEqual({
      'Seriam incluídos': 2,
      'Seriam novas versões': 0,
      Inalterados: 0,
      'Com erro': 3,
    });
    await page.getByLabel('Mostrar').selectOption('todos');
    await page.getByText('Seria incluído', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await eventually(() => countsOf(page)).toEqual({
      Incluídos: 2,
      'Novas versões': 0,
      Inalterados: 0,
      'Com erro': 3,
    });
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await page.locator('tbody tr').first().waitFor();
    await expectGoodPage(page, `Importação ${id}`, 'importar-resultado');

    const [second, third, fifth] = await rowsOf(page);
    await eventually(() => rowsOf(page)).toHaveLength(3);
    for (const text of ['7318', ', linha ', '/ncm', 'Erro']) expect(second).toContain(text);
    expect(third).toContain('representante');
    expect(fifth).toContain('denominacao');
    await page.getByLabel('Mostrar').selectOption('todos');
    await page.getByText('Incluído', { exact: true }).first().waitFor();
    await eventually(() => rowsOf(page)).toHaveLength(ITEMS.length);

    await page.getByLabel('Mostrar').selectOption('failed');
    const errors = await downloaded(page, 'Baixar CSV');
    expect(errors.suggestedFilename()).toBe(`importacao_${id}.csv`);
    expect(await Bun.file(await errors.path()).text()).toContain('denominacao');
    const sheet = await downloaded(page, 'Baixar XLSX');
    expect(await textsOf(await Bun.file(await sheet.path()).bytes())).toHaveLength(4);

    // A reload keeps the session and the result.
    await page.reload();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.getByRole('link', { name: 'Produtos', exact: true }).click();
    const products = await downloaded(page, 'Exportar');
    expect(products.suggestedFilename()).toMatch(/^CATALOGO_PRODUTOS_12345678_\d{14}\.zip$/);
    const exportedItems = JSON.parse(await textInZip(products)) as { denominacao: string }[];
    expect(exportedItems.map(({ denominacao }) => denominacao)).toEqual([
      'Parafuso de aço',
      'Rebite de latão',
    ]);
    await page.getByRole('link', { name: 'Operadores', exact: true }).click();
    const operators = await downloaded(page, 'Exportar');
    expect(operators.suggestedFilename()).toStartWith('OPERADORES_ESTRANGEIROS_12345678_');
    await page.getByRole('link', { name: 'Vínculos' }).click();
    const links = await downloaded(page, 'Exportar');
    expect(links.suggestedFilename()).toStartWith('VINCULOS_FABRICANTES_12345678_');

    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('a spreadsheet of an ERP is mapped, corrected and imported again, and a second import adds nothing', async () => {
    const rows = [
      ['SKU', 'Título', 'NCM', 'Operação', 'Obs.'],
      ['000123', 'Parafuso da planilha', '73181500.0', 'importacao', 'x'],
      ['000124', 'Porca da planilha', '7318', 'importacao', 'x'],
    ];
    const { page, complaints } = await site.enter('demo', '/importar');
    const file = await xlsxFile(rows);
    await page.setInputFiles('input[type=file]', file);
    await eventually(() => page.getByLabel('SKU').inputValue()).toBe('codigosInterno');
    // Guessed columns require a check first, so the mapping has one button.
    await expectCount(page.getByRole('button', { name: 'Importar', exact: true }), 0);
    await page.locator('button.primary', { hasText: 'Conferir sem gravar' }).waitFor();
    await page.getByLabel('NCM', { exact: true }).selectOption('');
    await page.getByText('Sem a coluna NCM as linhas alteram').waitFor();
    await page.getByLabel('NCM', { exact: true }).selectOption('NCM');
    await page.getByText('não incluem outros').waitFor({ state: 'detached' });
    await expectGoodPage(page, 'Importar', 'importar-planilha');
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('1 seria incluído, 1 com erro.').waitFor();
    await page.getByLabel('Mostrar').selectOption('todos');
    await page.getByText('Denominação: Parafuso da planilha').waitFor();
    await page.getByText('a planilha fez do código um número').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    const [failedRow] = await rowsOf(page);
    for (const text of ['Porca da planilha', '000124', '3', 'C3', '7318']) expect(failedRow).toContain(text);

    // The failed rows are exported in the layout of the sent sheet, corrected, and mapped as before.
    const download = await downloaded(page, 'Baixar as linhas a corrigir');
    const lines = await textsOf(await Bun.file(await download.path()).bytes());
    expect(lines[0]).toEqual([...(rows[0] ?? []), 'Erro na importação']);
    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    const correctedLines = lines.map((row) => row.map((cell) => (cell === '7318' ? '73181600' : cell)));
    await page.setInputFiles('input[type=file]', await xlsxFile(correctedLines));
    await eventually(() => page.getByLabel('NCM', { exact: true }).inputValue()).toBe('ncm');
    await importSheet(page);
    await page.getByText('erp.xlsx: 1 incluído.').waitFor();
    const [firstRow] = await rowsOf(page);
    for (const text of ['Porca da planilha', 'Incluído']) expect(firstRow).toContain(text);

    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await page.setInputFiles('input[type=file]', file);
    await page.getByLabel('Uma linha é do registro que tem').selectOption('nenhuma');
    await importSheet(page);
    await page.getByRole('dialog', { name: 'Este arquivo já foi importado' }).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Importar');
    const before = (await (await site.call('demo', 'GET', '/appliance/api/imports')).json()) as unknown[];
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByRole('button', { name: 'Importar de novo' }).click();
    await page.getByText('erp.xlsx: 1 incluído, 1 com erro.').waitFor();
    await page.getByRole('button', { name: 'Importar só os que falharam' }).click();
    await page.getByText('erp.xlsx: 1 com erro.').waitFor();
    expect(
      (await (await site.call('demo', 'GET', '/appliance/api/imports')).json()) as unknown[],
    ).toHaveLength(before.length + 2);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('markup, script, right-to-left and zero-width texts are shown as texts', async () => {
    const hostile = [
      '<img src=x onerror="globalThis.hurt=1">',
      '<script>globalThis.hurt=1</script>',
      '"><svg onload=globalThis.hurt=1>',
      '\u202Eodartnoc\u202C',
      'zero\u200Bwidth\u2060joined',
      '{{constructor.constructor("globalThis.hurt=1")()}}',
      'x'.repeat(150),
    ];
    const items = hostile.map((text, index) => ({
      ...validItem(index + 1, text),
      descricao: text,
      codigosInterno: [text.slice(0, 60)],
    }));
    const { page, complaints, strangers } = await site.enter('demo', '/importar');
    await page.setInputFiles('input[type=file]', { ...FILE, buffer: Buffer.from(JSON.stringify(items)) });
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText(`${hostile.length} incluídos.`).waitFor();
    for (const text of hostile) expect((await rowsOf(page)).some((row) => row.includes(text))).toBe(true);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await expectGoodPage(page, `Importação ${id}`, 'importar-hostil');
    expect(await page.evaluate(() => 'hurt' in globalThis)).toBe(false);
    expect({ complaints, strangers }).toEqual({ complaints: [], strangers: [] });
    await page.context().close();
  });

  test('a file of another kind, an unreadable sheet and several files at once are refused with a reason', async () => {
    const { page } = await site.enter('demo', '/importar');
    const operator = {
      seq: 1,
      cpfCnpjRaiz: RAIZ,
      nome: 'A',
      codigoPais: 'DE',
      logradouro: 'B',
      nomeCidade: 'C',
    };
    const otherFile = { ...FILE, name: 'o.json', buffer: Buffer.from(JSON.stringify([operator])) };
    await page.setInputFiles('input[type=file]', otherFile);
    await page.getByText('parece um arquivo de operadores estrangeiros').waitFor();
    await page.getByRole('button', { name: 'Mudar para operadores estrangeiros' }).click();
    await eventually(() => page.getByRole('radio', { name: 'Operadores estrangeiros' }).isChecked()).toBe(
      true,
    );
    await page.setInputFiles('input[type=file]', {
      ...FILE,
      name: 'a.xlsx',
      buffer: Buffer.from('PK no zip'),
    });
    await page.getByText('A planilha está danificada').waitFor();
    await page.setInputFiles('input[type=file]', { ...FILE, name: 'a.pdf', buffer: Buffer.from('%PDF') });
    await page.getByText('não é um arquivo JSON, ZIP, XLSX nem CSV').waitFor();
    await page.setInputFiles('input[type=file]', [
      otherFile,
      { ...otherFile, name: 'p.json', buffer: Buffer.from('[]') },
    ]);
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByText('2 importações começaram.').waitFor();
    await page.getByText('p.json').waitFor();
    const template = await downloaded(page, 'Modelo em XLSX');
    expect(template.suggestedFilename()).toBe('modelo-operador-estrangeiro.xlsx');
    await page.context().close();
  });

  test('a long list of failures is shortened; the owner of the import can delete its results', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const items = Array.from({ length: 9 }, (_, index) => ({
      ...validItem(index + 1, `Rebite ${index}`),
      ncm: 'x',
    }));
    await page.setInputFiles('input[type=file]', { ...FILE, buffer: Buffer.from(JSON.stringify(items)) });
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Dos itens com erro, 2 não são mostrados').waitFor();
    await eventually(() => rowsOf(page)).toHaveLength(7);
    expect(await page.getByRole('button', { name: 'Importar só os que falharam' }).count()).toBe(0);
    const id = new URL(page.url()).pathname.split('/').at(-1);
    await expectGoodPage(page, `Importação ${id}`, 'importar-nao-guardados');

    // Another user of the same company reads the results.
    const colleague = await site.enter('demo2', `/importar/${id}`);
    await eventually(() => rowsOf(colleague.page)).toHaveLength(7);
    expect(await colleague.page.getByRole('button', { name: 'Apagar resultados' }).count()).toBe(0);
    await colleague.page.context().close();

    await page.getByRole('button', { name: 'Apagar resultados' }).click();
    await page.keyboard.press('Escape');
    await expectFocus(page, 'Apagar resultados');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Apagar', exact: true }).click();
    await page.getByText('Os resultados dos itens foram apagados.').waitFor();
    await expectCount(page.locator('tbody tr'), 0);
    await eventually(() => countsOf(page)).toMatchObject({ 'Com erro': 9 });
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('an import that is older than the recent ones is found, and leads to its records', async () => {
    const send = async (item: object, simular: boolean): Promise<number> => {
      const form = importForm('velho.json', [item]);
      if (simular) form.set('simular', 'true');
      return (await (await site.call('demo', 'POST', '/appliance/api/imports', form)).json()).id;
    };
    const first = await send(validItem(1, 'Cupilha'), false);
    for (let index = 0; index < 6; index += 1) await send(validItem(1, `Cupilha ${index}`), true);
    const { page } = await site.enter('demo', '/importar');
    await expectCount(page.locator('.recent li'), 5);
    const oldImport = page.locator(`.recent a[href^="/importar/${first}"]`);
    expect(await oldImport.count()).toBe(0);
    await page.getByRole('button', { name: 'Mostrar mais' }).click();
    await oldImport.click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    await page.locator('tbody tr td a').click();
    await page.getByRole('heading', { level: 1, name: /^Produto \d+$/ }).waitFor();
    await page.getByText('Cupilha').first().waitFor();
    // A dry run creates no records, so its rows have no links.
    await page.goto(`${site.url}/importar/${first + 1}`);
    await page.getByText('Foi só uma conferência').waitFor();
    await expectCount(page.locator('tbody tr'), 1);
    expect(await page.locator('tbody tr td a').count()).toBe(0);
    await page.context().close();
  });

  test('an unreadable file is refused with its reason, and nothing is stored', async () => {
    const { page } = await site.enter('demo2', '/importar');
    await page.setInputFiles('input[type=file]', { ...FILE, buffer: Buffer.from('[{"seq":1,') });
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('o arquivo não pôde ser lido.').waitFor();
    await eventually(() => page.getByRole('alert').innerText()).toMatch(/byte \d+.*Nada foi gravado\./s);
    await page.context().close();
  });

  test('the keyboard alone reaches every control of the form', async () => {
    const { page } = await site.enter('demo', '/importar');
    await page.getByText('Importar um arquivo').waitFor();
    await page.locator('main input[type=file]').setInputFiles({ ...FILE, buffer: Buffer.from('[]') });
    await page.getByRole('radio', { name: 'Lote' }).waitFor();
    await page.locator('main input[type=file]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.getByRole('radio', { name: 'Operadores estrangeiros' }).isChecked()).toBe(
      true,
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await eventually(() => page.getByRole('radio', { name: 'Espelho' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Conferir sem gravar');
    await page.keyboard.press('Tab');
    await expectFocus(page, 'Importar');
    await page.context().close();
  });
});

async function countsOf(page: Page): Promise<Record<string, number>> {
  const names = await page.locator('.tally dt').allInnerTexts();
  const values = await page.locator('.tally dd').allInnerTexts();
  return Object.fromEntries(names.map((name, index) => [name, Number(values[index])]));
}

async function rowsOf(page: Page): Promise<readonly string[]> {
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
