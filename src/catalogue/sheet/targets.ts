/** Lists the targets that a column may have, and guesses the kind of the rows (contract section 24). */
import type { HeadedColumn } from '../../sheet/column.ts';
import { Guessing } from '../../sheet/guess.ts';
import type { AttributeDetail, NcmAttributes } from '../attribute/words/model.ts';
import { IMPORT_KINDS, type ImportKind } from '../import/model.ts';
import { attributeMember } from '../members/product.ts';
import { attributeHeading } from '../product/values.ts';
import { COLUMNS, sheetKind } from './kinds.ts';

/** A target as people choose it. */
export interface NamedTarget {
  readonly target: string;
  readonly heading: string;
  /** True if no new record can be created without it. */
  readonly isRequired: boolean;
}

/**
 * Maximum listed attributes. A sheet with hundreds of NCMs has more than people read. All of them are
 * imported.
 */
const ATTRIBUTES_LISTED = 500;

/** Returns the members of the kind, then the attributes of the NCMs of the sheet, by name. */
export function targetsOf(tipo: ImportKind, ncms: readonly NcmAttributes[]): readonly NamedTarget[] {
  const members = COLUMNS[tipo].map(({ target, heading, isRequired = false }) => ({
    target,
    heading,
    isRequired,
  }));
  const attributes = new Map<string, string>();
  for (const { detail, parts } of ncms.flatMap((ncmAttributes) => [...ncmAttributes.values()])) {
    if (attributes.size >= ATTRIBUTES_LISTED) break;
    const compound = nameOf(detail);
    if (parts.size === 0) attributes.set(attributeMember(compound.codigo), attributeHeading(compound));
    for (const part of parts.values())
      attributes.set(attributeMember(compound.codigo, part.codigo), attributeHeading(compound, nameOf(part)));
  }
  const attributeTargets = [...attributes].map(([target, heading]) => ({
    target,
    heading,
    isRequired: false,
  }));
  return [...members, ...attributeTargets.toSorted((a, b) => a.heading.localeCompare(b.heading, 'pt-BR'))];
}

const nameOf = ({ codigo, nomeApresentacao: name }: AttributeDetail) => ({ codigo, name });

/** Returns the kind whose columns match the headings best. `null`: several match equally. */
export function kindOfHeadings(columns: readonly HeadedColumn[]): ImportKind | null {
  const scored = IMPORT_KINDS.map((kind) => ({ kind, score: scoreOf(columns, kind) }));
  const [best, second] = scored.toSorted((a, b) => b.score - a.score);
  return best !== undefined && best.score > Math.max(0, second?.score ?? 0) ? best.kind : null;
}

/** Returns the score of a kind. Headings of one kind only count more than those of all kinds. */
function scoreOf(columns: readonly HeadedColumn[], kind: ImportKind): number {
  const guessing = new Guessing(columns, sheetKind(kind));
  guessing.byName();
  guessing.byWords();
  const targets = new Set(guessing.result().map(({ target }) => target));
  const missing = COLUMNS[kind].filter(({ target, isRequired }) => isRequired && !targets.has(target));
  targets.delete(null);
  return targets.size - 2 * missing.length;
}
