/** What became of the deliveries, and one more attempt of one (contract sections 10 and 13). */
import type { Writer } from '../../db/writer.ts';
import { notFound, unprocessable } from '../../errors.ts';
import { NOTIFICATION_CODES, type NotificationRule } from '../codes.ts';
import type { DeliveryFilter, DeliveryHistoryStore } from './history-store.ts';
import { type ListedDelivery, toListed } from './model.ts';

export class DeliveryHistory {
  readonly #store: DeliveryHistoryStore;
  readonly #writer: Writer;
  /** Told after the commit that deliveries are due. */
  readonly #wakeDelivery: () => void;

  constructor(store: DeliveryHistoryStore, writer: Writer, wakeDelivery: () => void) {
    this.#store = store;
    this.#writer = writer;
    this.#wakeDelivery = wakeDelivery;
  }

  /** Newest first. */
  list(filter: DeliveryFilter): ListedDelivery[] {
    return this.#store.list(filter).map(toListed);
  }

  /** Answers the delivery as it now waits for its attempt. Throws 404, 422. */
  replay(id: number): Promise<ListedDelivery> {
    return this.#writer.write((tx) => {
      const delivery = this.#store.find(id);
      if (delivery === undefined) throw notFound(`Não existe a entrega ${id}.`);
      if (delivery.state === 'cancelled')
        throw refusal('cancelledDelivery', `A entrega ${id} foi cancelada e não pode ser refeita.`);
      if (!delivery.isSubscribed)
        throw refusal(
          'endedSubscription',
          `A assinatura ${delivery.subscriptionId} da entrega ${id} foi excluída: nada mais é enviado a ela.`,
        );
      this.#store.replay(id, tx.now);
      tx.afterCommit(this.#wakeDelivery);
      const { isSubscribed, ...record } = delivery;
      return toListed({ ...record, state: 'pending', nextAttemptAt: tx.now });
    });
  }
}

function refusal(rule: NotificationRule, message: string) {
  return unprocessable([{ code: NOTIFICATION_CODES[rule].code, message, field: 'id', path: 'id' }]);
}
