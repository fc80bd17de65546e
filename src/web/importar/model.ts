/** Imports, as the API tells of them (contract section 7). */

export type ImportKind = 'produto' | 'operador-estrangeiro' | 'fabricante' | 'ato-concessorio';
export type ImportMode = 'lote' | 'espelho';

export interface Import {
  readonly id: number;
  readonly tipo: ImportKind;
  readonly modo: ImportMode;
  readonly simular: boolean;
  /** A change of many products, and no file. */
  readonly changesMany: boolean;
  readonly fileName: string;
  /** Of the bytes that were sent. */
  readonly sha256: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Unknown until the file has been read. */
  readonly total: number | null;
  readonly processed: number;
  readonly created: number;
  readonly newVersion: number;
  readonly deactivated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Of these, those of which nothing but the number is kept. */
  readonly failedNotKept: number;
  readonly resultsForgotten: boolean;
  /** The document of who asked for it. */
  readonly madeBy: string;
  readonly error: string | null;
  readonly createdAt: string;
}

export interface ImportResult {
  readonly index: number;
  readonly seq: number | null;
  readonly codigo: string | null;
  readonly versao: string | null;
  readonly outcome: 'created' | 'newVersion' | 'deactivated' | 'unchanged' | 'failed';
  readonly errors: readonly string[];
  readonly name: string | null;
  readonly file: string;
  readonly line: number;
  readonly notices: readonly { readonly path: string; readonly message: string }[];
  readonly problems: readonly { readonly path: string; readonly message: string; readonly code: string }[];
  readonly changes: readonly {
    readonly member: string;
    readonly heading: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

export const IMPORTS = '/appliance/api/imports';

export const isOver = ({ state }: Import): boolean =>
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
