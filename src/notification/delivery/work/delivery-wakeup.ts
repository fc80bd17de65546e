import type { DeliveryWorker } from './worker.ts';

type Listener = Pick<DeliveryWorker, 'changed' | 'wake' | 'withdraw'>;

/** Rung after a commit. In a server its worker listens; a command has none, and the server's looks by itself. */
export class DeliveryWakeup {
  #listener: Listener | undefined;

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  /** Deliveries were added. */
  readonly wake = (): void => this.#listener?.wake();

  /** Deliveries that were there wait anew, or for another endpoint. */
  readonly changed = (): void => this.#listener?.changed();

  /** Nothing may be sent for a subscription any more. */
  readonly withdraw = (subscriptionId: number): void => this.#listener?.withdraw(subscriptionId);
}
