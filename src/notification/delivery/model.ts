/** Deliveries, as administration sees them (contract section 13). */
import { Type as t } from '@sinclair/typebox';
import type { EpochMs } from '../../clock.ts';
import { Moment, momentText } from '../model.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface DeliveryAttempt {
  readonly at: EpochMs;
  readonly outcome: string;
  /** Of the receiver's answer, where there was one. */
  readonly status: number | null;
  /** From the start of the request. */
  readonly ms: number;
  readonly description: string;
}

export interface DeliveryRecord {
  readonly id: number;
  readonly eventId: number;
  readonly subscriptionId: number;
  readonly evento: string;
  readonly endpoint: string;
  readonly state: DeliveryState;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
  readonly nextAttemptAt: EpochMs | null;
}

export const DeliveryStateText = t.Unsafe<DeliveryState>({ type: 'string', enum: [...DELIVERY_STATES] });

export const ListedDelivery = t.Object({
  id: t.Integer(),
  eventId: t.Integer(),
  subscriptionId: t.Integer(),
  evento: t.String(),
  endpoint: t.String(),
  state: DeliveryStateText,
  attempts: t.Array(
    t.Object({
      at: Moment,
      outcome: t.String(),
      status: t.Union([t.Integer(), t.Null()]),
      ms: t.Integer({ description: 'Duração desde o início da requisição.' }),
      description: t.String(),
    }),
  ),
  nextAttemptAt: t.Union([Moment, t.Null()]),
});
export type ListedDelivery = typeof ListedDelivery.static;

export function toListed({ attempts, nextAttemptAt, ...delivery }: DeliveryRecord): ListedDelivery {
  return {
    ...delivery,
    attempts: attempts.map(({ at, ...attempt }) => ({ at: momentText(at), ...attempt })),
    nextAttemptAt: nextAttemptAt === null ? null : momentText(nextAttemptAt),
  };
}
