/**
 * Searches products and operators for the words of a text in all places: name, codes, the first digits of an NCM
 * (contract section 25).
 */
import { folded } from '../validation/text.ts';

export interface SearchWord {
  /** Folded like names. */
  readonly word: string;
  /** Spelling in the JSON of codes. */
  readonly code: string;
  /** First digits of an NCM; else a text that no NCM begins with. */
  readonly digits: string;
}

/** No NCM begins with this. */
const NO_NCM = '-';

export const searchWords = (text: string): readonly SearchWord[] =>
  folded(text)
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => ({
      word,
      code: JSON.stringify(word).slice(1, -1),
      digits: /^\d[\d.]*$/.test(word) ? word.replaceAll('.', '') : NO_NCM,
    }));

/**
 * Returns the words that texts contain unchanged, so that the texts have their trigrams; an NCM is also
 * searched with its dots.
 */
export const unchangedWords = (words: readonly SearchWord[]): readonly string[] =>
  words
    .filter(({ word, code, digits }) => code === word && (digits === NO_NCM || digits === word))
    .map(({ word }) => word);

/**
 * Codes have no folded column, and SQLite's `lower` handles only ASCII: the few with other letters use our
 * function.
 */
export const foldedCode = (column: string): string =>
  `CASE WHEN length(${column}) < octet_length(${column}) THEN folded(${column}) ELSE lower(${column}) END`;

/**
 * Returns the condition on a row `t`; unnamed parameters are in the order word, code, word, digits, digits.
 */
export const hasWord = (
  t: string,
  { name, codigo }: { readonly name: string; readonly codigo: string },
  { word, code, digits }: SearchWord = { word: '?', code: '?', digits: '?' },
): string =>
  `(instr(${name}, ${word}) > 0 OR instr(${foldedCode(`${t}.codigos_interno`)}, ${code}) > 0
     OR instr(${codigo}, ${word}) > 0 OR substr(${t}.ncm, 1, length(${digits})) = ${digits})`;

/** The codes of an operator `o`, folded. */
export const OPERATOR_CODES = ['codigo', 'tin', 'codigo_interno'].map((column) => foldedCode(`o.${column}`));

/** Places in which an operator `o` may have a word. */
const OPERATOR_PLACES = ['o.nome_folded', ...OPERATOR_CODES];

/** Number of parameters of `operatorHasWord`, all of them the word. */
export const OPERATOR_PLACES_COUNT = OPERATOR_PLACES.length;

/** Returns the condition on an operator `o`. */
export const operatorHasWord = (word = '?'): string =>
  `(${OPERATOR_PLACES.map((place) => `instr(${place}, ${word}) > 0`).join(' OR ')})`;
