/** What the format of a number makes of it: a day, a moment, a code with its zeros, or a number. */
import type { Cell } from '../cell.ts';

export type NumberFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  /** Digits that are always shown, in their order with what stands between them: `0000"."00"."00`. */
  | { readonly kind: 'zeros'; readonly tokens: readonly string[] };

export const PLAIN: NumberFormat = { kind: 'plain' };

/** The formats that a file does not write out. */
const BUILT_IN_DATES: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

export const builtInFormat = (id: number): NumberFormat =>
  BUILT_IN_DATES.some(([first, last]) => id >= first && id <= last) ? { kind: 'date' } : PLAIN;

/** Signs of a format that a spreadsheet takes; a longer one counts as General (contract section 24). */
const MAX_FORMAT = 255;

export function numberFormatOf(code: string): NumberFormat {
  if (code.length > MAX_FORMAT) return PLAIN;
  const [positive = ''] = withoutBrackets(code).split(';', 1);
  if (/[dmyhs]/i.test(positive.replaceAll(/"[^"]*"|\\.|_./g, ''))) return { kind: 'date' };
  const tokens = [...positive.matchAll(/"([^"]*)"|\\(.)|([-/ ()0])|(.)/gs)].map(
    ([, quoted, escaped, plain, other]) =>
      other === undefined ? (quoted ?? escaped ?? plain ?? '') : undefined,
  );
  const shown = tokens.filter((token) => token !== undefined);
  const zeros = shown.filter((token) => token === '0').length;
  return shown.length === tokens.length && zeros > 1 ? { kind: 'zeros', tokens: shown } : PLAIN;
}

/** `[$-416]` is a language, `[Red]` a colour, `[>5]` a condition; only `[h]` counts hours on. */
const withoutBrackets = (code: string): string =>
  code
    .split('[')
    .map((part, at) => (at === 0 || /^[hms]+\]/i.test(part) ? part : part.slice(part.indexOf(']') + 1)))
    .join('');

/** Digits of a number that a spreadsheet can tell apart. */
const SIGNIFICANT_DIGITS = 15;

/** A number of a file as a cell. `daysBefore`: how many days lie between day 0 of the file and 1970-01-01. */
export function numberCell(written: string, format: NumberFormat, daysBefore: number): Cell {
  const text = plainDigits(written);
  if (format.kind === 'date') return dateCell(Number(written), daysBefore) ?? { text, from: 'number' };
  return { text: format.kind === 'zeros' ? withZeros(text, format.tokens) : text, from: 'number' };
}

/** `12.300000000000001` is 12.3, and `1.2E-5` is written out; the digits of a long code stay as they are. */
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
/** 9999-12-31, of the longer count. */
const LAST_DAY = 2_958_465;

function dateCell(serial: number, daysBefore: number): Cell | undefined {
  if (!(serial >= 0 && serial <= LAST_DAY)) return undefined;
  // A spreadsheet takes 1900 for a leap year: before its 29th of February days are counted from one day later.
  const days = Math.floor(serial) + (serial < 60 && daysBefore === DAYS_BEFORE_1900 ? 1 : 0);
  const seconds = Math.round((serial - Math.floor(serial)) * DAY_SECONDS);
  const day = EPOCH.add({ days: days - daysBefore });
  if (seconds === 0) return { text: day.toString(), from: 'day' };
  return {
    text: day.toPlainDateTime().add({ seconds }).toString({ smallestUnit: 'second' }),
    from: 'moment',
  };
}

export const DAYS_BEFORE_1900 = 25_569;
export const DAYS_BEFORE_1904 = 24_107;
