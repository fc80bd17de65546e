/**
 * The rule that deletes a subscription with only errors (specification, Events rule 5; contract section 10).
 */
import { type EpochMs, HOUR_MS } from '../../clock.ts';

export interface FailingSubscription {
  /** The first failure since the last success, registration or change of endpoint. */
  readonly failingSince: EpochMs;
  /** The latest failure that is not in the future. */
  readonly lastFailureAt: EpochMs | null;
}

/** 30 days of 24 hours. */
export const DELINQUENT_AFTER_MS = 30 * 24 * HOUR_MS;
/**
 * The maximum age of the latest failure. An older failure shows that attempts have stopped: the subscription
 * is then kept.
 */
const RECENT_FAILURE_MS = 24 * HOUR_MS;

export const DELINQUENCY_REASON = 'Exclusão automática: somente erros de entrega nos últimos 30 dias.';

export function isDelinquent({ failingSince, lastFailureAt }: FailingSubscription, now: EpochMs): boolean {
  const isFailingForTooLong = now - failingSince >= DELINQUENT_AFTER_MS;
  const isStillFailing = lastFailureAt !== null && now - lastFailureAt <= RECENT_FAILURE_MS;
  return isFailingForTooLong && isStillFailing;
}
