/** What the features of notification share. */
import { DAY_MS, type EpochMs } from '../clock.ts';
import { limitOf } from '../validation/forms.ts';

/** 30 days of 24 hours: failure records by the specification, finished deliveries and their events beside them. */
export const RETENTION_MS = 30 * DAY_MS;

export interface DeliveryAttempt {
  /** When it began. */
  readonly at: EpochMs;
  readonly outcome: string;
  readonly phase: string;
  /** Of the receiver's answer, where there was one. */
  readonly status: number | null;
  /** From the start of the request. */
  readonly ms: number;
  readonly description: string;
  /** The beginning of the receiver's; `null` where it said nothing, and in lists. */
  readonly answer: string | null;
}

/** As it is kept. */
export interface AttemptRow extends DeliveryAttempt {
  readonly deliveryId: number;
}

export interface DeliveryFailure {
  readonly id: number;
  readonly failedAt: EpochMs;
  readonly descricao: string;
  readonly evento: string;
  /** The body that was sent. */
  readonly conteudo: string;
}

const LIST_LIMIT_MAX = 1000;

/** How many records a list of administration answers (contract section 13). */
export const ListLimit = {
  default: 100,
  schema: limitOf('Quantos registros, no máximo.', LIST_LIMIT_MAX, 100),
} as const;
