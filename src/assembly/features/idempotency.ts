/** Orders that a client repeats after a lost answer. */
import { IdempotentOrders } from '../../idempotency/service.ts';
import { IdempotentOrderStore } from '../../idempotency/store.ts';
import type { Ground } from '../ground.ts';

export const openOrders = ({ db, writer, clock }: Pick<Ground, 'db' | 'writer' | 'clock'>) =>
  new IdempotentOrders({ store: new IdempotentOrderStore(db), writer, clock });
