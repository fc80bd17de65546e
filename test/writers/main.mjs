// Rewrites a sheet, or writes one from values: `LIBRARY rewrite IN OUT`, `LIBRARY write VALUES OUT`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const require = createRequire(join(process.env.PACKAGES, 'main.cjs'));
const native = (value) => (typeof value?.day === 'string' ? new Date(`${value.day}T00:00:00Z`) : value);
const FORMAT = 'dd/mm/yyyy';

const WRITERS = {
  async exceljs(rows, out) {
    const { Workbook } = require('exceljs');
    const book = new Workbook();
    const sheet = book.addWorksheet('Dados');
    sheet.addRows(rows);
    await book.xlsx.writeFile(out);
  },
  xlsx(rows, out) {
    const { utils, writeFile } = require('xlsx');
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { cellDates: true }), 'Dados');
    writeFile(book, out);
  },
  async 'xlsx-populate'(rows, out) {
    const book = await require('xlsx-populate').fromBlankAsync();
    for (const [row, cells] of rows.entries())
      for (const [column, value] of cells.entries()) {
        const cell = book
          .sheet(0)
          .row(row + 1)
          .cell(column + 1);
        cell.value(value ?? undefined);
        if (value instanceof Date) cell.style('numberFormat', FORMAT);
      }
    await book.toFileAsync(out);
  },
  async 'write-excel-file'(rows, out) {
    const { default: write } = await import(require.resolve('write-excel-file/node'));
    const cellOf = (value) =>
      value === null
        ? null
        : { value, type: value.constructor, ...(value instanceof Date && { format: FORMAT }) };
    await write(rows.map((row) => row.map(cellOf))).toFile(out);
  },
};

const READERS = {
  async exceljs(source, out) {
    const { Workbook } = require('exceljs');
    const book = new Workbook();
    await book.xlsx.readFile(source);
    await book.xlsx.writeFile(out);
  },
  xlsx(source, out) {
    const { readFile, writeFile } = require('xlsx');
    writeFile(readFile(source), out);
  },
  async 'xlsx-populate'(source, out) {
    await (await require('xlsx-populate').fromFileAsync(source)).toFileAsync(out);
  },
};

const [library, mode, source, out] = process.argv.slice(2);
if (mode === 'rewrite') await READERS[library](source, out);
else {
  const rows = JSON.parse(readFileSync(source, 'utf8'));
  await WRITERS[library](
    rows.map((row) => row.map(native)),
    out,
  );
}
