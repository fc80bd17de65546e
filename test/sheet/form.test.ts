/**
 * Sheets to be filled in (contract section 24): the additions of a spreadsheet to a column, on both sides
 * of their limits.
 */
import { expect, test } from 'bun:test';
import { strFromU8, unzipSync } from 'fflate';
import { type FormColumn, sheetsToImport, formXlsx } from '../../src/sheet/form.ts';
import { read } from './support.ts';

const COLUMN: FormColumn = {
  heading: 'Cor',
  isRequired: false,
  need: 'Opcional',
  form: 'Texto.',
  about: 'A cor.',
  choices: [],
  takesMany: false,
  example: 'azul',
};

async function madeOf(...columns: readonly Partial<FormColumn>[]) {
  const stream = await formXlsx(
    'Cores',
    columns.map((one) => ({ ...COLUMN, ...one })),
    0,
  );
  const bytes = await new Response(stream).bytes();
  const files = unzipSync(bytes);
  return {
    bytes,
    names: Object.keys(files),
    xml: strFromU8(files['xl/worksheets/sheet1.xml'] as Uint8Array),
  };
}

test('a list of 255 letters is stored at its column, a longer one in a separate sheet', async () => {
  const short = ['a'.repeat(127), 'b'.repeat(127)];
  expect(short.join(',')).toHaveLength(255);
  const { xml, names } = await madeOf({ choices: short });
  expect(xml).toContain(`<formula1>&quot;${short.join(',')}&quot;</formula1>`);
  expect(names).not.toContain('xl/worksheets/sheet4.xml');
  const long = await madeOf(
    { heading: 'Tom', choices: ['x'] },
    { choices: ['a'.repeat(128), 'b'.repeat(127)] },
  );
  expect(long.xml).toContain('<formula1>&quot;x&quot;</formula1>');
  expect(long.xml).toContain('<formula1>Listas!$A$2:$A$3</formula1>');
  expect(long.names).toContain('xl/worksheets/sheet4.xml');
});

test('the separate lists are next to each other; a comma or a quote needs one', async () => {
  const { bytes, xml } = await madeOf({ choices: ['um, dois'] }, { choices: ['"a"', 'b', 'c'] });
  expect(xml).toContain('<formula1>Listas!$A$2:$A$2</formula1>');
  expect(xml).toContain('<formula1>Listas!$B$2:$B$4</formula1>');
  // The hidden sheet is the last one of the file.
  expect((await read(bytes)).map(({ name }) => name)).toEqual([
    'Cores',
    'Exemplo',
    'O que cada coluna pede',
    'Listas',
  ]);
});

test('a value outside of its list causes a warning, unless a cell may hold several', async () => {
  expect((await madeOf({ choices: ['a'] })).xml).toContain('showErrorMessage="1" errorStyle="warning"');
  expect((await madeOf({ choices: ['a'], takesMany: true })).xml).not.toContain('showErrorMessage');
});

test('the explanation of a column is cut at the limits of a spreadsheet: 32 letters of its name, 255 of the rest', async () => {
  const rest = 'Opcional. Texto. '.length;
  const fits = await madeOf({ heading: 'n'.repeat(32), about: 'p'.repeat(255 - rest) });
  expect(fits.xml).toContain(
    `promptTitle="${'n'.repeat(32)}" prompt="Opcional. Texto. ${'p'.repeat(255 - rest)}"`,
  );
  const cut = await madeOf({ heading: 'n'.repeat(33), about: `"&<\n${'p'.repeat(255)}` });
  expect(cut.xml).toContain(`promptTitle="${'n'.repeat(31)}…" prompt="Opcional. Texto. &quot;&amp;&lt; ppp`);
  const [, prompt = ''] = / prompt="([^"]*)"/.exec(cut.xml) ?? [];
  expect(prompt.replaceAll(/&\w+;/g, '?')).toHaveLength(255);
  expect(prompt).toEndWith('p…');
});

test('of a template only the first sheet is imported, of any other file all', () => {
  const tables = (...names: readonly string[]) =>
    names.map((name) => ({ name, rows: async function* () {} }));
  const namesOf = (...names: readonly string[]) => sheetsToImport(tables(...names)).map(({ name }) => name);
  expect(namesOf('Cores', 'Exemplo', 'O que cada coluna pede')).toEqual(['Cores']);
  expect(namesOf('Cores', 'Exemplo')).toEqual(['Cores', 'Exemplo']);
  expect(namesOf('Exemplo')).toEqual(['Exemplo']);
});
