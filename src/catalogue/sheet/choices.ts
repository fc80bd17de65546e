/** What a person chose in an order, to be remembered for the headings of its columns (contract section 24). */
import { headingKey } from '../../sheet/guess.ts';
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
  const count = (heading: string): number =>
    looked.columns.filter((one) => headingKey(one.heading) === headingKey(heading)).length;
  return looked.columns.flatMap(({ index, heading }): Choice[] => {
    if (heading === '' || heading.length > HEADING_MAX || count(heading) > 1) return [];
    const mapped = mapping.find((one) => one.index === index && one.constant === undefined);
    const target = order.columns.find((one) => one.index === index)?.target;
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
