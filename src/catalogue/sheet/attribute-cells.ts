/** Reads the value of an attribute as people write it in a cell (contract section 24). */
import { displayedText } from '../../sheet/cell.ts';
import {
  type ReadCell,
  asBoolean,
  asDay,
  asDecimal,
  asInteger,
  asMoment,
  asText,
} from '../../sheet/values.ts';
import { word } from '../../sheet/words.ts';
import { formatValue } from '../../validation/format-value.ts';
import type { AttributeDetail } from '../attribute/words/model.ts';

const READERS: Readonly<Record<string, ReadCell>> = {
  BOOLEANO: asBoolean,
  DATA: asDay,
  DATA_HORA: asMoment,
  NUMERO_INTEIRO: asInteger,
  NUMERO_REAL: asDecimal,
};

/**
 * Returns the reader of an attribute. Without a table, nothing is known about it, so a text stays as
 * received.
 */
export const readerOf = (detail: AttributeDetail | undefined): ReadCell => {
  if (detail === undefined) return asText;
  const { formaPreenchimento, dominio } = detail;
  return READERS[formaPreenchimento] ?? (dominio.length > 0 ? domainReader(detail) : asText);
};

const readers = new WeakMap<AttributeDetail, ReadCell>();

function domainReader(detail: AttributeDetail): ReadCell {
  const cachedReader = readers.get(detail);
  if (cachedReader !== undefined) return cachedReader;
  const codes = codesIn(detail);
  const codesByLabel = new Map<string, Set<string>>();
  for (const { codigo, descricao } of detail.dominio)
    for (const label of [withoutZeros(codigo), word(descricao), word(`${codigo} ${descricao}`)])
      codesByLabel.set(label, (codesByLabel.get(label) ?? new Set()).add(codigo));
  const reader: ReadCell = (cell) => {
    const text = displayedText(cell);
    const trimmed = text.trim();
    if (codes.has(trimmed)) return { value: trimmed };
    const matches = codesByLabel.get(withoutZeros(trimmed)) ?? codesByLabel.get(word(trimmed)) ?? new Set();
    const [first = trimmed] = matches;
    // The rules refuse an unknown value, with all the others.
    return matches.size < 2
      ? { value: first }
      : {
          problem: `recebido ${formatValue(text)}, que é o nome de ${[...matches].join(' e de ')}; escreva o código.`,
        };
  };
  readers.set(detail, reader);
  return reader;
}

/** Separators of the values of a domain in one cell. */
const SEPARATORS = /[/,;]|(?<=\s)e(?=\s)/giu;

/** Maximum separators in a cell. A cell with more is a free text. */
const SEPARATORS_MAX = 200;

/**
 * Splits a text such as `Merlot / Tannat` into values of a domain, longest first, because a value may contain
 * a separator. Returns the whole text unless every part is a value.
 */
export function domainParts(detail: AttributeDetail | undefined, text: string): readonly string[] {
  if (detail === undefined || detail.dominio.length === 0) return [text];
  const read = readerOf(detail);
  const codes = codesIn(detail);
  const isValue = (part: string): boolean => {
    const { value } = read({ text: part, from: 'text' });
    return value !== undefined && codes.has(value);
  };
  const separators = [...text.matchAll(SEPARATORS)].map(({ index, 0: sign }) => ({
    from: index,
    to: index + sign.length,
  }));
  if (separators.length === 0 || separators.length > SEPARATORS_MAX || isValue(text)) return [text];
  const starts = [0, ...separators.map(({ to }) => to)];
  const ends = [...separators.map(({ from }) => from), text.length];
  /** The values from each start to the end. `undefined`: the text after the start is no list of values. */
  const valuesFrom: (readonly string[] | undefined)[] = Array.from({ length: starts.length });
  valuesFrom.push([]);
  for (let start = starts.length - 1; start >= 0; start -= 1)
    for (let last = starts.length - 1; last >= start && valuesFrom[start] === undefined; last -= 1) {
      const rest = valuesFrom[last + 1];
      const part = text.slice(starts[start], ends[last]).trim();
      if (rest !== undefined && isValue(part)) valuesFrom[start] = [part, ...rest];
    }
  return valuesFrom[0] ?? [text];
}

const domains = new WeakMap<AttributeDetail, ReadonlySet<string>>();

function codesIn(detail: AttributeDetail): ReadonlySet<string> {
  const codes = domains.get(detail) ?? new Set(detail.dominio.map(({ codigo }) => codigo));
  domains.set(detail, codes);
  return codes;
}

const withoutZeros = (code: string): string => code.replace(/^0+(?=.)/, '').toLowerCase();
