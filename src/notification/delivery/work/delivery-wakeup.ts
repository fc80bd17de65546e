import type { DeliveryWorker } from './worker.ts';

type Listener = Pick<DeliveryWorker, 'changed' | 'wake' | 'withdraw'>;

/**
 * Signals the delivery worker after a commit. In a server the worker listens. A command has no listener: the
 * server's worker polls the feed.
 */
export class DeliveryWakeup {
  #listener: Listener | undefined;

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** Signals added deliveries. */
  readonly wake = (): void => this.#listener?.wake();

  /** Signals that existing deliveries wait again, or for another endpoint. */
  readonly changed = (): void => this.#listener?.changed();

  /** Signals that a subscription was deleted: no request may be sent for it any more. */
  readonly withdraw = (subscriptionId: number): void => this.#listener?.withdraw(subscriptionId);
}
