/**
 * Phases of a run that fetches: the same as those of a run that sends. Refused steps are tried once more
 * after the deactivations, in a second round.
 */
import type { ImportKind } from '../../catalogue/import/model.ts';
import type { RemoteKind } from '../compare/model.ts';
import { PHASES, type Phase } from '../run/model.ts';

const WORDS = [
  'operadores',
  'produtos',
  'vínculos',
  'desvínculos',
  'produtos desativados',
  'operadores desativados',
] as const;

export const PHASES_OF_ROUND = PHASES.length;

/** Returns the kind and operations of a phase. `phase` continues to count in the second round. */
export const phaseOf = (phase: number): Phase => PHASES[phase % PHASES_OF_ROUND] as Phase;

export const wordOf = (phase: number): string => WORDS[phase % PHASES_OF_ROUND] as string;

/** The import kind of each record kind. */
export const IMPORT_OF: Readonly<Record<RemoteKind, ImportKind>> = {
  operador: 'operador-estrangeiro',
  produto: 'produto',
  vinculo: 'fabricante',
};
