/** Stores the nomenclature: only the last one loaded, with its lines. */
import type { Day, EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import type { Hit, NomenclatureHead } from './model.ts';

export interface StoredNomenclature extends NomenclatureHead {
  readonly id: number;
  readonly sha256: string;
  readonly loadedAt: EpochMs;
}

/** Chapter, heading or NCM, as it is on a day. */
export interface StoredLine {
  readonly codigo: string;
  readonly descricao: string;
  readonly startsOn: Day;
  readonly endsOn: Day | '';
}

const CURRENT = 'nomenclature_id = (SELECT id FROM nomenclature)';
const ON_DAY = 'from_day <= ? AND before_day > ?';

/** Number of rows deleted at once: some ms of work. */
const ROWS_AT_ONCE = 1000;

export class NomenclatureStore extends Store {
  readonly find = this.one<[], StoredNomenclature>(
    `SELECT id, sha256, updated, act, "rows", ncms, loaded_at AS loadedAt FROM nomenclature`,
  );
  /** Returns the JSON as it was loaded, compressed. */
  readonly file = this.value<[], Uint8Array>('SELECT file FROM nomenclature');
  readonly #delete = this.runs('DELETE FROM nomenclature');
  readonly #insert = this.runs(
    `INSERT INTO nomenclature (id, sha256, updated, act, "rows", ncms, loaded_at, file)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #nextId = this.value<[], number>(
    `SELECT 1 + max(ifnull((SELECT max(nomenclature_id) FROM nomenclature_row), 0),
         ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'nomenclature'), 0))`,
  );
  /** `rows`: a list of `NomenclatureRow` as JSON. Returns their number. */
  readonly addRows = this.changes<[id: number, rows: string]>(
    `INSERT INTO nomenclature_row (nomenclature_id, codigo, descricao, starts_on, ends_on, words, from_day, before_day)
     SELECT ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
     FROM json_each(?)`,
  );
  readonly countRows = this.number<[id: number]>(
    'SELECT count(*) FROM nomenclature_row WHERE nomenclature_id = ?',
  );
  readonly #deleteBefore = this.changes(
    `DELETE FROM nomenclature_row WHERE (nomenclature_id, codigo, from_day) IN (
       SELECT nomenclature_id, codigo, from_day FROM nomenclature_row
       WHERE nomenclature_id < (SELECT id FROM nomenclature) LIMIT ${ROWS_AT_ONCE})`,
  );
  readonly #path = this.many<[string, string, string, string, string, string, Day, Day], StoredLine>(
    `SELECT codigo, descricao, starts_on AS startsOn, ends_on AS endsOn FROM nomenclature_row
     WHERE ${CURRENT} AND codigo IN (?, ?, ?, ?, ?, ?) AND ${ON_DAY} ORDER BY codigo`,
  );
  readonly #below = this.values<[string, string, number], string>(
    `SELECT codigo FROM nomenclature_row
       WHERE ${CURRENT} AND codigo >= ? AND codigo < ? AND from_day = '' AND length(codigo) = 8
       ORDER BY codigo LIMIT ?`,
  );
  readonly #lastDays = this.many<[Day], { readonly ncm: string; readonly endsOn: Day }>(
    `SELECT codigo AS ncm, min(ends_on) AS endsOn FROM nomenclature_row r
     WHERE ${CURRENT} AND length(codigo) = 8 AND ends_on >= ? AND NOT EXISTS (
       SELECT 1 FROM nomenclature_row n WHERE n.nomenclature_id = r.nomenclature_id AND n.codigo = r.codigo
         AND n.starts_on <= date(r.ends_on, '+1 day') AND (n.ends_on = '' OR n.ends_on > r.ends_on))
     GROUP BY codigo`,
  );

  /** Returns the id for the next load. */
  nextId(): number {
    return this.#nextId() ?? 1;
  }

  /**
   * Deletes some rows of earlier nomenclatures, also of incomplete loads; one that is being loaded has a
   * later id.
   * Returns `false` when there are none.
   */
  deleteBefore(): boolean {
    return this.#deleteBefore() > 0;
  }

  /** Replaces the previous nomenclature; the new rows are already stored. */
  replace(
    { id, sha256, updated, act, rows, ncms, loadedAt }: StoredNomenclature,
    compressed: Uint8Array,
  ): void {
    this.#delete();
    this.#insert(id, sha256, updated, act, rows, ncms, loadedAt, compressed);
  }

  /** Returns an NCM and the codes above it, from the chapter down, as far as they exist. */
  pathOf(ncm: string, day: Day): readonly StoredLine[] {
    const [chapter, heading, sub, subheading, item] = [2, 4, 5, 6, 7].map((digits) => ncm.slice(0, digits));
    return this.#path(
      ...[chapter ?? '', heading ?? '', sub ?? '', subheading ?? '', item ?? '', ncm],
      day,
      day,
    );
  }

  /** Returns the NCMs that begin with these digits, in order. */
  below(digits: string, limit: number): readonly string[] {
    return this.#below(digits, `${digits}:`, limit);
  }

  /**
   * Yields, in order, the codes of a day with any word that begins with a searched one; reads rows on
   * demand.
   */
  *hits(words: readonly string[], day: Day): Generator<Hit> {
    const has = words.map((_, index) => `instr(words, @word${index}) > 0`);
    const rows = this.db
      .prepare<[Readonly<Record<string, string>>], { readonly codigo: string; readonly has: string }>(
        `SELECT codigo, ${has.map((one) => `(${one})`).join(` || `)} || '' AS has FROM nomenclature_row
         WHERE ${CURRENT} AND from_day <= @day AND before_day > @day AND (${has.join(' OR ')}) ORDER BY codigo`,
      )
      .iterate({ day, ...Object.fromEntries(words.map((word, index) => [`word${index}`, ` ${word}`])) });
    for (const one of rows) yield { codigo: one.codigo, has: BigInt(`0b${one.has}`) };
  }

  /** Returns the last days of NCMs that end on this day or later, and have no line for the day after. */
  lastDays(day: Day): ReadonlyMap<string, Day> {
    return new Map(this.#lastDays(day).map(({ ncm, endsOn }) => [ncm, endsOn]));
  }
}
