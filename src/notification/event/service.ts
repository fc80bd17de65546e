/** Publishing (contract section 10): the event and its deliveries are on disk with the change that caused them. */
import type { Transaction, Writer } from '../../db/writer.ts';
import type { EventPublisher, NewEvent, PublishedEvent, StoredEvent } from './model.ts';
import type { EventFilter, EventStore } from './store.ts';

const CNPJ_LENGTH = 14;
const CNPJ_ROOT_LENGTH = 8;

export class EventService implements EventPublisher {
  readonly #store: EventStore;
  readonly #writer: Writer;
  /** Told after the commit that deliveries are due. */
  readonly #wakeDelivery: () => void;

  constructor(store: EventStore, writer: Writer, wakeDelivery: () => void) {
    this.#store = store;
    this.#writer = writer;
    this.#wakeDelivery = wakeDelivery;
  }

  /** Newest first. */
  list(filter: EventFilter): StoredEvent[] {
    return this.#store.list(filter);
  }

  /** Publishes an event that nothing but its publisher's will has caused. */
  publishAlone(event: NewEvent): Promise<PublishedEvent> {
    return this.#writer.write((tx) => this.publish(tx, event));
  }

  publish(transaction: Transaction, event: NewEvent): PublishedEvent {
    const { destinatarioTipo, destinatarioId } = event;
    // A CNPJ reaches the representatives of its root, whatever the branch.
    const recipient =
      destinatarioTipo === 'CNPJ' ? destinatarioId.slice(0, CNPJ_ROOT_LENGTH) : destinatarioId;
    const id = this.#store.insertEvent(this.#addressed(event), transaction.now);
    const deliveries = this.#store.insertDeliveries(
      id,
      event.evento,
      destinatarioTipo,
      recipient,
      transaction.now,
    );
    if (deliveries > 0) transaction.afterCommit(this.#wakeDelivery);
    return { id, deliveries };
  }

  isSubscribed(evento: string): boolean {
    return this.#store.isSubscribed(evento);
  }

  /** `destinatario-id` of a CNPJ is the full number where the company has one, else the root. */
  #addressed(event: NewEvent): NewEvent {
    if (event.destinatarioTipo !== 'CNPJ' || event.destinatarioId.length === CNPJ_LENGTH) return event;
    const headOffice = this.#store.findHeadOffice(event.destinatarioId);
    return headOffice === undefined ? event : { ...event, destinatarioId: headOffice };
  }
}
