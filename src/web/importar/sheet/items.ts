/** Rows as the items of an import (contract section 7). */
import { type AttributeForms, attributeLists } from './attributes.ts';
import { type Cell, EMPTY, type SheetRow } from './cell.ts';
import { COLUMNS, type SheetKind } from './columns.ts';
import { type Mapping, attributeOf } from './mapping.ts';

export interface ItemsParts {
  readonly kind: SheetKind;
  readonly mapping: Mapping;
  /** Of rows that do not name a company. */
  readonly cpfCnpjRaiz: string;
  readonly forms: AttributeForms;
}

/**
 * A JSON array in which the item of a row stands in the line that the row has in the sheet: so the line that a result names
 * is the one that people see in their spreadsheet.
 */
export function itemsText(rows: readonly SheetRow[], parts: ItemsParts): string {
  let text = '[';
  let line = 1;
  for (const [index, row] of rows.entries()) {
    if (index > 0) text += ',';
    text += '\n'.repeat(Math.max(0, row.line - line)) + JSON.stringify(itemOf(row, index, parts));
    line = Math.max(line, row.line);
  }
  return `${text}]`;
}

/** Empty cells are left out: absent is what the service calls them. */
function itemOf(row: SheetRow, index: number, parts: ItemsParts): Readonly<Record<string, unknown>> {
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
