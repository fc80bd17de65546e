/** Products filled in each with its own value, as a sheet of two columns or more that the server imports (contract section 24). */
import { PRODUCT } from '../../../catalogue/members/product.ts';
import type { PagedProduct } from '../../api/answers.ts';
import { folded } from '../../words.ts';
import type { Fill } from './mending.ts';

/** So many are filled in on a page; of more a spreadsheet is the better grid. */
export const EACH_MAX = 200;

/** By row and column; '' is left as it is. */
export type Cells = readonly (readonly string[])[];

export const isFilled = (cells: Cells): boolean =>
  cells.some((row) => row.some((cell) => cell.trim() !== ''));

/** What is to be sent: a CSV of the rows in which something is filled in, and where its columns go. */
export function sheetOf(
  company: string,
  products: readonly PagedProduct[],
  fills: readonly Fill[],
  cells: Cells,
  reactivate: boolean,
): FormData {
  // The version tells what has changed meanwhile, the name whose row it is; both as they are.
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

/** What was pasted, from a place on: a column of a spreadsheet, or several. */
export function pasted(cells: Cells, text: string, row: number, column: number): Cells {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return cells.map((before, at) => {
    const values = lines[at - row]?.split('\t');
    return at < row || values === undefined
      ? before
      : before.map((cell, place) => values[place - column]?.trim() ?? cell);
  });
}

/** The one accepted text that begins like what was typed, its code or its words; else what was typed. */
export function meant(typed: string, accepted: Fill['accepted']): string {
  const text = folded(typed.trim());
  if (text === '' || accepted === null) return typed.trim();
  const partsOf = (one: string): readonly string[] => [one, ...one.split(' - ')].map(folded);
  const same = accepted.filter((one) => partsOf(one).includes(text));
  const near =
    same.length > 0 ? same : accepted.filter((one) => partsOf(one).some((part) => part.startsWith(text)));
  return near.length === 1 ? (near[0] ?? typed) : typed.trim();
}

/** What the server would say of it too; several values in one cell are left to it. */
export const isRefused = (cell: string, accepted: Fill['accepted']): boolean =>
  cell !== '' && accepted !== null && !cell.includes('|') && !accepted.includes(cell);
