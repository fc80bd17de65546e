/** A list in pages as a sheet to download: what its filters find, however much is drawn. */
import type { Download, Query } from '../../api/client.ts';
import { everyRow } from '../../api/pages.ts';
import type { Result } from '../../api/result.ts';
import { csvOf, xlsxOf } from './write.ts';

export interface ListedSheet<Row> {
  readonly path: string;
  readonly query: Query;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly title: string;
  readonly columns: readonly (readonly [title: string, text: (row: Row) => string | null])[];
}

export async function sheetOfList<Row>(
  kind: 'csv' | 'xlsx',
  { path, query, name, title, columns }: ListedSheet<Row>,
): Promise<Result<Download>> {
  const answer = await everyRow<Row>(path, query);
  if (!answer.ok) return answer;
  const table = [
    columns.map(([heading]) => heading),
    ...answer.value.map((row) => columns.map(([, text]) => text(row) ?? '')),
  ];
  const content = kind === 'csv' ? csvOf(table) : await xlsxOf(table, title);
  return { ...answer, value: { name: `${name}.${kind}`, content } };
}
