/** What people write in a cell, in the form that the service takes, or why it cannot be told (contract section 24). */
import { isDay } from '../validation/calendar.ts';
import { shown } from '../validation/shown.ts';
import type { Cell } from './cell.ts';
import { word } from './words.ts';

/** What a cell says; `problem` and `notice` are told behind the column's name. */
export type Reading =
  | { readonly value: string; readonly notice?: string; readonly problem?: never }
  | { readonly problem: string; readonly value?: never };

export type ReadCell = (cell: Cell) => Reading;

/** A free text, as it stands: its blanks are its own. */
export const asText: ReadCell = ({ text }) => ({ value: text });

const YES = new Set(['sim', 's', 'true', 'verdadeiro', 'v', '1', 'x', 'yes', 'y']);
const NO = new Set(['nao', 'n', 'false', 'falso', 'f', '0', 'no']);

export const asBoolean: ReadCell = ({ text }) => {
  const said = word(text);
  if (YES.has(said)) return { value: 'true' };
  return NO.has(said) ? { value: 'false' } : { problem: `recebido ${shown(text)}; aceita Sim ou Não.` };
};

/** `31/12/2026`, `31-12-26`, `2026-12-31`, and a spreadsheet's own day. */
export const asDay: ReadCell = ({ text, from }) => {
  const day = dayIn(from === 'moment' ? text.slice(0, 10) : text.trim());
  return day === undefined
    ? { problem: `recebido ${shown(text)}; aceita uma data existente, dd/mm/aaaa.` }
    : { value: day };
};

export const asMoment: ReadCell = ({ text }) => {
  const [, day = '', hour = '00', minutes = '00', seconds = '00'] =
    /^(\S+?)(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim()) ?? [];
  const found = dayIn(day);
  return found === undefined
    ? { problem: `recebido ${shown(text)}; aceita data e hora, dd/mm/aaaa hh:mm.` }
    : { value: `${found}T${hour.padStart(2, '0')}:${minutes}:${seconds}` };
};

function dayIn(text: string): string | undefined {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text) ?? [];
  const iso =
    year === ''
      ? text.replace(/T00:00:00(?:\.000)?(?:Z|-03:00)?$/, '')
      : `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(iso) ? iso : undefined;
}

const ambiguous = (text: string): Reading => ({
  problem: `recebido ${shown(text)}, que tanto pode ser milhar como decimal; escreva ${shown(text.replace('.', ''))} ou ${shown(text.replace('.', ','))}.`,
});
const AMBIGUOUS = /^-?\d{1,3}\.\d{3}$/;
const THOUSANDS = /^-?\d{1,3}(?:\.\d{3}){2,}$/;

export const asInteger: ReadCell = ({ text, from }) => {
  const bare = text.trim();
  if (from === 'number') return { value: bare };
  if (AMBIGUOUS.test(bare)) return ambiguous(bare);
  return { value: THOUSANDS.test(bare) ? bare.replaceAll('.', '') : bare };
};

/** `1.234,5` is Brazilian; a point that cannot part thousands is a decimal one. */
export const asDecimal: ReadCell = ({ text, from }) => {
  const bare = text.trim();
  if (from === 'number') return { value: bare };
  if (AMBIGUOUS.test(bare)) return ambiguous(bare);
  if (/^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(bare))
    return { value: bare.replaceAll('.', '').replace(',', '.') };
  return { value: THOUSANDS.test(bare) ? bare.replaceAll('.', '') : bare };
};

/** Digits of which a spreadsheet keeps as many as it was given. */
const DIGITS_KEPT = 15;

/** `1,23E+05`, as a spreadsheet shows a number that its column is too narrow for: `3E4` is somebody's code. */
const SCIENTIFIC = /^\d(?:[.,]\d+)?E[+-]\d{2,3}$/i;

/** A code, however it is made up: what a spreadsheet took for a number may have lost something. */
export const asCode: ReadCell = ({ text, from }) => {
  const bare = text.trim();
  if (from === 'day' || from === 'moment')
    return {
      problem: `recebida a data ${shown(bare)}: a planilha fez do código uma data; formate a coluna como texto e escreva-o de novo.`,
    };
  if (SCIENTIFIC.test(bare) || (from === 'number' && bare.length > DIGITS_KEPT))
    return {
      problem: `recebido ${shown(bare)}: a planilha fez do código um número e lhe tirou algarismos; formate a coluna como texto e escreva-o de novo.`,
    };
  const whole = /^(\d+)[.,]0+$/.exec(bare)?.[1];
  return whole === undefined
    ? { value: bare }
    : {
        value: whole,
        notice: `recebido ${shown(bare)}, lido como ${whole}: a planilha fez do código um número.`,
      };
};

/** A code of digits, with or without its points; `lengths`: how many it may have, the shortest first. */
export const asDigits =
  (lengths: readonly number[]): ReadCell =>
  (cell) => {
    const read = asCode(cell);
    if (read.problem !== undefined) return read;
    const bare = read.value.replaceAll(/[.\-/\s]/g, '');
    if (!/^\d+$/.test(bare) || lengths.includes(bare.length)) return { ...read, value: bare.toUpperCase() };
    const length = lengths.find((one) => bare.length === one - 1);
    if (length === undefined) return { ...read, value: bare };
    // A spreadsheet takes the zero in front away from a number, which has no points: among them another digit was left out.
    if (bare !== read.value)
      return {
        problem: `recebido ${shown(cell.text)}, com ${bare.length} algarismos; aceita ${lengths.join(' ou ')}. Escreva todos.`,
      };
    const whole = bare.padStart(length, '0');
    return {
      value: whole,
      notice: `recebido ${shown(cell.text)}, lido como ${whole}: faltava o zero à esquerda.`,
    };
  };

/** One of some values by itself or by one of its words; the first of each is the one that is shown. */
export function asOneOf(values: Readonly<Record<string, readonly string[]>>): ReadCell {
  const meant = new Map(
    Object.entries(values).flatMap(([value, others]) => [value, ...others].map((one) => [word(one), value])),
  );
  const accepted = Object.values(values).map(([first = '']) => first);
  return ({ text }) => {
    const value = meant.get(word(text));
    return value === undefined
      ? { problem: `recebido ${shown(text)}; aceita ${accepted.join(', ')}.` }
      : { value };
  };
}

/** Several values in one cell: parted by `|` or line breaks; `\|`, `\\` and `\n` stand for the sign itself. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [''];
  for (const [sign] of text.matchAll(/\\[|\\n]|\r?\n|[^]/g)) {
    if (sign === '|' || sign.endsWith('\n')) parts.push('');
    else parts[parts.length - 1] += sign === '\\n' ? '\n' : sign.length === 2 ? sign.slice(1) : sign;
  }
  return parts.map((part) => part.trim());
}
