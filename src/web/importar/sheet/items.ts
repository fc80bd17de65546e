/** Rows as the items of an import (contract section 7). */
import type { ImportKind } from '../kinds.ts';
import { type AttributeForms, attributeLists } from './attributes.ts';
import { type Cell, EMPTY, type SheetRow } from './cell.ts';
import { COLUMNS } from './columns.ts';
import { type Mapping, attributeOf } from './mapping.ts';

export interface ItemsParts {
  readonly kind: ImportKind;
  readonly mapping: Mapping;
  /** Of rows that do not name a company. */
  readonly cpfCnpjRaiz: string;
  readonly forms: AttributeForms;
}

export type Item = Readonly<Record<string, unknown>>;

export interface PlacedItem {
  readonly line: number;
  readonly item: Item;
}

/**
 * A JSON array in which each item stands in a line of its own choice: that of its row in a spreadsheet, or of the file that it
 * was in before. So the line that a result names is the one that people see.
 */
export function textOfItems(items: readonly PlacedItem[]): string {
  let text = '[';
  let line = 1;
  for (const [index, placed] of items.entries()) {
    if (index > 0) text += ',';
    text += '\n'.repeat(Math.max(0, placed.line - line)) + JSON.stringify(placed.item);
    line = Math.max(line, placed.line);
  }
  return `${text}]`;
}

export const itemsText = (rows: readonly SheetRow[], parts: ItemsParts): string =>
  textOfItems(rows.map((row, index) => ({ line: row.line, item: itemOf(row, index, parts) })));

/** Empty cells are left out: absent is what the service calls them. */
function itemOf(row: SheetRow, index: number, parts: ItemsParts): Item {
  const { kind, mapping, cpfCnpjRaiz, forms } = parts;
  const cellOf = (target: string): Cell => row.cells[mapping.indexOf(target)] ?? EMPTY;
  const members = COLUMNS[kind].flatMap(({ member, read }) => {
    const cell = cellOf(member);
    return cell.text === '' ? [] : [[member, read(cell)] as const];
  });
  const attributes = new Map(
    mapping.flatMap((target, place) => {
      const codigo = attributeOf(target);
      return codigo === undefined ? [] : [[codigo, row.cells[place] ?? EMPTY] as const];
    }),
  );
  return {
    seq: index + 1,
    cpfCnpjRaiz,
    ...Object.fromEntries(members),
    ...attributeLists(attributes, forms),
  };
}
