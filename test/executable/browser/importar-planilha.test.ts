/** The result of a sheet: what changed, and the corrections of its rows. */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { odsOf } from '../../sheet/ods.ts';
import { expectCount, expectFocus, expectGoodPage, inBrowser, signIn, xlsxFile } from './support.ts';

const RAIZ = '12345678';

inBrowser('a sheet', ['dev', '--empty'], (site) => {
  test('refused rows with one reason each get a value by keyboard, or one value for all', async () => {
    const names = ['Eixo', 'Polia', 'Correia', 'Mancal'];
    const { page, complaints } = await site.enter('demo', '/importar');
    await page.setInputFiles(
      'input[type=file]',
      await xlsxFile([
        ['Nome', 'NCM', 'Modalidade'],
        ...names.map((name, index) => [name, index === 3 ? '84833000' : '8483', 'Importação']),
      ]),
    );
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await page.getByRole('button', { name: 'Cada um o seu' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('3 linhas.').waitFor();
    await dialog.getByLabel('NCM, linha 2').fill('84831090');
    await page.keyboard.press('Enter');
    await expectFocus(page, 'NCM, linha 3');
    await page.keyboard.type('84835090');
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, 'NCM, linha 2');
    await expectGoodPage(
      page,
      `Importação ${new URL(page.url()).pathname.split('/').at(-1)}`,
      'importar-cada',
    );
    await dialog.getByRole('button', { name: 'Preencher em todas' }).click();
    await eventually(() => dialog.getByLabel('NCM, linha 4').inputValue()).toBe('84831090');
    await dialog.getByRole('button', { name: 'Usar estes valores' }).click();
    await page.getByText('3 linhas com valor próprio').waitFor();
    await page.getByRole('button', { name: 'Conferir as linhas corrigidas' }).click();
    // The valid rows are listed again and are imported too.
    await page.getByText('4 seriam incluídos.').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('Os itens sem erro estão gravados.').waitFor();
    const answer = await site.call('demo', 'GET', `/appliance/api/products?cpfCnpjRaiz=${RAIZ}&ncm=8483`);
    const { items } = (await answer.json()) as { items: readonly Record<string, string>[] };
    expect(items.map(({ denominacao, ncm }) => `${denominacao} ${ncm}`)).toEqual([
      ...['Eixo 84831090', 'Polia 84835090', 'Correia 84831090', 'Mancal 84833000'],
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('a file of LibreOffice is refused with the formats to save it as, and another file can be chosen', async () => {
    const { page } = await site.enter('demo', '/importar');
    await page.setInputFiles('input[type=file]', {
      name: 'produtos.ods',
      mimeType: 'application/vnd.oasis.opendocument.spreadsheet',
      buffer: Buffer.from(
        odsOf([
          ['Nome', 'NCM', 'Modalidade'],
          ['Porca', '73181600', 'Importação'],
        ]),
      ),
    });
    await page.getByRole('alert').filter({ hasText: '(.ods); salve-a como XLSX ou CSV' }).waitFor();
    await page.setInputFiles('input[type=file]', await xlsxFile([['Nome'], ['Porca']]));
    await page.getByText('erp.xlsx').first().waitFor();
    await expectCount(page.getByText('.ods'), 0);
    await page.context().close();
  });

  test('choices next to a dialog are kept, also after a new sign-in and a reload', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    await page.setInputFiles(
      'input[type=file]',
      await xlsxFile([
        ['Nome', 'NCM', 'Modalidade'],
        ['Eixo curto', '8483', 'Importação'],
        ['Eixo médio', '8483', 'Importação'],
        ['Eixo longo', '84831090', 'compra'],
      ]),
    );
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    const modality = page.getByLabel('Em vez de “compra” (1)');
    await modality.selectOption('Importação');
    const openDialog = () => page.getByRole('button', { name: 'Cada um o seu' }).click();
    await openDialog();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('NCM, linha 2').fill('84831090');
    await dialog.getByLabel('NCM, linha 3').fill('84835090');
    await dialog.getByRole('button', { name: 'Usar estes valores' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expectFocus(page, 'Cada um o seu');
    const isKept = async (): Promise<void> => {
      await page.getByText('2 linhas com valor próprio').waitFor();
      await eventually(() => modality.inputValue()).toBe('Importação');
    };
    await isKept();
    await openDialog();
    await eventually(() => dialog.getByLabel('NCM, linha 3').inputValue()).toBe('84835090');
    await page.keyboard.press('Escape');
    await page.reload();
    await isKept();
    // The dialog restores text that was typed but not applied.
    await openDialog();
    await dialog.getByLabel('NCM, linha 2').fill('84835090');
    expect((await site.call('admin', 'DELETE', '/appliance/api/users/00000000191/sessions')).status).toBe(
      204,
    );
    await page.reload();
    await signIn(page, 'demo');
    await isKept();
    await openDialog();
    await eventually(() => dialog.getByLabel('NCM, linha 2').inputValue()).toBe('84835090');
    await page.keyboard.press('Escape');
    await openDialog();
    await eventually(() => dialog.getByLabel('NCM, linha 2').inputValue()).toBe('84831090');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Conferir as linhas corrigidas' }).click();
    await page.getByText('3 seriam incluídos.').waitFor();
    expect(complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await page.context().close();
  });

  test('a checkbox stores the meanings of values, the next sheet shows them, and a button deletes them', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const rows = (code: string) => [
      ['SKU', 'Nome', 'NCM', 'Modalidade'],
      [code, `Bucha ${code}`, '84831090', 'compra'],
    ];
    const send = async (code: string): Promise<void> => {
      await page.getByRole('link', { name: 'Importar', exact: true }).click();
      await page.setInputFiles('input[type=file]', await xlsxFile(rows(code)));
    };
    const check = () => page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    await send('B1');
    await check();
    await page.getByLabel('Em vez de “compra” (1)').selectOption('Importação');
    await page.getByLabel('Lembrar').focus();
    await page.keyboard.press('Space');
    await expectGoodPage(
      page,
      `Importação ${new URL(page.url()).pathname.split('/').at(-1)}`,
      'importar-lembrar',
    );
    // The checkbox is kept with the other choices of the page.
    await page.reload();
    await eventually(() => page.getByLabel('Lembrar').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Conferir as linhas corrigidas' }).click();
    await page.getByText('1 seria incluído.').waitFor();
    await page.getByRole('button', { name: 'Importar', exact: true }).click();
    await page.getByText('erp.xlsx: 1 incluído.').waitFor();

    await send('B2');
    await page.getByText('“compra” é lido como “Importação”, como lembrado.').waitFor();
    await check();
    await page.getByText('1 seria incluído.').waitFor();
    await page.getByText('lido como lembrado de planilhas anteriores: "compra" como "Importação"').waitFor();

    await send('B3');
    await page.getByRole('button', { name: 'Esquecer as escolhas de antes' }).click();
    await page.getByText('como lembrado').waitFor({ state: 'detached' });
    await check();
    await page.getByLabel('Em vez de “compra” (1)').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the result shows first what changed, with examples of old and new values', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    const send = async (...rows: readonly (readonly string[])[]): Promise<void> => {
      await page.getByRole('link', { name: 'Importar', exact: true }).click();
      await page.setInputFiles('input[type=file]', await xlsxFile(rows));
      await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    };
    const importIt = () => page.getByRole('button', { name: 'Importar', exact: true }).click();
    await send(
      ['SKU', 'Nome', 'NCM', 'Modalidade', 'Descrição'],
      ...['1', '2', '3', '4', '5'].map((n) => [`R${n}`, `Rolamento ${n}`, '84821010', 'Importação', 'Velha']),
    );
    await importIt();
    await page.getByText('erp.xlsx: 5 incluídos.').waitFor();

    // A new description creates no second product.
    await send(['SKU', 'Nome', 'Descrição'], ['R1', 'Rolamento 1', 'Nova'], ['R2', 'Rolamento 2', 'Velha']);
    await page.getByText('erp.xlsx: 1 teria nova versão, 1 ficaria como está.').waitFor();
    await page.getByText('Descrição: Velha → Nova').waitFor();
    expect(await page.getByText('a ser outro').count()).toBe(0);

    await send(
      ['SKU', 'Nome', 'NCM'],
      ...['1', '2', '3', '4'].map((n) => [`R${n}`, `Mancal ${n}`, '84821010']),
      ['R5', 'Rolamento 5', 'x'],
    );
    await page.getByText('erp.xlsx: 4 teriam nova versão, 1 com erro.').waitFor();
    const examples = page.locator('.notice', { hasText: 'Passaria a ser outro, por exemplo:' });
    await examples.getByText('Denominação: Rolamento 1 → Mancal 1').waitFor();
    await expectCount(examples.locator('.plain > li').filter({ hasText: 'Produto' }), 3);
    await importIt();
    await page.getByText('erp.xlsx: 4 novas versões, 1 com erro.').waitFor();
    await page.locator('.notice', { hasText: 'Passou a ser outro, por exemplo:' }).waitFor();
    await expectGoodPage(
      page,
      `Importação ${new URL(page.url()).pathname.split('/').at(-1)}`,
      'importar-outros',
    );
    expect(await page.getByText('sem erros').count()).toBe(0);
    await page.getByRole('link', { name: 'Importar', exact: true }).click();
    await page.getByText('4 novas versões, 1 com erro').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

inBrowser('a sheet with attributes', ['dev'], (site) => {
  test('one answer about the meaning of the point applies to the whole column', async () => {
    const { page, complaints } = await site.enter('demo', '/importar');
    await page.setInputFiles(
      'input[type=file]',
      await xlsxFile([
        ['SKU', 'Nome', 'NCM', 'Modalidade', 'Ano da safra (ATT_90003)'],
        ['V1', 'Vinho', '22042100', 'Importação', '1.987'],
        ['V2', 'Vinho 2', '22042100', 'Importação', '2.001'],
      ]),
    );
    await page.getByRole('button', { name: 'Conferir sem gravar' }).click();
    const point = page.getByLabel('O ponto, na coluna inteira');
    await point.selectOption('separa milhares: 1.987 é 1987');
    await page.getByRole('button', { name: 'Conferir as linhas corrigidas' }).click();
    // The reason disappears, and the next missing value is requested.
    await point.waitFor({ state: 'detached' });
    await page
      .getByText(/obrigatório|incluídos/)
      .first()
      .waitFor();
    expect(await page.getByText('tanto pode ser milhar').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
