/** Text of a row: the parsed part of the file and, if it differs, the original part. */
import type { AttributeDetail, NcmPairs, Pair } from '../words/model.ts';

/** JSON text has no raw line break, so one separates the parsed text from the original. */
const SEPARATOR = '\n';

/** Joins the parsed part, as JSON text, and the original part with all its members. */
export const withOriginal = (read: string, written: unknown): string => {
  const text = JSON.stringify(written);
  return text === read ? read : `${read}${SEPARATOR}${text}`;
};

const parsedPart = (text: string): string => {
  const end = text.indexOf(SEPARATOR);
  return end === -1 ? text : text.slice(0, end);
};

/** Returns the original part; rows from earlier versions of this product have only the parsed one. */
export const originalText = (text: string): string => text.slice(text.indexOf(SEPARATOR) + 1);

/** Returns the parsed part of a text, as SQL. */
export const PARSED_PART = (text: string): string =>
  `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`;

// The texts were written from these types (rows.ts).
/** Returns the parsed pairs of an NCM. */
export const toNcm = (codigoNcm: string, pairs: string): NcmPairs => ({
  codigoNcm,
  listaAtributos: JSON.parse(parsedPart(pairs)) as Pair[],
});
/** Returns a parsed attribute. */
export const toDetail = (detail: string): AttributeDetail =>
  JSON.parse(parsedPart(detail)) as AttributeDetail;
