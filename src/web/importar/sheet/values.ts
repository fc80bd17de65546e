/**
 * What people write in a cell, in the form that the service takes. Nothing is refused here: what is not understood goes on
 * as it is, and the service says what is wrong with it.
 */
import type { Cell } from './cell.ts';

export type ValueForm =
  'text' | 'boolean' | 'day' | 'moment' | 'integer' | 'decimal' | 'country' | 'situation';

/** Of a code with a fixed number of digits: a sheet that took it for a number has cut its zeros. */
export function codeOf({ text, from }: Cell, digits: readonly number[]): string {
  const bare = text.replaceAll(/[.\-/\s]/g, '');
  if (!/^\d+$/.test(bare)) return /^[\d.\-/\sA-Za-z]+$/.test(text) ? bare.toUpperCase() : text;
  const whole = from === 'number' ? text.replace(/\.0+$/, '') : bare;
  const length = digits.find((most) => whole.length <= most) ?? whole.length;
  return from === 'number' ? whole.padStart(length, '0') : whole;
}

export function valueOf(cell: Cell, form: ValueForm): string {
  switch (form) {
    case 'boolean':
      return booleanOf(cell.text);
    case 'day':
      return dayOf(cell.text);
    case 'moment':
      return momentOf(cell.text);
    case 'integer':
      return integerOf(cell);
    case 'decimal':
      return decimalOf(cell);
    case 'country':
      return countryOf(cell.text);
    case 'situation':
      return situationOf(cell.text);
    case 'text':
      return cell.text;
  }
}

const YES = new Set(['sim', 's', 'true', 'verdadeiro', 'v', '1', 'x', 'yes']);
const NO = new Set(['nao', 'n', 'false', 'falso', 'f', '0', 'no']);

export function booleanOf(text: string): string {
  const word = folded(text);
  if (YES.has(word)) return 'true';
  return NO.has(word) ? 'false' : text;
}

/** `31/12/2026`, `31-12-26`, `2026-12-31`. */
function dayOf(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/.exec(text) ?? [];
  if (year === '') return text.replace(/^(\d{4}-\d{2}-\d{2})T00:00:00(?:\.000)?Z?$/, '$1');
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function momentOf(text: string): string {
  const [, day = '', time = '', seconds = ':00'] = /^(\S+)[ T](\d{2}:\d{2})(:\d{2})?$/.exec(text) ?? [];
  return day === '' ? text : `${dayOf(day)}T${time}${seconds}`;
}

function integerOf({ text, from }: Cell): string {
  if (from === 'number') return text.replace(/\.0+$/, '');
  return /^-?\d{1,3}(?:\.\d{3})+$/.test(text) ? text.replaceAll('.', '') : text;
}

/** `1.234,5` is Brazilian; where there is no comma, a point of a text that does not part thousands is a decimal one. */
function decimalOf({ text, from }: Cell): string {
  if (from === 'number') return text;
  if (/^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(text)) return text.replaceAll('.', '').replace(',', '.');
  return /^-?\d{1,3}(?:\.\d{3}){2,}$/.test(text) ? text.replaceAll('.', '') : text;
}

function situationOf(text: string): string {
  const word = folded(text);
  return { ativo: 'ATIVADO', desativo: 'DESATIVADO', inativo: 'DESATIVADO' }[word] ?? text.toUpperCase();
}

let countries: ReadonlyMap<string, string> | undefined;

/** A code as it is; a name by what the browser calls the countries in Portuguese. */
function countryOf(text: string): string {
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase();
  countries ??= namesOfCountries();
  return countries.get(folded(text)) ?? text;
}

function namesOfCountries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('pt-BR', { type: 'region' });
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return new Map(
    codes.flatMap((code) => {
      const name = names.of(code);
      return name === undefined || name === code ? [] : [[folded(name), code] as const];
    }),
  );
}

/** Without case, accents and marks: how headings and words are compared. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** Several values in one cell. */
export const partsOf = (text: string): readonly string[] =>
  text
    .split(/[;|\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
