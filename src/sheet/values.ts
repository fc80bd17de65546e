/**
 * Converts the text of a cell to the form that the service accepts, or explains why it is unclear (contract
 * section 24).
 */
import { isDay } from '../validation/calendar.ts';
import { formatValue } from '../validation/format-value.ts';
import { type Cell, displayedText } from './cell.ts';
import { word } from './words.ts';

/** The result of reading a cell. The texts of `problem` and `notice` follow the name of the column. */
export type Reading =
  | { readonly value: string; readonly notice?: string; readonly problem?: never }
  | { readonly problem: string; readonly value?: never };

export type ReadCell = (cell: Cell) => Reading;

/** Reads a free text as displayed, with its blanks. Refuses a day, because it may have been another text. */
export const asText: ReadCell = (cell) =>
  cell.from === 'day'
    ? {
        problem: `recebida a data ${displayedText(cell)}; aceita um texto. Formate a coluna como texto e escreva-o de novo.`,
      }
    : { value: displayedText(cell) };

const YES = new Set(['sim', 's', 'true', 'verdadeiro', 'v', '1', 'x', 'yes', 'y']);
const NO = new Set(['nao', 'n', 'false', 'falso', 'f', '0', 'no']);

export const asBoolean: ReadCell = (cell) => {
  const answer = word(displayedText(cell));
  if (YES.has(answer)) return { value: 'true' };
  return NO.has(answer)
    ? { value: 'false' }
    : { problem: `recebido ${formatValue(displayedText(cell))}; aceita Sim ou Não.` };
};

const MIDNIGHT = /[ T]0?0:00(?::00(?:\.0+)?)?(?:Z|-03:00)?$/;

/** Reads a day as people, ERPs and spreadsheets write it. Ignores midnight after it. */
export const asDay: ReadCell = (cell) => {
  const day = parseDay(
    cell.from === 'moment' ? cell.text.slice(0, 10) : cell.text.trim().replace(MIDNIGHT, ''),
  );
  return day === undefined
    ? { problem: `recebido ${formatValue(displayedText(cell))}; aceita uma data existente, dd/mm/aaaa.` }
    : { value: day };
};

