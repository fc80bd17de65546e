/** A manually published event: its recipient and the text to send. */
import type { EventType } from '../api/answers.ts';
import { unpointed } from '../words.ts';

export const RECIPIENT_KINDS = ['CNPJ', 'CPF', 'ORGAO'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];

const KIND_WORDS: Readonly<Record<RecipientKind, string>> = {
  CNPJ: 'CNPJ ou raiz do CNPJ: chega a quem representa a empresa.',
  CPF: 'CPF: chega a essa pessoa e a quem representa uma empresa com essa raiz.',
  ORGAO: 'Órgão público: chega a todos os seus agentes.',
};
export const kindInWords = (kind: RecipientKind): string => KIND_WORDS[kind];

/**
 * Returns the kind by the form of the recipient, with or without points: 11 digits, 8 or 14 digits and
 * capitals, anything else.
 */
export function kindOf(recipient: string): RecipientKind {
  const text = unpointed(recipient.trim());
  if (/^\d{11}$/.test(text)) return 'CPF';
  return /^(?=.*\d)[0-9A-Z]{8}(?:[0-9A-Z]{6})?$/.test(text) ? 'CNPJ' : 'ORGAO';
}

export const sampleOf = (types: readonly EventType[], evento: string): string => {
  const eventType = types.find((type) => type.evento === evento);
  return eventType === undefined ? '' : JSON.stringify(eventType.sample, null, 2);
};

export interface Publication {
  readonly evento: string;
  readonly destinatario: string;
  /** '': derived from the form of the recipient. */
  readonly tipo: RecipientKind | '';
  readonly conteudo: string;
}

/** Builds the text. The body is inserted as typed, so that numbers keep their digits. */
export function publicationText({ evento, destinatario, tipo, conteudo }: Publication): string {
  const destinatarioTipo = tipo === '' ? kindOf(destinatario) : tipo;
  const members = JSON.stringify({
    evento: evento.trim(),
    destinatarioTipo,
    destinatarioId: unpointed(destinatario.trim()),
  });
  return `${members.slice(0, -1)},"conteudo":${conteudo}}`;
}
