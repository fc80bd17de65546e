/** The nomenclature of a day, in memory: 15 000 descriptions, looked through in two milliseconds (contract section 20). */
import type { Day } from '../clock.ts';
import { isWhole, wordsOf } from './file.ts';
import type { NcmWords, NomenclatureRow } from './model.ts';

interface Entry {
  readonly codigo: string;
  readonly descricao: string;
  readonly startsOn: Day;
  readonly endsOn: Day | '';
  readonly words: string;
  /** Its heading's place among all, which is before its own; -1 of a chapter. */
  readonly parent: number;
}

export class Words {
  /** By code. */
  readonly #entries: Entry[] = [];
  readonly #places = new Map<string, number>();

  /** `rows` by code, those of one code by their first day. */
  constructor(rows: readonly NomenclatureRow[], day: Day) {
    for (let from = 0, to = 0; from < rows.length; from = to) {
      const [codigo] = rows[from] as NomenclatureRow;
      while (rows[to]?.[0] === codigo) to += 1;
      const [, descricao, startsOn, endsOn, words] = rowOn(day, rows.slice(from, to));
      this.#places.set(codigo, this.#entries.length);
      this.#entries.push({ codigo, descricao, startsOn, endsOn, words, parent: this.#parentOf(codigo) });
    }
  }

  find(ncm: string): NcmWords | undefined {
    const entry = this.#entries[this.#places.get(ncm) ?? -1];
    return entry && isWhole(entry.codigo) ? this.#wordsOf(entry) : undefined;
  }

  /** By leading digits, dotted or not, or by words, each of which begins a word of the whole path; in order of code. */
  search(text: string, limit = Infinity): NcmWords[] {
    return this.#found(text.trim(), limit).map((entry) => this.#wordsOf(entry));
  }

  /** The same, codes alone. */
  codes(text: string): readonly string[] {
    return this.#found(text.trim(), Infinity).map(({ codigo }) => codigo);
  }

  #found(text: string, limit: number): Entry[] {
    const found: Entry[] = [];
    const isMeant = /^[\d.]*$/.test(text) ? beginsWith(text.replaceAll('.', '')) : this.#haveEach(text);
    for (let place = 0; place < this.#entries.length && found.length < limit; place += 1) {
      const entry = this.#entries[place] as Entry;
      // The words of a heading are asked for too: what stands below it has them from there.
      if (isMeant(entry, place) && isWhole(entry.codigo)) found.push(entry);
    }
    return found;
  }

  /** To be asked of each entry in turn, from the first. Where no word is asked for, nothing is found. */
  #haveEach(text: string): (entry: Entry, place: number) => boolean {
    const asked = [...new Set(wordsOf(text))].map((word) => ({
      beginning: ` ${word}`,
      has: new Uint8Array(this.#entries.length),
    }));
    return ({ words, parent }, place) => {
      let all = asked.length > 0;
      for (const { beginning, has } of asked) {
        if (has[parent] === 1 || words.includes(beginning)) has[place] = 1;
        else all = false;
      }
      return all;
    };
  }

  #wordsOf({ codigo, descricao, startsOn, endsOn, parent }: Entry): NcmWords {
    const path: string[] = [];
    for (let at = this.#entries[parent]; at !== undefined; at = this.#entries[at.parent])
      path.unshift(at.descricao);
    return { ncm: codigo, descricao, path, startsOn, endsOn: endsOn === '' ? null : endsOn };
  }

  /** The longest prefix that is there. */
  #parentOf(codigo: string): number {
    for (let length = codigo.length - 1; length > 0; length -= 1) {
      const place = this.#places.get(codigo.slice(0, length));
      if (place !== undefined) return place;
    }
    return -1;
  }
}

const beginsWith =
  (digits: string) =>
  ({ codigo }: Entry): boolean =>
    codigo.startsWith(digits);

/** Of the rows of one code: the one in force; else the last that was; else the first that will be. */
function rowOn(day: Day, rows: readonly NomenclatureRow[]): NomenclatureRow {
  const begun = rows.filter(([, , startsOn]) => startsOn <= day);
  const inForce = begun.findLast(([, , , endsOn]) => endsOn === '' || endsOn >= day);
  return inForce ?? begun.at(-1) ?? (rows[0] as NomenclatureRow);
}
