/** Which field a problem belongs to: by its pointer into the lists that were sent, and by the code that its message names. */
import type { AttributeLists, AttributeValue } from '../../catalogue/attribute/words/model.ts';

export interface Culprit {
  readonly codigo: string;
  /** Of several values: which one. */
  readonly at?: number;
  /** Of a compound: which group, and which of its parts. */
  readonly group?: number;
  readonly part?: string;
}

interface Told {
  readonly path: string | null;
  readonly message: string;
}

/** `undefined`: the problem is of no attribute. */
export function culpritOf({ path, message }: Told, lists: AttributeLists): Culprit | undefined {
  const [, list = '', index, , ...within] = (path ?? '').split('/');
  if (!Object.hasOwn(lists, list)) return undefined;
  const named = NAMED.exec(message)?.[1];
  if (index === undefined) return named === undefined ? undefined : { codigo: named };
  const item = lists[list as keyof AttributeLists][Number(index)];
  if (item === undefined) return undefined;
  const { atributo: codigo } = item;
  if (list === 'atributos') return { codigo };
  if (list === 'atributosMultivalorados')
    return { codigo, ...(within[0] !== undefined && { at: Number(within[0]) }) };
  const [group, place] = list === 'atributosCompostos' ? [0, within[0]] : [Number(within[0] ?? 0), within[1]];
  const part = partAt(item as CompoundItem, list, group, place) ?? (named === codigo ? undefined : named);
  return { codigo, group, ...(part !== undefined && { part }) };
}

/** As the rules begin their messages: `Atributo ATT_1 (Forma): …`. */
const NAMED = /^Atributo ([^\s(]+)/;

interface CompoundItem {
  readonly valores: readonly AttributeValue[] | readonly (readonly AttributeValue[])[];
}

function partAt(
  { valores }: CompoundItem,
  list: string,
  group: number,
  place: string | undefined,
): string | undefined {
  if (place === undefined) return undefined;
  const parts = (list === 'atributosCompostos' ? valores : valores[group]) as
    readonly AttributeValue[] | undefined;
  return parts?.[Number(place)]?.atributo;
}
