/**
 * Item of the attention list, before sorting and before dismissed items are left out (contract section 25).
 */
import type { Day } from '../../clock.ts';

export const ATTENTION_KINDS = [
  'paraCorrigir',
  'importacoes',
  'prazos',
  'assinaturas',
  'remotos',
  'propostas',
  'recusadas',
  'semTabela',
  'rascunhos',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** Texts of the links of items, on the panel and in messages. A link leads to the page where the item is resolved. */
export const ATTENTION_LINKS: Readonly<Record<AttentionKind, string>> = {
  paraCorrigir: 'Corrigir',
  importacoes: 'Ver resultado',
  prazos: 'Corrigir',
  assinaturas: 'Ver entregas',
  remotos: 'Ver remoto',
  propostas: 'Decidir',
  recusadas: 'Ver proposta',
  semTabela: 'Ver a tabela',
  rascunhos: 'Ver rascunhos',
};

/** Most urgent first. */
export const TONES = ['error', 'warning', 'info'] as const;
export type Tone = (typeof TONES)[number];

export interface AttentionItem {
  readonly kind: AttentionKind;
  /** Subscription, remote or proposal; absent for a kind with one item. */
  readonly id?: string;
  readonly count: number;
  /** Day of the item; items without one come last. */
  readonly day?: Day;
  readonly href: string;
  readonly tone: Tone;
  /** Portuguese. */
  readonly message: string;
}

/** Sorts after every day. */
const NO_DAY = '9999';

type Urgent = { readonly tone: Tone; readonly day?: Day | undefined };

/** Orders items by tone, then by day. */
export const byUrgency = (a: Urgent, b: Urgent): number =>
  TONES.indexOf(a.tone) - TONES.indexOf(b.tone) || (a.day ?? NO_DAY).localeCompare(b.day ?? NO_DAY);
