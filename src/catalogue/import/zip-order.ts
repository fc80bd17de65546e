/** The order of an import of a zip with spreadsheets: its sheets became members with their rows as JSON. */
import type { ImportKind, SheetMembers } from './model.ts';

/** A spreadsheet of the zip, and how its rows are read. */
interface ZippedOrder<Order> {
  /** The number of its member among those that are imported, from 0. */
  readonly member: number;
  readonly name: string;
  readonly order: Order;
}

export interface ZipOrder<Order> {
  readonly tipo: ImportKind;
  readonly cpfCnpjRaiz: string;
  readonly sheets: readonly ZippedOrder<Order>[];
}

/** Converts the order to the text stored with the job. */
export const zipPedido = (zip: ZipOrder<unknown>): string => JSON.stringify({ zip });

/** Returns the members whose items are rows. `undefined`: the order is not of a zip. */
export function sheetMembersIn(pedido: string | null): SheetMembers | undefined {
  const order = pedido === null ? {} : (JSON.parse(pedido) as { readonly zip?: ZipOrder<unknown> }); // written by this program
  return order.zip && sheetMembersOf(order.zip);
}

export const sheetMembersOf = ({ cpfCnpjRaiz, sheets }: ZipOrder<unknown>): SheetMembers => ({
  cpfCnpjRaiz,
  names: new Map(sheets.map(({ member, name }) => [member, name])),
});
