/**
 * Builds a sheet with a value per product, of two or more columns, which the server imports (contract section
 * 24).
 */
import { PRODUCT } from '../../catalogue/members/product.ts';
import type { PagedProduct } from '../api/answers.ts';
import { type Cells, type Fill, isFilled } from '../kit/each/cells.ts';

/** Returns the CSV of the rows with a filled cell, and the mapping of its columns. */
export function sheetOf(
  company: string,
  products: readonly PagedProduct[],
  fills: readonly Fill[],
  cells: Cells,
  reactivate: boolean,
): FormData {
  // The version detects concurrent changes, the name identifies the row; both are unchanged.
  const columns = [
    ...KEPT.map((target) => ({ target, heading: PRODUCT[target].heading })),
    ...fills.map(({ target, heading }) => ({
      target,
      heading: `${heading} (${target.slice(target.indexOf(':') + 1)})`,
    })),
  ];
  const rows = products.flatMap((product, at) => {
    const own = cells[at] ?? [];
    return isFilled([own]) ? [[...KEPT.map((name) => String(product[name] ?? '')), ...own]] : [];
  });
  const text = [columns.map(({ heading }) => heading), ...rows]
    .map((row) => row.map(quoted).join(';'))
    .join('\r\n');
  const mapping = columns.map(({ target }, index) => ({ index, target }));
  const body = new FormData();
  body.set('file', new File([text], 'a-corrigir.csv', { type: 'text/csv' }));
  body.set('cpfCnpjRaiz', company);
  body.set('tipo', 'produto');
  body.set('simular', 'true');
  body.set('planilha', JSON.stringify({ headerRow: 1, mapping, key: 'codigo', reactivate }));
  return body;
}

const KEPT = ['codigo', 'versao', 'denominacao'] as const;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
