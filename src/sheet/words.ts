/**
 * Normalises headings and words for comparison: without case, accents, marks and short words. `Cód.` is
 * `Código`.
 */
import { folded } from '../validation/text.ts';

const SHORT: ReadonlyMap<string, string> = new Map([
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
const LITTLE = new Set(['de', 'do', 'da', 'dos', 'das', 'o', 'a', 'of', 'the', 'e']);

/**
 * Maximum texts in the cache of words: the names of columns, and the headings that are compared with them.
 */
const REMEMBERED = 20_000;
const REMEMBERED_CHARACTERS = 200;
const remembered = new Map<string, string>();

export function words(text: string): string {
  if (text.length > REMEMBERED_CHARACTERS) return wordsOf(text);
  const before = remembered.get(text);
  if (before !== undefined) return before;
  if (remembered.size === REMEMBERED) remembered.clear();
  const result = wordsOf(text);
  remembered.set(text, result);
  return result;
}

const wordsOf = (text: string): string =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !LITTLE.has(word))
    .map((word) => SHORT.get(word) ?? word)
    .join(' ');

/** Returns a text as one word: `Importação` is `importacao`. */
export const word = (text: string): string =>
  folded(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
