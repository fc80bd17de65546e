/**
 * Builds an XLSX template (contract section 24): headings with lists and notes, an example, and the
 * requirements of each column.
 */
import { type EpochMs, endOfTurn } from '../clock.ts';
import { zipWith } from '../files/zip-out.ts';
import { type Table, columnLetters } from './cell.ts';
import { SHEET_LIMITS } from './limits.ts';
import { SHEET_PART, escaped, partsAround, sheetPart, sheetXml } from './xlsx/write.ts';

/** A column that people fill in. */
export interface FormColumn {
  readonly heading: string;
  /** True if no row is accepted without it. */
  readonly isRequired: boolean;
  /** The condition under which a value is required. */
  readonly need: string;
  /** The accepted content of a cell. */
  readonly form: string;
  /** The meaning of the column. */
  readonly about: string;
  /** The values to choose from. Empty: free text. */
  readonly choices: readonly string[];
  /** True if a cell may hold several values. */
  readonly takesMany: boolean;
  readonly example: string;
}

const EXAMPLE = 'Exemplo';
const REQUIREMENTS = 'O que cada coluna pede';
const LISTS = 'Listas';

/** Builds the file. `name`: that of the sheet to fill in. */
export async function formXlsx(
  name: string,
  columns: readonly FormColumn[],
  madeAt: EpochMs,
): Promise<ReadableStream<Uint8Array>> {
  const headings = columns.map(({ heading }) => heading);
  const marked = new Set(columns.keys().filter((index) => columns[index]?.isRequired));
  const longLists = columns.filter(({ choices }) => choices.length > 0 && inline(choices) === undefined);
  const others = [
    { name: EXAMPLE, text: await sheetText(headings, [columns.map(({ example }) => example)], { marked }) },
    {
      name: REQUIREMENTS,
      text: await sheetText(REQUIREMENT_HEADINGS, columns.map(requirementRow), { wraps: true }),
    },
    ...(longLists.length === 0 ? [] : [{ name: LISTS, isHidden: true, text: await listsText(longLists) }]),
  ];
  const parts = [
    ...partsAround(name, ...others),
    ...others.map(({ text }, index) => [sheetPart(index + 1), text] as const),
  ];
  const afterFilter = validations(columns, longLists);
  return zipWith(parts, SHEET_PART, sheetXml(headings, [], { marked, afterFilter }), madeAt);
}

/** Returns the sheet of a template that was filled in. The example is not a record. */
export const sheetsToImport = (tables: readonly Table[]): readonly Table[] =>
  tables[1]?.name === EXAMPLE && tables[2]?.name === REQUIREMENTS ? tables.slice(0, 1) : tables;

/**
 * Returns the text of a sheet. A domain may have thousands of values, so other work runs between the chunks.
 */
async function sheetText(...sheet: Parameters<typeof sheetXml>): Promise<string> {
  let text = '';
  for await (const piece of sheetXml(...sheet)) {
    text += piece;
    await endOfTurn();
  }
  return text;
}

const REQUIREMENT_HEADINGS = ['Coluna', 'É obrigatória?', 'O que aceita', 'O que é', 'Exemplo'];
const requirementRow = ({ heading, need, form, about, example }: FormColumn) => [
  heading,
  need,
  form,
  about,
  example,
];

/** Returns the sheet of the lists, with a column for each. */
function listsText(longLists: readonly FormColumn[]): Promise<string> {
  const length = Math.max(...longLists.map(({ choices }) => choices.length));
  const rows = Array.from({ length }, (_, row) => longLists.map(({ choices }) => choices[row] ?? ''));
  return sheetText(
    longLists.map(({ heading }) => heading),
    rows,
  );
}

/** Maximum characters of an inline list in a spreadsheet. */
const INLINE_MAX = 255;
const PROMPT_MAX = 255;
const TITLE_MAX = 32;

/**
 * Returns a short list as text in its column.
 * `undefined`: it is too long, or a value contains the separator.
 */
function inline(choices: readonly string[]): string | undefined {
  const text = choices.join(',');
  return text.length > INLINE_MAX || choices.some((one) => /[,"]/.test(one)) ? undefined : `"${text}"`;
}

function validations(columns: readonly FormColumn[], longLists: readonly FormColumn[]): string {
  const all = columns.map((column, index) => {
    const { heading, need, form, about, choices, takesMany } = column;
    const range = `${columnLetters(index)}2:${columnLetters(index)}${SHEET_LIMITS.maxRows}`;
    const prompt = `showInputMessage="1" promptTitle="${attribute(heading, TITLE_MAX)}" prompt="${attribute(`${need}. ${form} ${about}`, PROMPT_MAX)}"`;
    if (choices.length === 0) return `<dataValidation allowBlank="1" ${prompt} sqref="${range}"/>`;
    const letters = columnLetters(longLists.indexOf(column));
    const list = inline(choices) ?? `${LISTS}!$${letters}$2:$${letters}$${choices.length + 1}`;
    // The list only warns about other input: a cell also accepts a bare code, and several values.
    const error = takesMany
      ? ''
      : ' showErrorMessage="1" errorStyle="warning" error="Este valor não está na lista."';
    return `<dataValidation type="list" allowBlank="1"${error} ${prompt} sqref="${range}"><formula1>${escaped(list)}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${all.length}">${all.join('')}</dataValidations>`;
}

/** Returns a text as an XML attribute on one line, cut at `max`. */
function attribute(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return escaped(line.length > max ? `${line.slice(0, max - 1)}…`.toWellFormed() : line);
}
