/**
 * Finding NCMs by words, each of which begins a word of the whole path (contract section 20). A heading stands for all below it:
 * what is above a code are those that it begins with. Pure.
 */
import { folded } from '../validation/text.ts';
import type { Hit } from './model.ts';

/** Words without accents and capitals; marks of HTML, which the public file has, are none. */
export const wordsOf = (text: string): readonly string[] =>
  folded(text.replaceAll(/<[^<>]*>/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The codes that have all words together with what is above them, in order; what is below one of them is not named. */
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
