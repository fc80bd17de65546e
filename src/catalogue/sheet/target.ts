/** Where a column goes, taken apart: a member, an attribute by its code, or by its name. */

export type Target =
  | { readonly kind: 'member'; readonly member: string }
  | { readonly kind: 'attribute'; readonly codigo: string; readonly part: string | undefined }
  | { readonly kind: 'name'; readonly name: string };

const NAME = 'atributo-nome:';
const ATTRIBUTE = /^atributo:([^/\s]+)(?:\/([^/\s]+))?$/;

export const nameTarget = (name: string): string => NAME + name;

/** `undefined`: it is no target of a product. */
export function parseTarget(text: string): Target {
  if (text.startsWith(NAME)) return { kind: 'name', name: text.slice(NAME.length) };
  const [, codigo, part] = ATTRIBUTE.exec(text) ?? [];
  return codigo === undefined ? { kind: 'member', member: text } : { kind: 'attribute', codigo, part };
}
