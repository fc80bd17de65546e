/**
 * Collects the choices of a person in instructions, to apply them to the same headings later (contract section
 * 24).
 */
import { headingKey } from '../../sheet/read-heading.ts';
import type { FileSheet } from './inspection.ts';
import type { SheetOptions, SheetInstructions } from './instructions.ts';
import type { Choice } from './store.ts';

/** Maximum length of a heading. Longer ones are free texts. */
const HEADING_MAX = 200;

/**
 * Returns the choices that the instructions contain. A column with a constant has none. Two columns with the same
 * heading have none, since the heading does not distinguish them.
 */
export function choicesIn(
  { mapping = [], values = {} }: SheetOptions,
  sheet: FileSheet,
  instructions: SheetInstructions,
): readonly Choice[] {
  const counts = new Map<string, number>();
  for (const { heading } of sheet.columns)
    counts.set(headingKey(heading), (counts.get(headingKey(heading)) ?? 0) + 1);
  const mappingByIndex = firstByIndex(mapping.filter(({ constant }) => constant === undefined));
  const orderColumnByIndex = firstByIndex(instructions.columns);
  return sheet.columns.flatMap(({ index, heading }): Choice[] => {
    if (heading === '' || heading.length > HEADING_MAX || counts.get(headingKey(heading)) !== 1) return [];
    const columnMapping = mappingByIndex.get(index);
    const target = orderColumnByIndex.get(index)?.target;
    const targetMeanings = target === undefined ? undefined : values[target];
    if (columnMapping === undefined && targetMeanings === undefined) return [];
    return [
      {
        heading: headingKey(heading),
        ...(columnMapping !== undefined && { target: columnMapping.target ?? null }),
        ...(target !== undefined &&
          targetMeanings !== undefined && { meanings: { target, values: targetMeanings } }),
      },
    ];
  });
}

const firstByIndex = <T extends { readonly index: number }>(columns: readonly T[]): ReadonlyMap<number, T> =>
  new Map(columns.toReversed().map((column) => [column.index, column]));
