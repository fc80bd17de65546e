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
  const codes = new Set(detail.dominio.map(({ codigo }) => codigo));
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

const withoutZeros = (code: string): string => code.replace(/^0+(?=.)/, '').toLowerCase();
