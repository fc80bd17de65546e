/** Reads the descriptions of NCMs, for a column of tables to download. */
import type { Day } from '../clock.ts';
import type { Db } from '../db/open.ts';
import { NomenclatureStore } from './store.ts';
import { ncmWords } from '../catalogue/members/ncm-words.ts';

/**
 * Returns the descriptions on that day; `null` for an unknown NCM. `undefined`: no nomenclature is loaded.
 */
export function ncmWordsOn(db: Db, day: Day): ((ncm: string) => string | null) | undefined {
  const store = new NomenclatureStore(db);
  if (store.find() === undefined) return undefined;
  const cache = new Map<string, string | null>();
  return (ncm) => {
    const cached = cache.get(ncm);
    if (cached !== undefined) return cached;
    const path = store.pathOf(ncm, day);
    const own = path.at(-1);
    const words =
      own?.codigo === ncm
        ? ncmWords({ descricao: own.descricao, path: path.slice(0, -1).map(({ descricao }) => descricao) })
        : null;
    cache.set(ncm, words);
    return words;
  };
}
