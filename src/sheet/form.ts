/** An XLSX to be filled in (contract section 24): headings with lists and words beside them, an example, what each column asks. */
import { type EpochMs, endOfTurn } from '../clock.ts';
import { zipWith } from '../files/zip-out.ts';
import { type Table, columnLetters } from './cell.ts';
import { SHEET_LIMITS } from './limits.ts';
import { SHEET_PART, escaped, partsAround, sheetPart, sheetXml } from './xlsx/write.ts';

/** A column that people fill in. */
export interface FormColumn {
  readonly heading: string;
  /** Without it no row is taken. */
  readonly isRequired: boolean;
  /** Whether it must be given, and when. */
  readonly need: string;
  /** What a cell may hold. */
  readonly form: string;
  /** What is meant. */
  readonly about: string;
  /** From which one is chosen; none: it is written. */
  readonly choices: readonly string[];
  /** A cell may hold several. */
  readonly takesMany: boolean;
  readonly example: string;
}

const EXAMPLE = 'Exemplo';
const ASKED = 'O que cada coluna pede';
const LISTS = 'Listas';

/** `name`: of the sheet to be filled in. */
export async function formXlsx(
  name: string,
  columns: readonly FormColumn[],
  madeAt: EpochMs,
): Promise<ReadableStream<Uint8Array>> {
  const headings = columns.map(({ heading }) => heading);
  const marked = new Set(columns.keys().filter((at) => columns[at]?.isRequired));
  const long = columns.filter(({ choices }) => choices.length > 0 && inline(choices) === undefined);
  const others = [
    { name: EXAMPLE, text: await sheetText(headings, [columns.map(({ example }) => example)], { marked }) },
    { name: ASKED, text: await sheetText(ASKED_HEADINGS, columns.map(askedRow), { wraps: true }) },
    ...(long.length === 0 ? [] : [{ name: LISTS, isHidden: true, text: await listsText(long) }]),
  ];
  const parts = [
    ...partsAround(name, ...others),
    ...others.map(({ text }, at) => [sheetPart(at + 1), text] as const),
  ];
  const behind = validations(columns, long);
  return zipWith(parts, SHEET_PART, sheetXml(headings, [], { marked, behind }), madeAt);
}

/** Of a form that came back the sheet that was filled in: its example is nobody's record. */
export const filledIn = (tables: readonly Table[]): readonly Table[] =>
  tables[1]?.name === EXAMPLE && tables[2]?.name === ASKED ? tables.slice(0, 1) : tables;

/** A domain of the table may have thousands of values: others have their turn between the pieces. */
async function sheetText(...sheet: Parameters<typeof sheetXml>): Promise<string> {
  let text = '';
  for await (const piece of sheetXml(...sheet)) {
    text += piece;
    await endOfTurn();
  }
  return text;
}

const ASKED_HEADINGS = ['Coluna', 'É obrigatória?', 'O que aceita', 'O que é', 'Exemplo'];
const askedRow = ({ heading, need, form, about, example }: FormColumn) => [
  heading,
  need,
  form,
  about,
  example,
];

/** A column for each list. */
function listsText(long: readonly FormColumn[]): Promise<string> {
  const length = Math.max(...long.map(({ choices }) => choices.length));
  const rows = Array.from({ length }, (_, row) => long.map(({ choices }) => choices[row] ?? ''));
  return sheetText(
    long.map(({ heading }) => heading),
    rows,
  );
}

/** What a spreadsheet takes of them. */
const INLINE_MAX = 255;
const PROMPT_MAX = 255;
const TITLE_MAX = 32;

/** A short list stands where it is chosen from; its values cannot have what parts them. */
function inline(choices: readonly string[]): string | undefined {
  const text = choices.join(',');
  return text.length > INLINE_MAX || choices.some((one) => /[,"]/.test(one)) ? undefined : `"${text}"`;
}

function validations(columns: readonly FormColumn[], long: readonly FormColumn[]): string {
  const all = columns.map((column, at) => {
    const { heading, need, form, about, choices, takesMany } = column;
    const place = `${columnLetters(at)}2:${columnLetters(at)}${SHEET_LIMITS.maxRows}`;
    const prompt = `showInputMessage="1" promptTitle="${attribute(heading, TITLE_MAX)}" prompt="${attribute(`${need}. ${form} ${about}`, PROMPT_MAX)}"`;
    if (choices.length === 0) return `<dataValidation allowBlank="1" ${prompt} sqref="${place}"/>`;
    const letters = columnLetters(long.indexOf(column));
    const list = inline(choices) ?? `${LISTS}!$${letters}$2:$${letters}$${choices.length + 1}`;
    // A code without its words is taken too, and so are several values: nobody is kept from writing them.
    const error = takesMany
      ? ''
      : ' showErrorMessage="1" errorStyle="warning" error="Este valor não está na lista."';
    return `<dataValidation type="list" allowBlank="1"${error} ${prompt} sqref="${place}"><formula1>${escaped(list)}</formula1></dataValidation>`;
  });
  return `<dataValidations count="${all.length}">${all.join('')}</dataValidations>`;
}

/** On one line, cut where it is too long. */
function attribute(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return escaped(line.length > max ? `${line.slice(0, max - 1)}…`.toWellFormed() : line);
}
