/** What NCMs are, in words (contract section 20): all that a page shows are asked for at once, each once in a tab. */
import { useEffect, useState } from 'preact/hooks';
import type { NcmWords } from './answers.ts';

/** `null`: the nomenclature does not have it. */
const known = new Map<string, NcmWords | null>();
const watching = new Set<() => void>();
let wanted = new Set<string>();

/** So many in a request. */
const AT_ONCE = 100;

/** By code; those that are not known, or not yet, are not in it. */
export function useNcmWords(ncms: readonly string[]): ReadonlyMap<string, NcmWords> {
  const [, draw] = useState(0);
  const whole = [...new Set(ncms.filter((ncm) => /^\d{8}$/.test(ncm)))];
  const question = whole.join();
  useEffect(() => {
    const drawn = (): void => draw((before) => before + 1);
    watching.add(drawn);
    return () => void watching.delete(drawn);
  }, []);
  useEffect(() => {
    for (const ncm of question.split(',')) if (ncm !== '' && !known.has(ncm)) want(ncm);
  }, [question]);
  return new Map(whole.flatMap((ncm) => [[ncm, known.get(ncm)] as const].filter(isKnown)));
}

const isKnown = (pair: readonly [string, NcmWords | null | undefined]): pair is [string, NcmWords] =>
  pair[1] != null;

/** Another nomenclature was loaded. */
export const forgetNcmWords = (): void => known.clear();

/** Those that are wanted in one turn are asked for together. */
function want(ncm: string): void {
  if (wanted.size === 0) setTimeout(() => void ask());
  wanted.add(ncm);
}

async function ask(): Promise<void> {
  // Columns and words of a page are looked at without a browser too, which the client needs.
  const { api } = await import('./api.ts');
  const all = [...wanted];
  wanted = new Set();
  for (let from = 0; from < all.length; from += AT_ONCE) {
    const codes = all.slice(from, from + AT_ONCE);
    const answer = await api.get<readonly NcmWords[]>('/appliance/api/ncm', {
      query: { codes: codes.join() },
    });
    // Words only help: without them codes do, and the next page asks again.
    if (!answer.ok) continue;
    const found = new Map(answer.value.map((words) => [words.ncm, words]));
    for (const ncm of codes) known.set(ncm, found.get(ncm) ?? null);
  }
  for (const drawn of watching) drawn();
}
