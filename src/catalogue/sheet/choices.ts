/** What a person chose in an order, to be remembered for the headings of its columns (contract section 24). */
import { headingKey } from '../../sheet/read-heading.ts';
import type { PlacedSheet } from './look.ts';
import type { SheetHow, SheetOrder } from './order.ts';
import type { Choice } from './store.ts';

/** Longer headings are texts. */
const HEADING_MAX = 200;

/** Only what the order itself says; a constant says nothing of its column, and a heading that two columns have says nothing of either. */
export function choicesIn(
  { mapping = [], values = {} }: SheetHow,
  looked: PlacedSheet,
  order: SheetOrder,
): readonly Choice[] {
  const counts = new Map<string, number>();
  for (const { heading } of looked.columns)
    counts.set(headingKey(heading), (counts.get(headingKey(heading)) ?? 0) + 1);
  const mappedAt = firstByIndex(mapping.filter(({ constant }) => constant === undefined));
  const orderedAt = firstByIndex(order.columns);
  return looked.columns.flatMap(({ index, heading }): Choice[] => {
    if (heading === '' || heading.length > HEADING_MAX || counts.get(headingKey(heading)) !== 1) return [];
    const mapped = mappedAt.get(index);
    const target = orderedAt.get(index)?.target;
    const said = target === undefined ? undefined : values[target];
    if (mapped === undefined && said === undefined) return [];
    return [
      {
        heading: headingKey(heading),
        ...(mapped !== undefined && { target: mapped.target ?? null }),
        ...(target !== undefined && said !== undefined && { meanings: { target, values: said } }),
      },
    ];
  });
}

const firstByIndex = <T extends { readonly index: number }>(columns: readonly T[]): ReadonlyMap<number, T> =>
  new Map(columns.toReversed().map((column) => [column.index, column]));
