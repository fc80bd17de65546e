/** Types and limits shared by the features of notification. */
import { DAY_MS, type EpochMs } from '../clock.ts';
import { limitOf } from '../validation/forms.ts';

/**
 * The retention: 30 days of 24 hours. The specification sets it for failure records. Finished deliveries and
 * their events have the same retention.
 */
export const RETENTION_MS = 30 * DAY_MS;

export interface DeliveryAttempt {
  /** The start of the attempt. */
  readonly at: EpochMs;
  readonly outcome: string;
  readonly phase: string;
  /** The status of the receiver's response; `null`: no response. */
  readonly status: number | null;
  /** Milliseconds from the start of the request. */
  readonly ms: number;
  readonly description: string;
  /** The beginning of the receiver's response; `null` when it was empty, and in lists. */
  readonly answer: string | null;
  /** True without an answer if the receiver responded to an older version, which did not keep it. */
  readonly isAnswerUnrecorded: 0 | 1;
}

/** An attempt as it is stored. */
export interface AttemptRow extends Omit<DeliveryAttempt, 'isAnswerUnrecorded'> {
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

/** The number of records that an administration list returns (contract section 13). */
export const ListLimit = {
  default: 100,
  schema: limitOf('Quantos registros, no máximo.', LIST_LIMIT_MAX, 100),
} as const;
