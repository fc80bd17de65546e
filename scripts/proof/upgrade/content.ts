/** The content of the tables of a folder, for a comparison of two folders. */
import { type Db, openForReading } from '../../../src/db/open.ts';

/** JSON texts, in the columns of the older database. */
type Rows = readonly string[];
export type Content = ReadonlyMap<string, { readonly columns: readonly string[]; readonly rows: Rows }>;

/** Tables of the folder itself and those that each opening extends: its migrations, its marks, its trail. */
const OF_THE_FOLDER = new Set(['migration', 'folder_mark', 'audit_page', 'sqlite_sequence']);
/** The server fills it after the upgrade, from the other columns. */
const COMPUTED_COLUMN = 'content_hash';

export function schemaOf(file: string): number {
  using db = openForReading(file);
  return db.prepare<[], number>('SELECT max(number) FROM migration').pluck().get() ?? 0;
}

/** Returns the content. `like`: only its tables and columns. */
export function contentOf(file: string, like?: Content): Content {
  using db = openForReading(file);
  const tables = like === undefined ? tablesOf(db) : [...like.keys()];
  return new Map(
    tables.map((table) => {
      const columns = like?.get(table)?.columns ?? columnsOf(db, table);
      return [table, { columns, rows: rowsOf(db, table, columns) }];
    }),
  );
}

const tablesOf = (db: Db): readonly string[] =>
  db
    .prepare<[], string>("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .pluck()
    .all()
    .filter((name) => !OF_THE_FOLDER.has(name) && !name.startsWith('sqlite_'));

const columnsOf = (db: Db, table: string): readonly string[] =>
  db
    .prepare<[string, string], string>('SELECT name FROM pragma_table_info(?) WHERE name <> ?')
    .pluck()
    .all(table, COMPUTED_COLUMN);

function rowsOf(db: Db, table: string, columns: readonly string[]): Rows {
  const present = new Set(columnsOf(db, table));
  if (present.size === 0) return [];
  // Bytes are compared as hexadecimal. A missing column makes each row different.
  const values = columns.map((column) =>
    present.has(column)
      ? `CASE typeof("${column}") WHEN 'blob' THEN hex("${column}") ELSE "${column}" END`
      : `'(falta)'`,
  );
  return db
    .prepare<[], string>(`SELECT json_array(${values.join()}) FROM "${table}"`)
    .pluck()
    .all()
    .toSorted();
}

/** Returns the names of the tables whose rows differ. */
export function differencesOf(before: Content, after: Content): readonly string[] {
  return [...before].flatMap(([table, { rows }]) => {
    const others = new Set(after.get(table)?.rows ?? []);
    const missing = rows.filter((row) => !others.has(row));
    const more = others.size - (rows.length - missing.length);
    if (missing.length === 0 && more === 0) return [];
    return [`${table}: ${missing.length} linhas faltam, ${more} são outras; a primeira: ${missing[0]}`];
  });
}

export const rowsIn = (content: Content): number =>
  [...content.values()].reduce((sum, { rows }) => sum + rows.length, 0);
