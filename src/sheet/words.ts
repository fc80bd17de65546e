/**
 * Normalises headings and words for comparison: without case, accents, marks and short words. `Cód.` is
 * `Código`.
 */
import { folded } from '../validation/text.ts';

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['cod', 'codigo'],
  ['codigos', 'codigo'],
  ['desc', 'descricao'],
  ['descr', 'descricao'],
  ['clas', 'classificacao'],
  ['class', 'classificacao'],
  ['classif', 'classificacao'],
  ['num', 'numero'],
  ['nro', 'numero'],
  ['nr', 'numero'],
  ['ref', 'referencia'],
  ['mat', 'material'],
  ['prod', 'produto'],
  ['produtos', 'produto'],
  ['internos', 'interno'],
  ['op', 'operador'],
  ['tp', 'tipo'],
  ['gr', 'grupo'],
  ['grp', 'grupo'],
  ['fam', 'familia'],
  ['ctg', 'categoria'],
]);
const SHORT_WORDS = new Set(['de', 'do', 'da', 'dos', 'das', 'o', 'a', 'of', 'the', 'e']);

/**
 * Maximum texts in the cache of words: the names of columns, and the headings that are compared with them.
 */
const CACHED_TEXTS = 20_000;
const CACHED_CHARACTERS = 200;
const wordCache = new Map<string, string>();

export function words(text: string): string {
  if (text.length > CACHED_CHARACTERS) return wordsOf(text);
  const cached = wordCache.get(text);
  if (cached !== undefined) return cached;
  if (wordCache.size === CACHED_TEXTS) wordCache.clear();
  const result = wordsOf(text);
  wordCache.set(text, result);
  return result;
}

const wordsOf = (text: string): string =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !SHORT_WORDS.has(word))
    .map((word) => ABBREVIATIONS.get(word) ?? word)
    .join(' ');

/** Returns a text as one word: `Importação` is `importacao`. */
export const word = (text: string): string =>
  folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
