/** An event that is published by hand: for whom, and the text that goes out. */
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

/** By the look of what is written, with its points or without: 11 digits, 8 or 14 digits and capitals, anything else. */
export function kindOf(recipient: string): RecipientKind {
  const text = unpointed(recipient.trim());
  if (/^\d{11}$/.test(text)) return 'CPF';
  return /^(?=.*\d)[0-9A-Z]{8}(?:[0-9A-Z]{6})?$/.test(text) ? 'CNPJ' : 'ORGAO';
}

export const sampleOf = (types: readonly EventType[], evento: string): string => {
  const known = types.find((type) => type.evento === evento);
  return known === undefined ? '' : JSON.stringify(known.sample, null, 2);
};

export interface Publication {
  readonly evento: string;
  readonly destinatario: string;
  /** '': by the look of the recipient. */
  readonly tipo: RecipientKind | '';
  readonly conteudo: string;
}

/** The body is put in as it was typed: numbers keep their digits. */
export function publicationText({ evento, destinatario, tipo, conteudo }: Publication): string {
  const destinatarioTipo = tipo === '' ? kindOf(destinatario) : tipo;
  const members = JSON.stringify({
    evento: evento.trim(),
    destinatarioTipo,
    destinatarioId: unpointed(destinatario.trim()),
  });
  return `${members.slice(0, -1)},"conteudo":${conteudo}}`;
}
