/** A list to take along: CSV as the server writes it, and the same as XLSX. */
import type { JSX } from 'preact';
import { api } from '../../api/api.ts';
import { type Query, queryOf } from '../../api/client.ts';
import { faultOf } from '../../api/result.ts';
import { readSheets } from '../../importar/sheet/read.ts';
import { xlsxOf } from '../../importar/sheet/write.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { count } from '../../words.ts';

export interface DownloadsProps {
  /** Of the list. */
  readonly path: string;
  readonly query: Query;
  readonly name: string;
  readonly title: string;
  /** How many rows there are; absent: no XLSX is offered. */
  readonly total?: number | undefined;
}

/** Of more rows than these the browser makes no XLSX in a time that anybody waits for. */
const XLSX_MOST = 20_000;

export function Downloads({ path, query, name: named, title, total }: DownloadsProps): JSX.Element {
  const csv = `${path}.csv${queryOf(query)}`;
  const fallbackName = `${named}.csv`;
  const makeXlsx = async () => {
    if ((total ?? 0) > XLSX_MOST) return { ok: false, error: faultOf(tooMany(total ?? 0)) } as const;
    const answer = await api.download(csv, fallbackName);
    if (!answer.ok) return answer;
    const { name, content } = answer.value;
    const [{ headings, rows }] = await readSheets(content, 'csv');
    const table = [headings, ...rows.map(({ cells }) => cells.map(({ text }) => text))];
    const value = { name: name.replace(/csv$/, 'xlsx'), content: await xlsxOf(table, title) };
    return { ...answer, value };
  };
  return (
    <>
      <DownloadButton small path={csv} fallbackName={fallbackName}>
        Baixar CSV
      </DownloadButton>
      {total !== undefined && (
        <DownloadButton small make={makeXlsx} fallbackName={fallbackName}>
          Baixar XLSX
        </DownloadButton>
      )}
    </>
  );
}

const tooMany = (total: number): string =>
  `São ${count(total)} linhas; em XLSX cabem até ${count(XLSX_MOST)}. Filtre antes, ou baixe em CSV, que a planilha também abre.`;
