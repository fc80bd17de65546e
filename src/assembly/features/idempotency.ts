/** Idempotency: requests that a client repeats after a lost answer. */
import { IdempotentOrders } from '../../idempotency/service.ts';
import { IdempotentOrderStore } from '../../idempotency/store.ts';
import type { AppContext } from '../app-context.ts';

export const openOrders = ({ db, writer, clock }: Pick<AppContext, 'db' | 'writer' | 'clock'>) =>
  new IdempotentOrders(new IdempotentOrderStore(db), writer, clock);
