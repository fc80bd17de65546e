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
const BLANK = /\s/;

export const nameTarget = (name: string): string => NAME + name;

export const pairTarget = (number: number, side: PairSide): string => `par:${number}:${side}`;

/** Returns true for a text that may be the target of a pair of columns. */
export const isLikePair = (text: string): boolean => text.startsWith(PAIR_START);

export function parseTarget(text: string): Target {
  if (text.startsWith(NAME)) return { kind: 'name', name: text.slice(NAME.length) };
  const [, number, side] = (text.startsWith(PAIR_START) ? PAIR.exec(text) : null) ?? [];
  if (number !== undefined) return { kind: 'pair', number: Number(number), side: side as PairSide }; // the pattern guarantees it
  return attributeTarget(text) ?? { kind: 'member', member: text };
}

/** Parses `atributo:CODE` and `atributo:COMPOUND/CODE`, in a fraction of the time of an expression. */
function attributeTarget(text: string): Target | undefined {
  if (!text.startsWith(ATTRIBUTE_START) || BLANK.test(text)) return undefined;
  const slash = text.indexOf('/');
  const codigo = text.slice(ATTRIBUTE_START.length, slash === -1 ? undefined : slash);
  const part = slash === -1 ? undefined : text.slice(slash + 1);
  return codigo === '' || part === '' || part?.includes('/') === true
    ? undefined
    : { kind: 'attribute', codigo, part };
}
