/**
 * Publishes events (contract section 10): the event and its deliveries are stored with the change that caused
 * them.
 */
import type { Transaction, Writer } from '../../db/writer.ts';
import { notFound } from '../../errors.ts';
import type { EventPublisher, NewEvent, PublishedEvent, Recipient, StoredEvent } from './model.ts';
import type { EventFilter, EventStore, Subscriber } from './store.ts';

const CNPJ_LENGTH = 14;
const CNPJ_ROOT_LENGTH = 8;

/** Due time of the deliveries of a command: due at any time of the server, which may use a test clock. */
const DUE_ON_ANY_CLOCK = 0;

export class EventService implements EventPublisher {
  readonly #store: EventStore;
  readonly #writer: Writer;
  /** Called after a commit that made deliveries due. */
  readonly #wakeDelivery: () => void;

  constructor(store: EventStore, writer: Writer, wakeDelivery: () => void) {
    this.#store = store;
    this.#writer = writer;
    this.#wakeDelivery = wakeDelivery;
  }

  /** Lists events, newest first. */
  list(filter: EventFilter): StoredEvent[] {
    return this.#store.list(filter);
  }

  /** Publishes an event without a change of a record, in its own transaction. */
  publishAlone(event: NewEvent): Promise<PublishedEvent> {
    return this.#writer.write((tx) => this.publish(tx, event));
  }

  /**
   * Publishes one sample for each active subscription to that event. Each is a separate event, addressed to a
   * recipient for whom its subscriber gets such events. It is delivered, repeated and kept like any other.
   * `conteudoFor` builds the body for that recipient.
   */
  trigger(evento: string, conteudoFor: (recipient: Recipient) => string): Promise<readonly NewEvent[]> {
    return this.#writer.write((tx) => {
      const subscribers = this.#store.subscribers(evento);
      return subscribers.map((subscriber) => this.#sendTo(subscriber, conteudoFor, tx).event);
    });
  }

  /**
   * Publishes one sample for one active subscription of a user, about the given company if any. Throws 404.
   */
  test(
    subscriptionId: number,
    documento: string,
    cpfCnpjRaiz: string | undefined,
    conteudoFor: (recipient: Recipient, evento: string) => string,
  ): Promise<PublishedEvent> {
    return this.#writer.write((tx) => {
      const subscriber = this.#store.subscriber(subscriptionId, documento);
      if (subscriber === undefined)
        throw notFound(`Não existe assinatura ativa ${subscriptionId} deste usuário.`);
      const about = cpfCnpjRaiz === undefined ? subscriber : { ...subscriber, cpfCnpjRaiz };
      const { id } = this.#sendTo(about, (recipient) => conteudoFor(recipient, subscriber.evento), tx);
      return { id, deliveries: 1 };
    });
  }

  #sendTo(subscriber: Subscriber, conteudoFor: (recipient: Recipient) => string, tx: Transaction) {
    const recipient = recipientOf(subscriber);
    const { evento, subscriptionId } = subscriber;
    const event = this.#withHeadOffice({ evento, ...recipient, conteudo: conteudoFor(recipient) });
    const id = this.#store.insertEvent(event, tx.now);
    this.#store.insertDeliveryTo(id, subscriptionId, DUE_ON_ANY_CLOCK);
    tx.afterCommit(this.#wakeDelivery);
    return { id, event };
  }

  publish(transaction: Transaction, event: NewEvent): PublishedEvent {
    const { destinatarioTipo, destinatarioId } = event;
    // A CNPJ of any branch reaches the representatives of its root.
    const recipient =
      destinatarioTipo === 'CNPJ' ? destinatarioId.slice(0, CNPJ_ROOT_LENGTH) : destinatarioId;
    const id = this.#store.insertEvent(this.#withHeadOffice(event), transaction.now);
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

  headOfficeOf(cpfCnpjRaiz: string): string | undefined {
    return this.#store.findHeadOffice(cpfCnpjRaiz);
  }

  /** Sets the `destinatario-id` of a CNPJ to the full number when the company has one, else to the root. */
  #withHeadOffice(event: NewEvent): NewEvent {
    if (event.destinatarioTipo !== 'CNPJ' || event.destinatarioId.length === CNPJ_LENGTH) return event;
    const headOffice = this.headOfficeOf(event.destinatarioId);
    return headOffice === undefined ? event : { ...event, destinatarioId: headOffice };
  }
}

function recipientOf({ orgao, cpfCnpjRaiz, documento }: Subscriber): Recipient {
  if (orgao !== null) return { destinatarioTipo: 'ORGAO', destinatarioId: orgao };
  if (cpfCnpjRaiz !== null && cpfCnpjRaiz.length === CNPJ_ROOT_LENGTH)
    return { destinatarioTipo: 'CNPJ', destinatarioId: cpfCnpjRaiz };
  return { destinatarioTipo: documento.length === CNPJ_LENGTH ? 'CNPJ' : 'CPF', destinatarioId: documento };
}
