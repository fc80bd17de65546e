/** Which column of a sheet goes where: guessed from the headings, changed by people, remembered for sheets of the same headings. */
import type { ImportKind } from '../kinds.ts';
import { attributeIn, type AttributeForms } from './attributes.ts';
import { COLUMNS, type Column } from './columns.ts';
import { folded } from './values.ts';

/** For each heading a member of the item, `attribute:ATT_1`, or nothing. */
export type Mapping = readonly (string | null)[];

const ATTRIBUTE = 'attribute:';

export const attributeTarget = (codigo: string): string => ATTRIBUTE + codigo;

/** The code of the attribute that a target names; `undefined` of any other. */
export const attributeOf = (target: string | null | undefined): string | undefined =>
  target?.startsWith(ATTRIBUTE) === true ? target.slice(ATTRIBUTE.length) : undefined;

/** Each target once, the surest guess first: the label or an alias, then what begins with one of them. */
export function guessMapping(
  headings: readonly string[],
  kind: ImportKind,
  forms: AttributeForms = new Map(),
): Mapping {
  const mapping: (string | null)[] = headings.map(() => null);
  const isTaken = (target: string): boolean => mapping.includes(target);
  const take = (targetOf: (heading: string) => string | undefined): void => {
    for (const [place, heading] of headings.entries()) {
      if (mapping[place] !== null) continue;
      const target = targetOf(heading);
      if (target !== undefined && !isTaken(target)) mapping[place] = target;
    }
  };
  take((heading) => columnCalled(heading, kind, ({ label }) => [label]));
  take((heading) => columnCalled(heading, kind, ({ aliases }) => aliases));
  if (kind === 'produto')
    take((heading) => {
      const codigo = attributeIn(heading, forms);
      return codigo === undefined ? undefined : attributeTarget(codigo);
    });
  take(
    (heading) =>
      COLUMNS[kind].find(({ label, aliases }) =>
        [label, ...aliases].some((name) => folded(heading).startsWith(`${folded(name)} `)),
      )?.member,
  );
  return mapping;
}

const columnCalled = (
  heading: string,
  kind: ImportKind,
  namesOf: (column: Column) => readonly string[],
): string | undefined =>
  COLUMNS[kind].find((column) => namesOf(column).some((name) => folded(name) === folded(heading)))?.member;

/** Columns without which no row can be imported, as far as they are not mapped. */
export const missingColumns = (mapping: Mapping, kind: ImportKind): readonly Column[] =>
  COLUMNS[kind].filter(({ member, isRequired }) => isRequired && !mapping.includes(member));

/** The kind whose columns the headings name best; `undefined` where none is named well. */
export function kindOfSheet(headings: readonly string[]): ImportKind | undefined {
  const kinds = Object.keys(COLUMNS) as ImportKind[];
  const scored = kinds
    .map((kind) => ({ kind, score: scoreOf(headings, kind) }))
    .toSorted((a, b) => b.score - a.score);
  const [best, second] = scored;
  return best !== undefined && best.score > 0 && best.score > (second?.score ?? 0) ? best.kind : undefined;
}

/** Headings known only here tell more than those that all kinds have. */
function scoreOf(headings: readonly string[], kind: ImportKind): number {
  const mapping = guessMapping(headings, kind);
  const missing = missingColumns(mapping, kind).length;
  const known = mapping.filter((target) => target !== null).length;
  return known - 2 * missing;
}

const REMEMBERED = 'catp.mapeamento';

/** In this browser, by kind and headings: the sheets of an ERP look alike every month. No value of a sheet is kept. */
export function rememberMapping(kind: ImportKind, headings: readonly string[], mapping: Mapping): void {
  try {
    localStorage.setItem(keyOf(kind, headings), JSON.stringify(mapping));
  } catch {
    // A browser that keeps nothing only means that the mapping is guessed again.
  }
}

export function rememberedMapping(kind: ImportKind, headings: readonly string[]): Mapping | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(kind, headings)) ?? 'null');
    return Array.isArray(kept) && kept.length === headings.length ? (kept as Mapping) : undefined;
  } catch {
    return undefined;
  }
}

const keyOf = (kind: ImportKind, headings: readonly string[]): string =>
  [REMEMBERED, kind, ...headings.map(folded)].join('|');