export const asMoment: ReadCell = (cell) => {
  const [, day = '', hour = '00', minutes = '00', seconds = '00'] =
    /^(\S+?)(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(cell.text.trim()) ?? [];
  const written = parseDay(day);
  return written === undefined
    ? { problem: `recebido ${formatValue(displayedText(cell))}; aceita data e hora, dd/mm/aaaa hh:mm.` }
    : { value: `${written}T${hour.padStart(2, '0')}:${minutes}:${seconds}` };
};

const MONTHS = ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'];

/**
 * Reads `05/03/2024`, `05-03-24`, `05/mar/2024`, `2024-03-05`, `2024/03/05`, `20240305`.
 * `undefined`: no day.
 */
function parseDay(text: string): string | undefined {
  const iso = /^(\d{4})(?:-?|\/)(\d{2})(?:-?|\/)(\d{2})$/.exec(text);
  const [, day = '', month = '', year = ''] =
    iso === null
      ? (/^(\d{1,2})[/. -](\d{1,2}|[a-zç]{3,9})\.?[/. -](\d{4}|\d{2})$/i.exec(text) ?? [])
      : [iso[0], iso[3], iso[2], iso[1]];
  const number = /^\d/.test(month) ? month : String(MONTHS.indexOf(word(month).slice(0, 3)) + 1);
  const written = `${year.length === 2 ? `20${year}` : year}-${number.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(written) ? written : undefined;
}

const ambiguous = (text: string): Reading => ({
  problem: `recebido ${formatValue(text)}, que tanto pode ser milhar como decimal; escreva ${formatValue(text.replace('.', ''))} ou ${formatValue(text.replace('.', ','))}.`,
});
/** A number whose point may separate thousands or decimals. No group of thousands begins with 0. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;
export const isAmbiguousNumber = (text: string): boolean => AMBIGUOUS.test(text.trim());

/** The sign between the whole and the decimals of a number. */
export type DecimalSign = '.' | ',';

/** Returns an ambiguous number in the form that has one meaning. */
export const withDecimalSign = (text: string, sign: DecimalSign): string =>
  sign === ','
    ? text.trim().replace('.', '')
    : text
        .trim()
        .replace('.', ',')
        .replace(/,?0{1,3}$/, '');

const THOUSANDS = /^-?[1-9]\d{0,2}(?:\.\d{3}){2,}$/;

/** Returns true if the displayed form is this number, with fewer decimals at most. */
function showsNumber(form: string, digits: string): boolean {
  const trimmed = form.replaceAll(/\s/g, '').replace(/^\((.+)\)$/, '-$1');
  const [, number = '', exponent = '0'] =
    /^([-+]?\d[\d.]*(?:,\d+)?)(?:E([-+]?\d{1,3}))?$/i.exec(trimmed) ?? [];
  if (number === '') return false;
  const [integerPart = '', decimals = ''] = number.replaceAll('.', '').split(',');
  const unit = 10 ** (Number(exponent) - decimals.length);
  return Math.abs(Number(integerPart + decimals) * unit - Number(digits)) <= unit * 0.500001;
}

/** Reads a cell that the spreadsheet does not store as text. `undefined`: it is a text. */
function readNumberCell(cell: Cell): Reading | undefined {
  const { text, from, displayText: form } = cell;
  if (from === 'text') return undefined;
  if (from === 'number' && (form === undefined || showsNumber(form, text))) return { value: text.trim() };
  const storedNumber = from === 'number' || from === 'time' ? ` (por trás, ${text.replace('.', ',')})` : '';
  return {
    problem: `recebido ${formatValue(displayedText(cell))}${storedNumber}; aceita um número. Escreva-o sem %, unidade, data ou hora.`,
  };
}

/** Refuses a text with other signs than a number has: a percentage, a unit, a currency. */
const numberOnly = (text: string, value: string): Reading =>
  /^[-+]?[\d.,]+$/.test(text)
    ? { value }
    : {
        problem: `recebido ${formatValue(text)}; aceita um número. Escreva-o sem %, unidade, moeda, data ou hora.`,
      };

/** A whole number that a program wrote with decimals. Three of them may be thousands. */
const WITHOUT_DECIMALS = /^(-?\d+)[.,]0{1,2}$/;

export const asInteger: ReadCell = (cell) => {
  const number = readNumberCell(cell);
  if (number !== undefined) return number;
  const trimmed = cell.text.trim();
  if (AMBIGUOUS.test(trimmed)) return ambiguous(trimmed);
  const integerPart = WITHOUT_DECIMALS.exec(trimmed)?.[1];
  if (integerPart !== undefined)
    return {
      value: integerPart,
      notice: `recebido ${formatValue(trimmed)}, lido como ${integerPart}: é um número inteiro.`,
    };
  return numberOnly(trimmed, THOUSANDS.test(trimmed) ? trimmed.replaceAll('.', '') : trimmed);
};

/** Reads `1.234,5` as Brazilian. A point that cannot separate thousands is a decimal point. */
export const asDecimal: ReadCell = (cell) => {
  const number = readNumberCell(cell);
  if (number !== undefined) return number;
  const trimmed = cell.text.trim();
  if (AMBIGUOUS.test(trimmed)) return ambiguous(trimmed);
  if (/^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(trimmed))
    return { value: trimmed.replaceAll('.', '').replace(',', '.') };
  return numberOnly(trimmed, THOUSANDS.test(trimmed) ? trimmed.replaceAll('.', '') : trimmed);
};

/** Number of digits that a spreadsheet stores; further digits become zeros. */
const DIGITS_STORED = 15;

/** `1,23E+05`, as a spreadsheet shows a number in a column that is too narrow. `3E4` may be a code. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;

/** Reads a code of any form. A value that a spreadsheet converted to a number may be incomplete. */
export const asCode: ReadCell = (cell) => {
  const { from } = cell;
  const convertedTo =
    CONVERTED_TO[from] ?? (from === 'number' && cell.displayText?.includes('%') ? 'uma porcentagem' : '');
  if (convertedTo !== '')
    return {
      problem: `recebido ${formatValue(displayedText(cell))}: a planilha fez do código ${convertedTo}; formate a coluna como texto e escreva-o de novo.`,
    };
  const written = codeText(cell).trim();
  const trimmed = visibleCode(written);
  if (trimmed === '' && written !== '')
    return {
      problem: `recebido ${formatValue(written)}, que só tem sinais que não se veem; escreva o código.`,
    };
  if (SCIENTIFIC.test(trimmed) || (from === 'number' && trimmed.length > DIGITS_STORED))
    return {
      problem: `recebido ${formatValue(trimmed)}: a planilha fez do código um número e lhe tirou algarismos; formate a coluna como texto e escreva-o de novo.`,
    };
  const integerPart = /^(\d+)[.,]0+$/.exec(trimmed)?.[1];
  if (integerPart === undefined && trimmed !== written)
    return {
      value: trimmed,
      notice: `recebido ${formatValue(written)}, lido como ${trimmed}: um apóstrofo no começo e sinais que não se veem não são do código.`,
    };
  return integerPart === undefined
    ? { value: trimmed }
    : {
        value: integerPart,
        notice: `recebido ${formatValue(trimmed)}, lido como ${integerPart}: a planilha fez do código um número.`,
      };
};

/** Types that a spreadsheet gives a code. */
const CONVERTED_TO: Partial<Record<Cell['from'], string>> = {
  day: 'uma data',
  moment: 'uma data',
  time: 'uma hora',
  boolean: 'um valor lógico',
};

/** Returns the digits of a code. If its format shows another text (`"PF-"0000`), returns that text. */
const codeText = (cell: Cell): string =>
  cell.displayText !== undefined && !showsNumber(cell.displayText, cell.text) ? cell.displayText : cell.text;

/** Characters that no screen shows: zero-width ones, a soft hyphen, marks of direction. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060\uFEFF]/g;
/** Blanks that do not break a line. They look like a blank. */
const FIXED_BLANKS = /[\u00A0\u2007\u202F]/g;

/**
 * Removes invisible characters from a code, and the apostrophe with which a spreadsheet or an ERP marks digits
 * as text. Otherwise two spellings of one code would be two records.
 */
const visibleCode = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(FIXED_BLANKS, ' ')
    .trim()
    .replace(/^'(?=[\p{L}\d])/u, '');

/**
 * Returns a reader for a code of digits, with or without its points.
 * `lengths`: the accepted lengths, shortest first.
 */
export const asDigits =
  (lengths: readonly number[]): ReadCell =>
  (cell) => {
    const read = asCode(cell);
    if (read.problem !== undefined) return read;
    const trimmed = read.value.replaceAll(/[.\-/\s]/g, '');
    if (!/^\d+$/.test(trimmed) || lengths.includes(trimmed.length))
      return { ...read, value: trimmed.toUpperCase() };
    const length = lengths.find((one) => trimmed.length === one - 1);
    if (length === undefined) return { ...read, value: trimmed };
    // A spreadsheet removes the leading zero of a number, which has no points. With points, another digit is
    // missing.
    if (trimmed !== read.value)
      return {
        problem: `recebido ${formatValue(displayedText(cell))}, com ${trimmed.length} algarismos; aceita ${lengths.join(' ou ')}. Escreva todos.`,
      };
    const integerPart = trimmed.padStart(length, '0');
    return {
      value: integerPart,
      notice: `recebido ${formatValue(displayedText(cell))}, lido como ${integerPart}: faltava o zero à esquerda.`,
    };
  };

const EIGHT_DIGITS = /(?<!\d)(\d{4})[. ]?(\d{2})[. ]?(\d{2})(?!\d)/g;

/** Reads an NCM as people write it: only digits, with points, or in a text (`7318.15.00 Ex 01`). */
export const asNcm: ReadCell = (cell) => {
  const text = displayedText(cell).trim();
  // The points show that the missing digit is the first one.
  if (/^\d{3}\.\d{2}\.\d{2}$/.test(text)) {
    const integerPart = `0${text.replaceAll('.', '')}`;
    return {
      value: integerPart,
      notice: `recebido ${formatValue(text)}, lido como ${integerPart}: faltava o zero à esquerda.`,
    };
  }
  const codes = /\p{L}/u.test(text) ? ncmsInText(text) : [];
  const [only] = codes;
  if (only === undefined) return asDigits([8])(cell);
  return codes.length === 1
    ? { value: only, notice: `recebido ${formatValue(text)}, lido como ${only}; o resto do texto não entra.` }
    : { problem: `recebido ${formatValue(text)}, com mais de uma NCM; aceita uma, de 8 algarismos.` };
};

const ncmsInText = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(EIGHT_DIGITS)].map(([, ...groups]) => groups.join(''))),
];

/**
 * Returns a reader for one of some values, by value or by one of its words. The first word of each value is
 * the displayed one.
 */
export function asOneOf(values: Readonly<Record<string, readonly string[]>>): ReadCell {
  // Built with the first cell: most starts read no spreadsheet.
  let valueOfWord: ReadonlyMap<string, string> | undefined;
  const accepted = Object.values(values).map(([first = '']) => first);
  return (cell) => {
    const text = displayedText(cell);
    valueOfWord ??= new Map(
      Object.entries(values).flatMap(([value, others]) =>
        [value, ...others].map((one): [string, string] => [word(one), value]),
      ),
    );
    const value = valueOfWord.get(word(text));
    return value === undefined
      ? { problem: `recebido ${formatValue(text)}; aceita ${accepted.join(', ')}.` }
      : { value };
  };
}

/**
 * Splits a cell into values at `|` or line breaks. `\|`, `\\`, `\;` and `\n` stand for the character itself.
 */
export const partsOf = (text: string): readonly string[] => splitBy(text, '|');

/** Splits a cell into codes, also at `;`. */
export const codesOf = (text: string): readonly string[] => splitBy(text, '|;');

function splitBy(text: string, signs: string): readonly string[] {
  const parts: string[] = [''];
  for (const [sign] of text.matchAll(/\\[|\\;n]|\r?\n|[^]/g)) {
    if (signs.includes(sign) || /^\r?\n$/.test(sign)) parts.push('');
    else parts[parts.length - 1] += sign === '\\n' ? '\n' : sign.length === 2 ? sign.slice(1) : sign;
  }
  return parts.map((part) => part.trim());
}
