/**
 * Descriptions of NCMs (contract section 20). All NCMs of a page share requests, and a tab requests each only
 * once.
 */
import { useEffect, useState } from 'preact/hooks';
import type { NcmWords } from './answers.ts';
import { isFullNcm } from '../words.ts';

/** Descriptions by code; `null` for a code that the nomenclature lacks. */
const cache = new Map<string, NcmWords | null>();
const listeners = new Set<() => void>();
let requestedNcms = new Set<string>();

/** Maximum number of NCMs per request. */
const NCMS_PER_REQUEST = 100;

/** Returns the descriptions by code. Unknown and not yet loaded NCMs are absent. */
export function useNcmWords(ncms: readonly string[]): ReadonlyMap<string, NcmWords> {
  const [, draw] = useState(0);
  const fullNcms = [...new Set(ncms.filter(isFullNcm))];
  const queryKey = fullNcms.join();
  useEffect(() => {
    const listener = (): void => draw((before) => before + 1);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  useEffect(() => {
    for (const ncm of queryKey.split(',')) if (ncm !== '' && !cache.has(ncm)) requestNcm(ncm);
  }, [queryKey]);
  return new Map(fullNcms.flatMap((ncm) => [[ncm, cache.get(ncm)] as const].filter(isKnown)));
}

const isKnown = (pair: readonly [string, NcmWords | null | undefined]): pair is [string, NcmWords] =>
  pair[1] != null;

/** Clears the cache after another nomenclature was loaded. */
export const forgetNcmWords = (): void => cache.clear();

/** Requests the NCMs of one event-loop turn together. */
function requestNcm(ncm: string): void {
  if (requestedNcms.size === 0) setTimeout(() => void fetchRequested());
  requestedNcms.add(ncm);
}

async function fetchRequested(): Promise<void> {
  // Lazy import: some modules that use this one run without a browser, which the client needs.
  const { api } = await import('./api.ts');
  const all = [...requestedNcms];
  requestedNcms = new Set();
  for (let from = 0; from < all.length; from += NCMS_PER_REQUEST) {
    const codes = all.slice(from, from + NCMS_PER_REQUEST);
    const answer = await api.get<readonly NcmWords[]>('/appliance/api/ncm', {
      query: { codes: codes.join() },
    });
    // Descriptions are optional: codes are shown without them, and the next page requests them again.
    if (!answer.ok) continue;
    const wordsByNcm = new Map(answer.value.map((words) => [words.ncm, words]));
    for (const ncm of codes) cache.set(ncm, wordsByNcm.get(ncm) ?? null);
  }
  for (const listener of listeners) listener();
}
