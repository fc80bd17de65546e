/** Events and their recipients (contract section 10). */
import type { EpochMs } from '../../clock.ts';
import type { Transaction } from '../../db/writer.ts';

export const DESTINATARIO_TIPOS = ['CPF', 'CNPJ', 'ORGAO'] as const;
export type DestinatarioTipo = (typeof DESTINATARIO_TIPOS)[number];

export interface Recipient {
  readonly destinatarioTipo: DestinatarioTipo;
  /** CPF with 11 digits, CNPJ with 14 or its root, or the name of a public body. */
  readonly destinatarioId: string;
}

export interface NewEvent extends Recipient {
  readonly evento: string;
  /** The JSON text, sent unchanged. */
  readonly conteudo: string;
}

export interface PublishedEvent {
  readonly id: number;
  /** The number of deliveries of the event: one per active subscription that it reaches. */
  readonly deliveries: number;
}

/** A stored event. */
export interface StoredEvent extends NewEvent, PublishedEvent {
  readonly publishedAt: EpochMs;
}

/** Writes an event and its deliveries in the transaction of the change that caused them. */
export interface EventPublisher {
  publish(transaction: Transaction, event: NewEvent): PublishedEvent;
  /** Returns the full number of a company's head office; `undefined`: unknown. */
  headOfficeOf(cpfCnpjRaiz: string): string | undefined;
  /**
   * Returns true when an active subscription to that event exists. Call it inside the transaction of the
   * change.
   */
  isSubscribed(evento: string): boolean;
}

const CPF = /^[0-9]{11}$/;
const CNPJ = /^[0-9]{8}(?:[0-9]{6})?$/;
/** Letters are valid since July 2026. The two check digits stay digits. */
const ALPHANUMERIC_CNPJ = /^[0-9A-Z]{8}(?:[0-9A-Z]{4}[0-9]{2})?$/;
/** The name is sent in a header, which holds no control characters. */
// oxlint-disable-next-line no-control-regex -- these are what it refuses
const ORGAO = /^[^\u0000-\u001f\u007f-\u009f]+$/u;
export const ORGAO_MAX = 40;

export interface RecipientRules {
  readonly alphanumericCnpj: boolean;
}

/**
 * Returns the accepted form of a `destinatarioId` of that kind; `undefined`: the given one is valid. The
 * schema checks its length.
 */
export function recipientFault(
  { destinatarioTipo, destinatarioId }: Recipient,
  rules: RecipientRules,
): string | undefined {
  switch (destinatarioTipo) {
    case 'CPF':
      return CPF.test(destinatarioId) ? undefined : 'um CPF com 11 dígitos';
    case 'CNPJ':
      if ((rules.alphanumericCnpj ? ALPHANUMERIC_CNPJ : CNPJ).test(destinatarioId)) return undefined;
      return rules.alphanumericCnpj
        ? 'um CNPJ com 14 dígitos ou letras maiúsculas, ou a raiz com 8'
        : 'um CNPJ com 14 dígitos, ou a raiz com 8';
    case 'ORGAO':
      return ORGAO.test(destinatarioId) ? undefined : 'o nome de um órgão, sem caracteres de controle';
  }
}
