/** Something that asks for attention, before it is ordered and dismissed items are left out (contract section 25). */
import type { Day } from '../../clock.ts';

export const ATTENTION_KINDS = [
  'paraCorrigir',
  'importacoes',
  'prazos',
  'assinaturas',
  'remotos',
  'semTabela',
  'rascunhos',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** The most urgent first. */
export const TONES = ['error', 'warning', 'info'] as const;
export type Tone = (typeof TONES)[number];

export interface Matter {
  readonly kind: AttentionKind;
  /** The subscription or remote; absent of a kind that has one item. */
  readonly id?: string;
  readonly count: number;
  /** Day that the matter is about; those without one come last. */
  readonly day?: Day;
  readonly href: string;
  readonly tone: Tone;
  /** Portuguese. */
  readonly message: string;
}
