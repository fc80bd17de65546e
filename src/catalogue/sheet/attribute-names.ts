/**
 * Recognises headings that are the name of an attribute without its code, by the table in force, for the NCMs
 * of the sheet.
 */
import type { AttributeDetail, NcmAttributes } from '../attribute/words/model.ts';
import { words } from '../../sheet/words.ts';
import { attributeMember } from '../members/product.ts';
import { nameTarget } from './target.ts';

/** The attributes and parts of an NCM with a name, by the words of the name. */
export type NamesOfNcm = ReadonlyMap<string, readonly string[]>;

const cachedNames = new WeakMap<NcmAttributes, NamesOfNcm>();

export function namesOf(attributes: NcmAttributes): NamesOfNcm {
  const cached = cachedNames.get(attributes);
  if (cached !== undefined) return cached;
  const names = new Map<string, string[]>();
  const add = (name: string, target: string): void => {
    const key = words(name);
    const targets = names.get(key) ?? [];
    if (!targets.includes(target)) names.set(key, [...targets, target]);
  };
  for (const [codigo, { detail, parts }] of attributes) {
    if (parts.size === 0) for (const name of namesIn(detail)) add(name, attributeMember(codigo));
    for (const [part, detailOfPart] of parts)
      for (const name of namesIn(detailOfPart)) {
        add(`${detail.nomeApresentacao}: ${name}`, attributeMember(codigo, part));
        add(name, attributeMember(codigo, part));
      }
  }
  cachedNames.set(attributes, names);
  return names;
}

/**
 * Returns the names of an attribute: `Teor alcoólico (% vol)` also without its unit, and the name for
 * display.
 */
const namesIn = ({ nome, nomeApresentacao }: AttributeDetail): readonly string[] => [
  nomeApresentacao,
  nomeApresentacao.slice(0, nomeApresentacao.lastIndexOf(' (') + 1).trim(),
  nome,
];

/** All attributes and parts with a name in one of several NCMs, by the words of the name. */
export type NamesOfNcms = ReadonlyMap<string, ReadonlySet<string>>;

/** Joins the names of several NCMs, so that a heading needs one look-up. */
export function namesOfAll(ncms: readonly NcmAttributes[]): NamesOfNcms {
  const all = new Map<string, Set<string>>();
  for (const attributes of new Set(ncms))
    for (const [name, targets] of namesOf(attributes)) {
      const joined = all.get(name) ?? new Set<string>();
      for (const target of targets) joined.add(target);
      all.set(name, joined);
    }
  return all;
}

/**
 * Returns the target of a heading: by code if all NCMs agree, else by name.
 * `undefined`: no NCM has the name.
 */
export function targetOfName(heading: string, names: NamesOfNcms): string | undefined {
  const name = words(heading);
  const targets = name === '' ? undefined : names.get(name);
  if (targets === undefined) return undefined;
  const [only] = targets;
  return targets.size === 1 ? only : nameTarget(heading);
}
