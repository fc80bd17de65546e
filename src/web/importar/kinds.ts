/** Imports as the API returns them (contract section 7). */
import type { ImportProgress } from '../api/answers.ts';
import { count, counted } from '../words.ts';

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

/** Returns the kind for use in a sentence: `operadores estrangeiros`. */
export const kindInWords = (kind: ImportKind): string =>
  (KINDS.find(({ value }) => value === kind)?.label ?? kind).toLowerCase();

const STATES = {
  queued: 'na fila',
  running: 'em andamento',
  failed: 'não pôde ser lido',
  cancelled: 'cancelada',
} as const;

/** Returns progress or result in one line: `só conferência · 3 itens · 1 com erro`. */
export function outcomeInWords(job: ImportProgress): string {
  const { state, simular, processed, failed, correctedBy, undoneBy } = job;
  const answered = undoneBy !== null ? ' · desfeita' : correctedBy !== null ? ' · corrigida' : '';
  const ended = `${counted(processed, 'item', 'itens')} · ${failed > 0 ? `${count(failed)} com erro` : 'sem erros'}${answered}`;
  return `${simular ? 'só conferência · ' : ''}${state === 'done' ? ended : STATES[state]}`;
}
