/** Lists deliveries with their attempts, and replays them (contract sections 10 and 13). */
import type { EpochMs } from '../../../clock.ts';
import type { Writer } from '../../../db/writer.ts';
import { notFound, unprocessable } from '../../../errors.ts';
import { NOTIFICATION_CODES, type NotificationRule } from '../../codes.ts';
import type { DeliveryFilter, DeliveryHistoryStore } from './store.ts';
import { type DetailedDelivery, toDetailed } from './detail.ts';
import { type ListedDelivery, toListed } from './model.ts';

export class DeliveryHistory {
  readonly #store: DeliveryHistoryStore;
  readonly #writer: Writer;
  /** Called after a commit that made deliveries wait again. */
  readonly #wakeDelivery: () => void;

  constructor(store: DeliveryHistoryStore, writer: Writer, wakeDelivery: () => void) {
    this.#store = store;
    this.#writer = writer;
    this.#wakeDelivery = wakeDelivery;
  }

  /** Yields deliveries, newest first. Pages are read on demand. */
  *list(filter: DeliveryFilter): Generator<ListedDelivery> {
    for (const page of this.#store.pages(filter)) for (const delivery of page) yield toListed(delivery);
  }

  /** Returns a delivery with its request. Throws 404 when it does not exist or is not the user's. */
  get(id: number, documento?: string): DetailedDelivery {
    const { record } = this.#find(id, documento);
    const request = this.#store.findRequest(id);
    if (request === undefined) throw notFound(`Não existe a entrega ${id}.`);
    return toDetailed(record, request);
  }

  /**
   * Makes a delivery due for one more attempt and returns it.
   * Throws 404 when it does not exist or is not the user's, 422 when it cannot be replayed.
   */
  replay(id: number, documento?: string): Promise<ListedDelivery> {
    return this.#writer.write((tx) => {
      const { record, isSubscribed } = this.#find(id, documento);
      if (record.state === 'cancelled')
        throw refusal('cancelledDelivery', `A entrega ${id} foi cancelada e não pode ser refeita.`);
      if (!isSubscribed)
        throw refusal(
          'endedSubscription',
          `A assinatura ${record.subscriptionId} da entrega ${id} foi excluída: nada mais é enviado a ela.`,
        );
      this.#store.replay(id, tx.now);
      tx.afterCommit(this.#wakeDelivery);
      return toListed({ ...record, state: 'pending', nextAttemptAt: tx.now });
    });
  }

  /** Replays every delivery that failed for good at `since` or later. Returns their number. */
  async replayFailedSince(since: EpochMs): Promise<{ readonly replayed: number }> {
    let replayed = 0;
    let lastId = 0;
    for (;;) {
      const ids = await this.#writer.write((tx) => {
        const failed = this.#store.listFailedSince(since, lastId, REPLAY_SLICE);
        for (const id of failed) this.#store.replay(id, tx.now);
        tx.afterCommit(this.#wakeDelivery);
        return failed;
      });
      replayed += ids.length;
      lastId = ids.at(-1) ?? lastId;
      if (ids.length < REPLAY_SLICE) return { replayed };
    }
  }

  #find(id: number, documento: string | undefined): NonNullable<ReturnType<DeliveryHistoryStore['find']>> {
    const delivery = this.#store.find(id);
    const isOwn = documento === undefined || (delivery?.documento === documento && delivery.isEntitled);
    if (delivery === undefined || !isOwn) throw notFound(`Não existe a entrega ${id}.`);
    return delivery;
  }
}

/** The most deliveries that one transaction replays, so that requests run in between. */
const REPLAY_SLICE = 500;

function refusal(rule: NotificationRule, message: string) {
  return unprocessable([{ code: NOTIFICATION_CODES[rule].code, message, field: 'id', path: 'id' }]);
}
