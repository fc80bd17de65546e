/** Text of a row: the parsed part of the file and, if it differs, the original part. */
import type { AttributeDetail, NcmPairs, Pair } from '../words/model.ts';

/** JSON text has no raw line break, so one separates the parsed text from the original. */
const BEFORE_AS_WRITTEN = '\n';

/** Joins the parsed part, as JSON text, and the original part with all its members. */
export const withAsWritten = (read: string, written: unknown): string => {
  const text = JSON.stringify(written);
  return text === read ? read : `${read}${BEFORE_AS_WRITTEN}${text}`;
};

const asRead = (text: string): string => {
  const end = text.indexOf(BEFORE_AS_WRITTEN);
  return end === -1 ? text : text.slice(0, end);
};

/** Returns the original part; rows from earlier versions of this product have only the parsed one. */
export const asWritten = (text: string): string => text.slice(text.indexOf(BEFORE_AS_WRITTEN) + 1);

/** Returns the parsed part of a text, as SQL. */
export const READ_OF = (text: string): string =>
  `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`;

// The texts were written from these types (rows.ts).
/** Returns the parsed pairs of an NCM. */
export const toNcm = (codigoNcm: string, pairs: string): NcmPairs => ({
  codigoNcm,
  listaAtributos: JSON.parse(asRead(pairs)) as Pair[],
});
/** Returns a parsed attribute. */
export const toDetail = (detail: string): AttributeDetail => JSON.parse(asRead(detail)) as AttributeDetail;
