/** Events and whom they reach (contract section 10). */
import type { Transaction } from '../../db/writer.ts';

export const DESTINATARIO_TIPOS = ['CPF', 'CNPJ', 'ORGAO'] as const;
export type DestinatarioTipo = (typeof DESTINATARIO_TIPOS)[number];

export interface NewEvent {
  readonly evento: string;
  readonly destinatarioTipo: DestinatarioTipo;
  /** CPF with 11 digits, CNPJ with 14 or its root, or the name of a public body. */
  readonly destinatarioId: string;
  /** The JSON text that is sent as it stands. */
  readonly conteudo: string;
}

export interface PublishedEvent {
  readonly id: number;
  /** How many deliveries the event made: one per active subscription that it reaches. */
  readonly deliveries: number;
}

/** Writes an event and its deliveries in the transaction of the change that caused them. */
export interface EventPublisher {
  publish(transaction: Transaction, event: NewEvent): PublishedEvent;
}
