/**
 * Collects the choices of a person in an order, to apply them to the same headings later (contract section
 * 24).
 */
import { headingKey } from '../../sheet/read-heading.ts';
import type { PlacedSheet } from './look.ts';
import type { SheetHow, SheetOrder } from './order.ts';
import type { Choice } from './store.ts';

/** Maximum length of a heading. Longer ones are free texts. */
const HEADING_MAX = 200;

/**
 * Returns the choices that the order itself contains. A constant says nothing about its column. A heading of
 * two columns says nothing about either.
 */
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
    const targetMeanings = target === undefined ? undefined : values[target];
    if (mapped === undefined && targetMeanings === undefined) return [];
    return [
      {
        heading: headingKey(heading),
        ...(mapped !== undefined && { target: mapped.target ?? null }),
        ...(target !== undefined &&
          targetMeanings !== undefined && { meanings: { target, values: targetMeanings } }),
      },
    ];
  });
}

const firstByIndex = <T extends { readonly index: number }>(columns: readonly T[]): ReadonlyMap<number, T> =>
  new Map(columns.toReversed().map((column) => [column.index, column]));
