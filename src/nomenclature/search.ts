/**
 * Finds NCMs by words; each must begin a word of the whole path (contract section 20). A heading applies to
 * all codes below it: the codes above a code are its prefixes. Pure.
 */
import { folded } from '../validation/text.ts';
import type { Hit } from './model.ts';

/** Returns words without accents and capitals; HTML tags, which the public file has, are not words. */
export const wordsOf = (text: string): readonly string[] =>
  folded(text.replaceAll(/<[^<>]*>/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Yields, in order, the codes that have all words together with the codes above them; omits codes below a
 * match.
 */
export function* codesWithAll(hits: Iterable<Hit>, all: bigint): Generator<string> {
  const above: Hit[] = [];
  for (const { codigo, has } of hits) {
    while (above.length > 0 && !codigo.startsWith(above.at(-1)?.codigo ?? '')) above.pop();
    const before = above.at(-1)?.has ?? 0n;
    if (before === all) continue;
    above.push({ codigo, has: before | has });
    if ((before | has) === all) yield codigo;
  }
}
