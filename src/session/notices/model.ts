/** Defines notices by e-mail, and when a person wants each (contract section 27). */
import type { EpochMs } from '../../clock.ts';
import type { Right } from '../../right.ts';
import { withCount } from '../../validation/text.ts';

export const NOTICES = [
  'prazos',
  'desativados',
  'importacoes',
  'propostas',
  'assinaturas',
  'remotos',
] as const;
export type Notice = (typeof NOTICES)[number];

export const NOTICE_TIMES = ['imediato', 'diario', 'nunca'] as const;
export type NoticeTime = (typeof NOTICE_TIMES)[number];

export type NoticeChoices = Readonly<Record<Notice, NoticeTime>>;

/** The choices of a person who has not set any choice. */
const DEFAULT_CHOICES: NoticeChoices = {
  prazos: 'diario',
  desativados: 'diario',
  importacoes: 'nunca',
  propostas: 'diario',
  assinaturas: 'nunca',
  remotos: 'nunca',
};

/** Returns all choices of a person. `stored`: the column, which has only those that the person made. */
export const choicesIn = (stored: string): NoticeChoices => ({
  ...DEFAULT_CHOICES,
  ...(JSON.parse(stored) as Partial<NoticeChoices>), // written by this program
});

/** A notice to those who want its kind at once. */
export interface PersonNotice {
  readonly kind: Notice;
  /** Sends the notice to the representatives of this company. Absent: only to a person. */
  readonly cpfCnpjRaiz?: string | undefined;
  /** Sends the notice only to this person, even if `cpfCnpjRaiz` is set. */
  readonly documento?: string | undefined;
  /** Sends the notice only to representatives with this right over the company. */
  readonly right?: Right;
  /** Omits this person. */
  readonly except?: string;
  /** Portuguese: the cause, and what to do. */
  readonly text: string;
  /** A path of the pages, and the words of its link. */
  readonly link: { readonly href: string; readonly label: string };
}

/** A decision on a proposal, for the message to its author. */
export interface Decision {
  readonly items: number;
  readonly isApproved: boolean;
  readonly reason: string | null;
}

/** Returns the sentence for the author of a proposal. */
export const decisionText = ({ items, isApproved, reason }: Decision): string =>
  `A sua proposta de ${withCount(items, 'item', 'itens')} foi ${isApproved ? 'aprovada' : 'recusada'}${reason === null ? '.' : `: ${reason}`}`;

/** The part of a transaction that a notice needs. */
export interface NoticeTransaction {
  readonly now: EpochMs;
  afterCommit(work: () => void): void;
}

/** Queues a notice to people, in the transaction of its cause. */
export type NotifyPeople = (tx: NoticeTransaction, notice: PersonNotice) => void;
