/** Imports, as the API tells of them (contract section 7). */
import type { ImportProgress } from '../api/answers.ts';

export type ImportKind = ImportProgress['tipo'];
export type ImportMode = ImportProgress['modo'];

export const IMPORTS = '/appliance/api/imports';

export const isOver = ({ state }: ImportProgress): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled';

export const KINDS: readonly { readonly value: ImportKind; readonly label: string }[] = [
  { value: 'produto', label: 'Produtos' },
  { value: 'operador-estrangeiro', label: 'Operadores estrangeiros' },
  { value: 'fabricante', label: 'Vínculos de fabricante' },
  { value: 'ato-concessorio', label: 'Atos concessórios' },
];

/** `operadores estrangeiros`, in a sentence. */
export const kindInWords = (kind: ImportKind): string =>
  (KINDS.find(({ value }) => value === kind)?.label ?? kind).toLowerCase();
