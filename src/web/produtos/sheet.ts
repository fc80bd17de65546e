/** The list as a sheet: the columns that are seen, of every product that the filters find. */
import type { PagedProduct } from '../api/answers.ts';
import { everyRow } from '../api/pages.ts';
import type { Download, Query } from '../api/client.ts';
import { faultOf, type Result } from '../api/result.ts';
import { csvOf, type Table, xlsxOf } from '../importar/sheet/write.ts';
import { count } from '../words.ts';
import type { ProductColumn } from './columns.tsx';
import { PRODUCT_PAGES } from './product.ts';

const tableOf = (
  columns: readonly Pick<ProductColumn, 'title' | 'text'>[],
  products: readonly PagedProduct[],
): Table => [
  columns.map(({ title }) => title),
  ...products.map((product) => columns.map(({ text }) => text(product))),
];

/** Of more rows than these the browser makes no XLSX in a time that anybody waits for. */
const XLSX_MOST = 20_000;

/** `total`: how many there are, as far as is known. */
export async function sheetOf(
  kind: 'csv' | 'xlsx',
  columns: readonly ProductColumn[],
  query: Query,
  total: number,
): Promise<Result<Download>> {
  if (kind === 'xlsx' && total > XLSX_MOST) return { ok: false, error: faultOf(tooMany(total)) };
  const answer = await everyRow<PagedProduct>(PRODUCT_PAGES, query);
  if (!answer.ok) return answer;
  const table = tableOf(columns, answer.value);
  const content = kind === 'csv' ? csvOf(table) : await xlsxOf(table, 'Produtos');
  return { ...answer, value: { name: `produtos-${String(query['cpfCnpjRaiz'])}.${kind}`, content } };
}

const tooMany = (total: number): string =>
  `São ${count(total)} produtos; em XLSX cabem até ${count(XLSX_MOST)}. Filtre antes, ou baixe em CSV, que a planilha também abre.`;
