/** Parses the target of a column: a member, or an attribute by code or name. */

export type Target =
  | { readonly kind: 'member'; readonly member: string }
  | { readonly kind: 'attribute'; readonly codigo: string; readonly part: string | undefined }
  | { readonly kind: 'name'; readonly name: string }
  /** One of two columns: the code of an attribute, or its value. */
  | { readonly kind: 'pair'; readonly number: number; readonly side: PairSide };

export type PairSide = 'codigo' | 'valor';

const NAME = 'atributo-nome:';
const PAIR_START = 'par:';
const PAIR = /^par:([1-9]\d{0,3}):(codigo|valor)$/;
const ATTRIBUTE_START = 'atributo:';
const ATTRIBUTE = /^atributo:([^/\s]+)(?:\/([^/\s]+))?$/;

export const nameTarget = (name: string): string => NAME + name;

export const pairTarget = (number: number, side: PairSide): string => `par:${number}:${side}`;

/** Returns true for a text that may be the target of a pair of columns. */
export const isLikePair = (text: string): boolean => text.startsWith(PAIR_START);

export function parseTarget(text: string): Target {
  if (text.startsWith(NAME)) return { kind: 'name', name: text.slice(NAME.length) };
  // Every cell of every row is read with its target: most need no expression.
  const [, number, side] = (text.startsWith(PAIR_START) ? PAIR.exec(text) : null) ?? [];
  if (number !== undefined) return { kind: 'pair', number: Number(number), side: side as PairSide }; // the pattern guarantees it
  const [, codigo, part] = (text.startsWith(ATTRIBUTE_START) ? ATTRIBUTE.exec(text) : null) ?? [];
  return codigo === undefined ? { kind: 'member', member: text } : { kind: 'attribute', codigo, part };
}
