/** Formats a number of an XLSX: as a day, a moment, an hour, a code with its zeros, or a number. */
import { format, getFormatFromId, getFormatInfo, isValidFormat } from 'numfmt';
import type { Cell } from '../cell.ts';

export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' | 'time' | 'number'; readonly code: string }
  /** Digits that are always displayed, in order, with the texts between them: `0000"."00"."00`. */
  | { readonly kind: 'zeros'; readonly tokens: readonly string[] };

export const PLAIN: NumberFormat = { kind: 'plain' };

/** Date formats that a file does not contain, as a Portuguese spreadsheet shows them. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number, code: string])[] = [
  [14, 17, 'dd/mm/yyyy'],
  [22, 22, 'dd/mm/yyyy hh:mm'],
  [27, 36, 'dd/mm/yyyy'],
  [50, 58, 'dd/mm/yyyy'],
];

/** Returns the format of an id without a definition in the file. */
export function builtInFormat(id: number): NumberFormat {
  const [, , date] = BUILT_IN_DATES.find(([first, last]) => id >= first && id <= last) ?? [];
  if (date !== undefined) return { kind: 'date', code: date };
  const code = getFormatFromId(id);
  return code === null ? PLAIN : numberFormatOf(code);
}

/** Maximum characters of a format in a spreadsheet. A longer one counts as General (contract section 24). */
const MAX_FORMAT = 255;

export function numberFormatOf(code: string): NumberFormat {
  if (code.length > MAX_FORMAT || !isValidFormat(code)) return PLAIN;
  const { isDate, type } = getFormatInfo(code);
  if (isDate) return { kind: type === 'time' ? 'time' : 'date', code };
  return zerosOf(code) ?? (PLAIN_CODES.has(code.toLowerCase()) ? PLAIN : { kind: 'number', code });
}

/** Formats that show a number unchanged. */
const PLAIN_CODES = new Set(['general', '@']);

function zerosOf(code: string): NumberFormat | undefined {
  const [positive = ''] = withoutBrackets(code).split(';', 1);
  const tokens = [...positive.matchAll(/"([^"]*)"|\\(.)|([-/ ()0])|(.)/gs)].map(
    ([, quoted, escaped, plain, other]) =>
      other === undefined ? (quoted ?? escaped ?? plain ?? '') : undefined,
  );
  const visible = tokens.filter((token) => token !== undefined);
  const zeros = visible.filter((token) => token === '0').length;
  const hasWords = visible.some((token) => /[\p{L}%]/u.test(token));
  return visible.length === tokens.length && zeros > 1 && !hasWords
    ? { kind: 'zeros', tokens: visible }
    : undefined;
}

/** Removes brackets: `[$-416]` is a language, `[Red]` a colour, `[>5]` a condition. */
const withoutBrackets = (code: string): string =>
  code
    .split('[')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(']') + 1)))
    .join('');

/** Digits of a number that a spreadsheet distinguishes. */
const SIGNIFICANT_DIGITS = 15;

/**
 * Returns a number of a file as a cell. `daysBefore`: days between day 0 of the file and 1970-01-01.
 * `undefined`: its format shows no character (`;;;`, or a zero in `0;-0;`), so that people see an empty cell.
 */
export function numberCell(
  written: string,
  numberFormat: NumberFormat,
  daysBefore: number,
): Cell | undefined {
  const text = plainDigits(written);
  switch (numberFormat.kind) {
    case 'plain':
      return { text, from: 'number' };
    case 'zeros':
      return { text: withZeros(text, numberFormat.tokens), from: 'number' };
    case 'date':
      return dateCell(Number(written), daysBefore, numberFormat.code) ?? { text, from: 'number' };
    case 'time':
      return { text, from: 'time', displayText: displayedBy(numberFormat.code, Number(written)) };
    default: {
      if (showsWhole(numberFormat.code, text)) return { text, from: 'number' };
      const displayText = displayedBy(numberFormat.code, Number(written));
      if (displayText === '') return undefined;
      return { text, from: 'number', ...(displayText !== text.replace('.', ',') && { displayText }) };
    }
  }
}

/** Returns true for a whole number that its format shows unchanged. `#` shows no digit for a zero. */
const showsWhole = (code: string, text: string): boolean =>
  (code === '0' && /^\d+$/.test(text)) || (code === '#' && /^[1-9]\d*$/.test(text));

/** Blanks at the ends, and `####` for an overflow, belong to the column and not to the value. */
const displayedBy = (code: string, value: number): string =>
  format(code, value, { locale: 'pt-BR', throws: false, nbsp: false }).trim();

/**
 * Returns the digits: 12.3 for `12.300000000000001`, and `1.2E-5` written out. The digits of a long code
 * stay.
 */
function plainDigits(written: string): string {
  if (/^-?\d+$/.test(written)) return written;
  const value = Number(written);
  if (!Number.isFinite(value)) return written;
  const rounded = Number(value.toPrecision(SIGNIFICANT_DIGITS));
  const text = String(rounded);
  return /e/.test(text)
    ? rounded.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}

function withZeros(text: string, tokens: readonly string[]): string {
  if (!/^\d+$/.test(text)) return text;
  const places = tokens.filter((token) => token === '0').length;
  const digits = text.padStart(places, '0');
  let next = digits.length - places;
  return digits.slice(0, next) + tokens.map((token) => (token === '0' ? digits[next++] : token)).join('');
}

const DAY_SECONDS = 24 * 60 * 60;
const EPOCH = Temporal.PlainDate.from('1970-01-01');
/** 9999-12-31, in the count with the larger day numbers. */
const LAST_DAY = 2_958_465;

function dateCell(serial: number, daysBefore: number, code: string): Cell | undefined {
  if (!(serial >= 0 && serial <= LAST_DAY)) return undefined;
  // A spreadsheet treats 1900 as a leap year. Before its 29th of February, the count starts one day later.
  const days = Math.floor(serial) + (serial < 60 && daysBefore === DAYS_BEFORE_1900 ? 1 : 0);
  const seconds = Math.round((serial - Math.floor(serial)) * DAY_SECONDS);
  const day = EPOCH.add({ days: days - daysBefore });
  if (seconds === 0) return { text: day.toString(), from: 'day' };
  return {
    text: day.toPlainDateTime().add({ seconds }).toString({ smallestUnit: 'second' }),
    from: 'moment',
    displayText: displayedBy(code, serial + DAYS_BEFORE_1900 - daysBefore),
  };
}

export const DAYS_BEFORE_1900 = 25_569;
export const DAYS_BEFORE_1904 = 24_107;
