/** Printed pages: a long table with all its rows, nothing cut, and no controls. */
import { expect, test } from 'bun:test';
import { eventually } from '../../support/eventually.ts';
import { expectCount, inBrowser, settled } from './support.ts';

const MANY = 150;
const LONG = 'de aço inoxidável com rosca inteira e cabeça sextavada, '.repeat(4);

const COLUMNS = JSON.stringify(
  'codigo denominacao situacao ncm ncmDescricao modalidade versao codigosInterno descricao changedAt'.split(
    ' ',
  ),
);

inBrowser('on paper', ['dev', '--empty'], (site) => {
  test('a list is complete: each fetched row and each whole name', async () => {
    const items = Array.from({ length: MANY }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: '12345678',
      denominacao: `Parafuso ${index + 1} ${LONG}`,
      modalidade: 'EXPORTACAO',
      ncm: '73181500',
      situacao: 'ATIVADO',
    }));
    for (let from = 0; from < MANY; from += 100)
      await site.call('demo', 'POST', '/catp/api/ext/produto', items.slice(from, from + 100));
    const { page } = await site.enter('demo', '/produtos?cpfCnpjRaiz=12345678');
    await settled(page);
    const rows = page.locator('.virtual tbody tr:not(.virtual-space)');
    await eventually(() => rows.count()).toBeLessThan(MANY);
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    const onPaper = await eventually(() => rows.count()).toBeGreaterThanOrEqual(100);
    if (onPaper < MANY) await page.getByText(`${onPaper} de ${MANY} linhas`).waitFor();
    const overflow = await page.evaluate(() => {
      const scrolls = document.querySelector('.virtual');
      return {
        list: (scrolls?.scrollHeight ?? 0) > (scrolls?.clientHeight ?? 0) + 1,
        cells: [...document.querySelectorAll('.virtual td')].filter(
          (td) => td.scrollWidth > td.clientWidth + 1,
        ).length,
      };
    });
    expect(overflow).toEqual({ list: false, cells: 0 });
    await eventually(() => page.getByRole('button', { name: 'Baixar CSV' }).isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await eventually(() => rows.count()).toBeLessThan(100);
    // The browser sends `beforeprint` before it prints the PDF.
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    expect(sheets?.length).toBeGreaterThan(5);

    // A truncated name is shown in full in the row that the keyboard selects.
    await page.getByRole('grid').focus();
    const name = page.locator('.virtual tr.active td > a');
    await expectCount(name, 1);
    expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth + 1)).toBe(true);
    await eventually(() => name.innerText()).toContain('Parafuso');
    await page.context().close();
  });

  test('a list of ten columns has about twenty rows on each page', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({
      seq: index + 1,
      cpfCnpjRaiz: '12345678',
      denominacao: `Arruela lisa de aço número ${index + 1}`,
      descricao: 'Arruela lisa de aço carbono, zincada, para uso geral.',
      codigosInterno: [`ARRUELA-${index + 1}`],
      modalidade: 'IMPORTACAO',
      ncm: '73182200',
      situacao: 'ATIVADO',
    }));
    await site.call('demo', 'POST', '/catp/api/ext/produto', items);
    const { page } = await site.enter('demo', '/produtos?cpfCnpjRaiz=12345678&text=arruela');
    await page.evaluate(
      (columns) => localStorage.setItem('catp.columns.produtos.00000000191', columns),
      COLUMNS,
    );
    await page.reload();
    await page.getByText('100 produtos').waitFor();
    await settled(page);
    const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
    expect(pages?.length).toBeLessThanOrEqual(6);
    await page.context().close();
  });
});
