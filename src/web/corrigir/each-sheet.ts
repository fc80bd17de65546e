/**
 * Builds a sheet with a value per product, of two or more columns, which the server imports (contract section
 * 24).
 */
import { PRODUCT } from '../../catalogue/members/product.ts';
import type { PagedProduct } from '../api/answers.ts';
import type { Fill } from '../kit/each/cells.ts';

export interface ProductRow {
  readonly product: PagedProduct;
  /** Cells in the order of the fills. */
  readonly cells: readonly string[];
}

export interface SheetChoices {
  readonly reactivate: boolean;
  /** Meaning of an empty cell. */
  readonly empty: 'manter' | 'apagar';
}

/** Returns the request with the rows as CSV, and the mapping of its columns. */
export function sheetOf(
  company: string,
  fills: readonly Fill[],
  rows: readonly ProductRow[],
  choices: SheetChoices,
): FormData {
  // The version detects concurrent changes, the name identifies the row; both are unchanged.
  const identifyingMembers = KEPT.filter((name) => !fills.some(({ target }) => target === name));
  const columns = [
    ...identifyingMembers.map((target) => ({ target, heading: PRODUCT[target].heading })),
    ...fills.map(({ target, heading }) => ({
      target,
      heading: `${heading} (${target.slice(target.indexOf(':') + 1)})`,
    })),
  ];
  const text = [
    columns.map(({ heading }) => heading),
    ...rows.map(({ product, cells }) => [
      ...identifyingMembers.map((name) => String(product[name] ?? '')),
      ...cells,
    ]),
  ]
    .map((row) => row.map(quoted).join(';'))
    .join('\r\n');
  const mapping = columns.map(({ target }, index) => ({ index, target }));
  const body = new FormData();
  body.set('file', new File([text], 'alterar.csv', { type: 'text/csv' }));
  body.set('cpfCnpjRaiz', company);
  body.set('tipo', 'produto');
  body.set('simular', 'true');
  body.set('planilha', JSON.stringify({ headerRow: 1, mapping, key: 'codigo', ...choices }));
  return body;
}

const KEPT = ['codigo', 'versao', 'denominacao'] as const;

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
