/** The words of one text, asked of products wherever they may stand: name, codes, the first digits of an NCM (contract section 25). */
import { folded } from '../validation/text.ts';

export interface AskedWord {
  /** As names are folded. */
  readonly word: string;
  /** As it stands in the JSON of codes. */
  readonly code: string;
  /** The first digits of an NCM; else nothing that one begins with. */
  readonly digits: string;
}

/** No NCM begins with it. */
const NO_NCM = '-';

export const askedWords = (text: string): readonly AskedWord[] =>
  folded(text)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      word,
      code: JSON.stringify(word).slice(1, -1),
      digits: /^\d[\d.]*$/.test(word) ? word.replaceAll('.', '') : NO_NCM,
    }));

/** Words that stand in whatever holds them as they are, so that it has their trigrams; an NCM is also asked for with its dots. */
export const wordsAsTheyAre = (words: readonly AskedWord[]): readonly string[] =>
  words
    .filter(({ word, code, digits }) => code === word && (digits === NO_NCM || digits === word))
    .map(({ word }) => word);

/** Codes have no folded column, and SQLite's `lower` knows ASCII alone: what has other letters is folded by us, few as it is. */
export const foldedCode = (column: string): string =>
  `CASE WHEN length(${column}) < octet_length(${column}) THEN folded(${column}) ELSE lower(${column}) END`;

/** What is asked of a row `t`; where the parameters have no names they stand in the order word, code, word, digits, digits. */
export const hasWord = (
  t: string,
  { name, codigo }: { readonly name: string; readonly codigo: string },
  { word, code, digits }: AskedWord = { word: '?', code: '?', digits: '?' },
): string =>
  `(instr(${name}, ${word}) > 0 OR instr(${foldedCode(`${t}.codigos_interno`)}, ${code}) > 0
     OR instr(${codigo}, ${word}) > 0 OR substr(${t}.ncm, 1, length(${digits})) = ${digits})`;
