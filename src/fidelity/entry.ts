/** What the ledger says of one matter, and the three kinds of origin. */

export const CERTAINTIES = ['specification', 'public interface', 'ours'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export interface LedgerEntry {
  readonly topic: string;
  /** Section of the specification, or of the contract where the specification has no word of it. */
  readonly section: string;
  /** Words of the specification or the contract that the entry answers; a test looks them up. */
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

/** Not shown by the specification, and known from the public service. */
export const shown = besideSpecification(
  'public interface',
  'Comportamento publicado do Portal Único Siscomex, versão de novembro de 2025.',
);

/** Not shown by the specification, nor by the public service. */
export const ours = besideSpecification(
  'ours',
  'O serviço público não o documenta; a escolha está no contrato.',
);

/** Decided by the contract, beside the specification. */
export function decided(
  topic: string,
  section: string,
  quotes: string,
  behaviour: string,
  reason: string,
  setting: string | null = null,
): LedgerEntry {
  return { topic, section: `contrato, ${section}`, quotes, behaviour, reason, certainty: 'ours', setting };
}
