/** Idempotency: requests that a client repeats after a lost answer. */
import { Idempotency } from '../../idempotency/service.ts';
import { IdempotencyStore } from '../../idempotency/store.ts';
import type { AppContext } from '../app-context.ts';

export const openIdempotency = ({ db, writer, clock }: Pick<AppContext, 'db' | 'writer' | 'clock'>) =>
  new Idempotency(new IdempotencyStore(db), writer, clock);
