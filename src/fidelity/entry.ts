/** The form of a ledger entry, and the three kinds of origin. */

export const CERTAINTIES = ['specification', 'public interface', 'ours'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface LedgerEntry {
  readonly topic: string;
  /** The section of the specification, or the page of `/ajuda` about a decision of ours. */
  readonly section: string;
  /** A quote of the specification or the contract that the entry explains. A test looks it up. */
  readonly quotes: string;
  readonly behaviour: string;
  readonly reason: string;
  readonly certainty: Certainty;
  readonly setting: string | null;
}

const besideSpecification =
  (certainty: Certainty, reason: string) =>
  (
    topic: string,
    section: string,
    quotes: string,
    behaviour: string,
    setting: string | null = null,
  ): LedgerEntry => ({
    topic,
    section: `especificação, ${section}`,
    quotes,
    behaviour,
    reason,
    certainty,
    setting,
  });

/** Describes behaviour that the specification omits and the public service publishes. */
export const publicService = besideSpecification(
  'public interface',
  'Comportamento publicado do Portal Único Siscomex, versão de novembro de 2025.',
);

/** Describes behaviour that neither the specification nor the public service documents. */
export const ours = besideSpecification('ours', 'O serviço público não o documenta; a escolha é nossa.');

/** Describes a decision of ours that the specification does not cover. `page`: its name in the handbook. */
export function decided(
  topic: string,
  page: string,
  quotes: string,
  behaviour: string,
  reason: string,
  setting: string | null = null,
): LedgerEntry {
  return { topic, section: `/ajuda/${page}`, quotes, behaviour, reason, certainty: 'ours', setting };
}
