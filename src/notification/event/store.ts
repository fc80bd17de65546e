/** Events and their pending deliveries on disk. */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { DestinatarioTipo, NewEvent } from './model.ts';

export class EventStore {
  readonly #headOffice;
  readonly #insertEvent;
  readonly #isSubscribed;
  readonly #insertDeliveries;

  constructor(db: Db) {
    this.#headOffice = db
      .prepare<[string], string | null>('SELECT cnpj FROM company WHERE cpf_cnpj_raiz = ?')
      .pluck();
    this.#insertEvent = db.prepare<[string, string, string, string, number]>(
      `INSERT INTO event (evento, destinatario_tipo, destinatario_id, conteudo, published_at) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#isSubscribed = db
      .prepare<[string], 1>('SELECT 1 FROM subscription WHERE evento = ? AND deleted_at IS NULL LIMIT 1')
      .pluck();
    this.#insertDeliveries = {
      CNPJ: db.prepare<[DeliveryParameters]>(insertDeliveriesWhere(REPRESENTS_ROOT)),
      CPF: db.prepare<[DeliveryParameters]>(
        insertDeliveriesWhere(`(s.documento = @recipient OR ${REPRESENTS_ROOT})`),
      ),
      ORGAO: db.prepare<[DeliveryParameters]>(insertDeliveriesWhere(BELONGS_TO_BODY)),
    };
  }

  /** The full number of a company's head office, where it is known. */
  findHeadOffice(cpfCnpjRaiz: string): string | undefined {
    return this.#headOffice.get(cpfCnpjRaiz) ?? undefined;
  }

  insertEvent(event: NewEvent, publishedAt: EpochMs): number {
    const { evento, destinatarioTipo, destinatarioId, conteudo } = event;
    return Number(
      this.#insertEvent.run(evento, destinatarioTipo, destinatarioId, conteudo, publishedAt).lastInsertRowid,
    );
  }

  /** One pending delivery for each active subscription that the event reaches; returns how many. */
  insertDeliveries(eventId: number, evento: string, tipo: DestinatarioTipo, recipient: string, dueAt: EpochMs): number {
    // Most events have no subscriber: looking first costs 2 µs, inserting from an empty selection 50.
    if (this.#isSubscribed.get(evento) === undefined) return 0;
    return this.#insertDeliveries[tipo].run({ eventId, dueAt, evento, recipient }).changes;
  }
}

interface DeliveryParameters {
  readonly eventId: number;
  readonly dueAt: EpochMs;
  readonly evento: string;
  readonly recipient: string;
}

const REPRESENTS_ROOT = `EXISTS (SELECT 1 FROM representation r
  WHERE r.documento = s.documento AND r.cpf_cnpj_raiz = @recipient)`;

const BELONGS_TO_BODY = 'EXISTS (SELECT 1 FROM user u WHERE u.documento = s.documento AND u.orgao = @recipient)';

function insertDeliveriesWhere(isRecipient: string): string {
  return `INSERT INTO delivery (event_id, subscription_id, state, next_attempt_at)
    SELECT @eventId, s.id, 'pending', @dueAt FROM subscription s
    WHERE s.evento = @evento AND s.deleted_at IS NULL AND ${isRecipient} ORDER BY s.id`;
}
