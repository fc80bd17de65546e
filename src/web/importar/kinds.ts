/** Imports as the API returns them (contract section 7). */
import type { ImportProgress } from '../api/answers.ts';
import { withCount } from '../words.ts';

export type ImportKind = ImportProgress['tipo'];
export type ImportMode = ImportProgress['modo'];

export const IMPORTS = '/appliance/api/imports';

export const isOver = ({ state }: ImportProgress): boolean => state !== 'queued' && state !== 'running';

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
  awaiting: 'espera aprovação',
} as const;

const OUTCOMES = ['created', 'newVersion', 'deactivated', 'unchanged', 'failed'] as const;
type Outcome = (typeof OUTCOMES)[number];
type Words = Readonly<Record<Outcome | 'changed', readonly [singular: string, plural: string]>>;

const DONE: Words = {
  created: ['incluído', 'incluídos'],
  newVersion: ['nova versão', 'novas versões'],
  changed: ['alterado', 'alterados'],
  deactivated: ['desativado', 'desativados'],
  unchanged: ['inalterado', 'inalterados'],
  failed: ['com erro', 'com erro'],
};

/** Words for a dry run. */
const WOULD: Words = {
  created: ['seria incluído', 'seriam incluídos'],
  newVersion: ['teria nova versão', 'teriam nova versão'],
  changed: ['seria alterado', 'seriam alterados'],
  deactivated: ['seria desativado', 'seriam desativados'],
  unchanged: ['ficaria como está', 'ficariam como estão'],
  failed: ['com erro', 'com erro'],
};

/** Returns true for records with versions. Links and acts are changed without one. */
export const hasVersions = (tipo: ImportKind): boolean =>
  tipo === 'produto' || tipo === 'operador-estrangeiro';

/** Returns what changed, and then what did not: `2 incluídos, 1 nova versão, 1 com erro`. */
export function countsInWords(job: Pick<ImportProgress, 'tipo' | 'simular' | Outcome>): string {
  const all = job.simular ? WOULD : DONE;
  const words = hasVersions(job.tipo) ? all : { ...all, newVersion: all.changed };
  const counts = OUTCOMES.filter((outcome) => job[outcome] > 0).map((outcome) =>
    withCount(job[outcome], ...words[outcome]),
  );
  return counts.length === 0 ? 'nenhum item' : counts.join(', ');
}

/** Returns progress or result in one line: `só conferência · 2 seriam incluídos, 1 com erro`. */
export function outcomeInWords(job: ImportProgress): string {
  const { state, simular, correctedBy, undoneBy } = job;
  const answered = undoneBy !== null ? ' · desfeita' : correctedBy !== null ? ' · corrigida' : '';
  const ended = `${countsInWords(job)}${answered}`;
  return `${simular ? 'só conferência · ' : ''}${state === 'done' ? ended : STATES[state]}`;
}
