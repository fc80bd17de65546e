/** A run fetches in the phases in which it would send; what was refused is tried once more after the deactivations: a second round. */
import type { ImportKind } from '../../catalogue/import/model.ts';
import type { RemoteKind } from '../compare/model.ts';
import { PHASES, type StepOperation } from '../run/model.ts';

const WORDS = [
  'operadores',
  'produtos',
  'vínculos',
  'desvínculos',
  'produtos desativados',
  'operadores desativados',
] as const;

export const PHASES_OF_ROUND = PHASES.length;

/** `phase` counts on in the second round. */
export const phaseOf = (phase: number): readonly [kind: RemoteKind, operations: readonly StepOperation[]] =>
  PHASES[phase % PHASES_OF_ROUND] as (typeof PHASES)[number];

export const wordOf = (phase: number): string => WORDS[phase % PHASES_OF_ROUND] as string;

/** What an import of a phase is called one of. */
export const IMPORT_OF: Readonly<Record<RemoteKind, ImportKind>> = {
  operador: 'operador-estrangeiro',
  produto: 'produto',
  vinculo: 'fabricante',
};
