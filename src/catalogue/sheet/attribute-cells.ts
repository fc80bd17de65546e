/** The value of an attribute as people write it in a cell (contract section 24). */
import { seenText } from '../../sheet/cell.ts';
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
import { shown } from '../../validation/shown.ts';
import type { AttributeDetail } from '../attribute/words/model.ts';

const FORMS: Readonly<Record<string, ReadCell>> = {
  BOOLEANO: asBoolean,
  DATA: asDay,
  DATA_HORA: asMoment,
  NUMERO_INTEIRO: asInteger,
  NUMERO_REAL: asDecimal,
};

/** Without a table nothing is known of it: a text stays as it is. */
export const readerOf = (detail: AttributeDetail | undefined): ReadCell => {
  if (detail === undefined) return asText;
  const { formaPreenchimento, dominio } = detail;
  return FORMS[formaPreenchimento] ?? (dominio.length > 0 ? domainReader(detail) : asText);
};

const readers = new WeakMap<AttributeDetail, ReadCell>();

function domainReader(detail: AttributeDetail): ReadCell {
  const known = readers.get(detail);
  if (known !== undefined) return known;
  const codes = codesIn(detail);
  const meant = new Map<string, Set<string>>();
  for (const { codigo, descricao } of detail.dominio)
    for (const said of [withoutZeros(codigo), word(descricao), word(`${codigo} ${descricao}`)])
      meant.set(said, (meant.get(said) ?? new Set()).add(codigo));
  const made: ReadCell = (cell) => {
    const text = seenText(cell);
    const bare = text.trim();
    if (codes.has(bare)) return { value: bare };
    const found = meant.get(withoutZeros(bare)) ?? meant.get(word(bare)) ?? new Set();
    const [first = bare] = found;
    // What is none of them is refused by the rules, with all that are.
    return found.size < 2
      ? { value: first }
      : {
          problem: `recebido ${shown(text)}, que é o nome de ${[...found].join(' e de ')}; escreva o código.`,
        };
  };
  readers.set(detail, made);
  return made;
}

/** Signs that may part the values of a domain in one cell. */
const SIGNS = /\s*[/,;]\s*|\s+e\s+/giu;

/** A cell with more signs is a text. */
const SIGNS_MAX = 200;

/**
 * The values of a domain in a text such as `Merlot / Tannat`, the longest ones first: a value may hold a sign in its own
 * words. A text of which any part is no value stays whole.
 */
export function domainParts(detail: AttributeDetail | undefined, text: string): readonly string[] {
  if (detail === undefined || detail.dominio.length === 0) return [text];
  const read = readerOf(detail);
  const codes = codesIn(detail);
  const isValue = (part: string): boolean => {
    const { value } = read({ text: part, from: 'text' });
    return value !== undefined && codes.has(value);
  };
  const marks = [...text.matchAll(SIGNS)].map(({ index, 0: sign }) => ({
    from: index,
    to: index + sign.length,
  }));
  if (marks.length === 0 || marks.length > SIGNS_MAX || isValue(text)) return [text];
  const starts = [0, ...marks.map(({ to }) => to)];
  const ends = [...marks.map(({ from }) => from), text.length];
  /** For each start the values from it on to the end; `undefined`: they are none. */
  const rests: (readonly string[] | undefined)[] = Array.from({ length: starts.length });
  rests.push([]);
  for (let at = starts.length - 1; at >= 0; at -= 1)
    for (let last = starts.length - 1; last >= at && rests[at] === undefined; last -= 1) {
      const rest = rests[last + 1];
      const part = text.slice(starts[at], ends[last]).trim();
      if (rest !== undefined && isValue(part)) rests[at] = [part, ...rest];
    }
  return rests[0] ?? [text];
}

const domains = new WeakMap<AttributeDetail, ReadonlySet<string>>();

function codesIn(detail: AttributeDetail): ReadonlySet<string> {
  const codes = domains.get(detail) ?? new Set(detail.dominio.map(({ codigo }) => codigo));
  domains.set(detail, codes);
  return codes;
}

const withoutZeros = (code: string): string => code.replace(/^0+(?=.)/, '').toLowerCase();
