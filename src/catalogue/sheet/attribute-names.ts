/** Headings that are an attribute's name, without its code: by the table in force, of the NCMs that the sheet is about. */
import type { AttributeDetail, NamedAttributes } from '../attribute/words/model.ts';
import { words } from '../../sheet/words.ts';
import { attributeMember } from '../members/product.ts';
import { nameTarget } from './target.ts';

/** Of an NCM: by its words each attribute and part that is called so. */
export type NamesOfNcm = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<NamedAttributes, NamesOfNcm>();

export function namesOf(attributes: NamedAttributes): NamesOfNcm {
  const before = known.get(attributes);
  if (before !== undefined) return before;
  const names = new Map<string, string[]>();
  const add = (name: string, target: string): void => {
    const key = words(name);
    const targets = names.get(key) ?? [];
    if (!targets.includes(target)) names.set(key, [...targets, target]);
  };
  for (const [codigo, { detail, parts }] of attributes) {
    if (parts.size === 0) for (const name of namesIn(detail)) add(name, attributeMember(codigo));
    for (const [part, described] of parts)
      for (const name of namesIn(described)) {
        add(`${detail.nomeApresentacao}: ${name}`, attributeMember(codigo, part));
        add(name, attributeMember(codigo, part));
      }
  }
  known.set(attributes, names);
  return names;
}

/** `Teor alcoólico (% vol)` also without its unit, and as the table calls it elsewhere. */
const namesIn = ({ nome, nomeApresentacao }: AttributeDetail): readonly string[] => [
  nomeApresentacao,
  nomeApresentacao.slice(0, nomeApresentacao.lastIndexOf(' (') + 1).trim(),
  nome,
];

/** By its words everything that is called so in one of several NCMs. */
export type NamesOfNcms = ReadonlyMap<string, ReadonlySet<string>>;

/** Joins the names of several NCMs, so that a heading is looked up once. */
export function namesOfAll(ncms: readonly NamedAttributes[]): NamesOfNcms {
  const all = new Map<string, Set<string>>();
  for (const attributes of new Set(ncms))
    for (const [name, targets] of namesOf(attributes)) {
      const joined = all.get(name) ?? new Set<string>();
      for (const target of targets) joined.add(target);
      all.set(name, joined);
    }
  return all;
}

/** The target of a heading, the same for all NCMs or by its name; `undefined` where no NCM calls anything so. */
export function targetNamed(heading: string, names: NamesOfNcms): string | undefined {
  const name = words(heading);
  const targets = name === '' ? undefined : names.get(name);
  if (targets === undefined) return undefined;
  const [only] = targets;
  return targets.size === 1 ? only : nameTarget(heading);
}
