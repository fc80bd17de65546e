/** The text of a row: what was read of a part of the file and, where it differs, that part as the file has it. */
import type { AttributeDetail, NcmPairs, Pair } from '../words/model.ts';

/** JSON has no line break of its own, so one parts what was read of the file from what the file says. */
const BEFORE_AS_WRITTEN = '\n';

/** What was read of a part of the file, as JSON text, and that part with every member that it has. */
export const withAsWritten = (read: string, written: unknown): string => {
  const text = JSON.stringify(written);
  return text === read ? read : `${read}${BEFORE_AS_WRITTEN}${text}`;
};

const asRead = (text: string): string => {
  const end = text.indexOf(BEFORE_AS_WRITTEN);
  return end === -1 ? text : text.slice(0, end);
};

/** What earlier versions of this product loaded has nothing but what was read. */
export const asWritten = (text: string): string => text.slice(text.indexOf(BEFORE_AS_WRITTEN) + 1);

/** What was read of a text, as SQL. */
export const READ_OF = (text: string): string =>
  `substr(${text}, 1, instr(${text} || char(10), char(10)) - 1)`;

// The texts were written from these very types (rows.ts).
/** The pairs of an NCM as they were read. */
export const toNcm = (codigoNcm: string, pairs: string): NcmPairs => ({
  codigoNcm,
  listaAtributos: JSON.parse(asRead(pairs)) as Pair[],
});
/** An attribute as it was read. */
export const toDetail = (detail: string): AttributeDetail => JSON.parse(asRead(detail)) as AttributeDetail;
