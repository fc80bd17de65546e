/** Reads products that lack future requirements, over several companies (contract section 25). */
import type { Db } from '../../db/open.ts';
import { finalResult } from '../../reading/stream.ts';
import type { NamedCompany } from '../access.ts';
import type { PageRequest } from '../paging/model.ts';
import { pageText } from '../paging/text.ts';
import type { ProductFilter } from './filter.ts';
import type { ListedProduct } from './list-query.ts';
import { productPage } from './page-list-query.ts';
import { printPageItem } from './record.ts';

export interface DueProductsRead {
  readonly kind: 'dueProducts';
  readonly companies: readonly NamedCompany[];
  readonly filter: Omit<ProductFilter, 'cpfCnpjRaiz'>;
  /** Its end is the company and the code of the last product. */
  readonly page: PageRequest<'codigo'>;
}

interface DueRow {
  readonly company: NamedCompany;
  readonly product: ListedProduct;
}

/** Returns the filter with the products that lack something. `''`: other reads may run. */
type Resolve = (filter: ProductFilter) => Generator<string, ProductFilter>;

/** Yields a page in the order of companies and codes. `''`: other reads may run. */
export function* dueProductTexts(
  db: Db,
  { companies, filter, page }: DueProductsRead,
  resolve: Resolve,
): Generator<string> {
  const [lastCompany = '', lastCode] = page.after ?? [];
  const rows: DueRow[] = [];
  let total = 0;
  for (const company of companies.toSorted(byRoot)) {
    const { cpfCnpjRaiz } = company;
    const lacking = yield* resolve({ ...filter, cpfCnpjRaiz });
    total += lacking.among?.length ?? 0;
    if (cpfCnpjRaiz < lastCompany || rows.length > page.limit) continue;
    const after = cpfCnpjRaiz === lastCompany && lastCode !== undefined ? [lastCode] : undefined;
    const limit = page.limit + 1 - rows.length; // one more, if the list continues
    const { rows: products } = yield* finalResult(productPage(db, lacking, { ...page, after, limit }));
    rows.push(...products.map((product) => ({ company, product })));
  }
  const pageRows = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? pageRows.at(-1) : undefined;
  const next = last && [last.company.cpfCnpjRaiz, last.product.codigo];
  yield pageText(page, { rows: pageRows, next, total, totalIsExact: true }, itemText);
}

const byRoot = (a: NamedCompany, b: NamedCompany): number => (a.cpfCnpjRaiz < b.cpfCnpjRaiz ? -1 : 1);

function itemText({ company: { cpfCnpjRaiz, nome }, product }: DueRow): string {
  const item = printPageItem.text(product, { cpfCnpjRaiz, seq: 0 });
  return `${item.slice(0, -1)},"empresa":${JSON.stringify(nome)}}`;
}
