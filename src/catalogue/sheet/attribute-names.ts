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

/** The target of a heading, the same for all NCMs or by its name; `undefined` where no NCM calls anything so. */
export function targetNamed(heading: string, ncms: readonly NamesOfNcm[]): string | undefined {
  const name = words(heading);
  if (name === '') return undefined;
  const targets = new Set(ncms.flatMap((names) => names.get(name) ?? []));
  if (targets.size === 0) return undefined;
  const [only] = targets;
  return targets.size === 1 ? only : nameTarget(heading);
}
