/** Reads and replays deliveries for the administration interface. The worker has its own store. */
import { recordedSince } from '../../../db/migration-table.ts';
import type { EpochMs } from '../../../clock.ts';
import { entitled } from '../../entitled-store.ts';
import { Store } from '../../../db/prepared.ts';
import type { AttemptRow, DeliveryAttempt } from '../../model.ts';
import type { DeliveryRecord, DeliveryState, StoredRequest } from './model.ts';

export interface DeliveryFilter {
  readonly subscriptionId?: number | undefined;
  readonly evento?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** Only deliveries of this user's subscriptions. */
  readonly documento?: string | undefined;
  /** Excludes deliveries of another company's events. */
  readonly cpfCnpjRaiz?: string | undefined;
  readonly limit: number;
  /** Only deliveries older than this one. */
  readonly before?: number | undefined;
}

/** The page size: reading a page with all attempts takes some ms. */
const PAGE_DELIVERIES = 100;

type DeliveryRow = Omit<DeliveryRecord, 'attempts'>;

interface OwnedRow extends DeliveryRow {
  readonly deletedAt: EpochMs | null;
  readonly documento: string;
  readonly isEntitled: 0 | 1;
}

/** A delivery with its owner, and the owner's subscription and right at this moment. */
interface OwnedDelivery {
  readonly record: DeliveryRecord;
  readonly isSubscribed: boolean;
  readonly documento: string;
  /** False when its owner no longer represents the company of the event. */
  readonly isEntitled: boolean;
}

interface RequestRow extends Omit<StoredRequest, 'hasSecret' | 'hasAuthorization'> {
  readonly hasSecret: 0 | 1;
  readonly hasAuthorization: 0 | 1;
}

const COLUMNS = `d.id, d.event_id AS eventId, d.subscription_id AS subscriptionId, e.evento, s.endpoint, d.state,
  d.next_attempt_at AS nextAttemptAt`;
const RIGHT = entitled('e.company', 's.documento');
const JOINED = 'JOIN event e ON e.id = d.event_id JOIN subscription s ON s.id = d.subscription_id';

type ReadAttempt = AttemptRow & DeliveryAttempt;

/** The migration that added the answers. */
const ANSWER = 16;

/**
 * Selects the attempts of deliveries. `answer` reads the receivers' answers too, for a single delivery only:
 * in a list they would be far larger than the list.
 */
const attemptsSql = (answer: 'answer' | 'NULL'): string =>
  `SELECT delivery_id AS deliveryId, at, outcome, CASE phase WHEN 'name' THEN 'lookup' ELSE phase END AS phase,
     status, ms, description, ${answer} AS answer,
     answer IS NULL AND status IS NOT NULL AND at < ${recordedSince(ANSWER)} AS isAnswerUnrecorded FROM delivery_attempt
   WHERE delivery_id IN (SELECT value FROM json_each(?)) ORDER BY delivery_id, id`;

export class DeliveryHistoryStore extends Store {
  readonly #find = this.one<[number], OwnedRow>(
    `SELECT ${COLUMNS}, s.deleted_at AS deletedAt, s.documento, ${RIGHT} AS isEntitled
     FROM delivery d ${JOINED} WHERE d.id = ?`,
  );
  /** Reads what a delivery sends. Reports only that a secret exists, not its value. */
  readonly findRequest = this.one<[id: number], StoredRequest>(
    `SELECT e.destinatario_tipo AS destinatarioTipo, e.destinatario_id AS destinatarioId, e.conteudo,
       e.published_at AS publishedAt, s.chave_secreta IS NOT NULL AS hasSecret,
       s.chave_autenticacao IS NOT NULL AS hasAuthorization
     FROM delivery d ${JOINED} WHERE d.id = ?`,
    toRequest,
  );
  /**
   * Makes a delivery due for one more attempt, which is not repeated if it fails. A repeat that was planned
   * before stays planned.
   */
  readonly replay = this.runs(
    `UPDATE delivery SET state = 'pending', finished_at = NULL, replay = 1, next_attempt_at = ?,
       resume_at = CASE WHEN replay = 1 THEN resume_at ELSE next_attempt_at END WHERE id = ?`,
    (id: number, dueAt: EpochMs) => [dueAt, id],
  );
  /**
   * Returns the first `limit` deliveries after `afterId` that failed for good at `since` or later and whose
   * subscriptions are active.
   */
  readonly listFailedSince = this.values<[since: EpochMs, afterId: number, limit: number], number>(
    `SELECT d.id FROM delivery d JOIN subscription s ON s.id = d.subscription_id
     WHERE d.state = 'failed' AND d.finished_at >= ? AND d.id > ? AND s.deleted_at IS NULL
     ORDER BY d.id LIMIT ?`,
  );
  readonly #attempts = this.many<[ids: string], ReadAttempt>(attemptsSql('NULL'));
  readonly #answeredAttempts = this.many<[ids: string], ReadAttempt>(attemptsSql('answer'));

  /** Yields pages on demand, newest delivery first. */
  *pages({ limit = Infinity, ...filter }: Partial<DeliveryFilter>): Generator<DeliveryRecord[]> {
    let { before } = filter;
    for (let remaining = limit; remaining > 0; remaining -= PAGE_DELIVERIES) {
      const page = this.list({ ...filter, before, limit: Math.min(remaining, PAGE_DELIVERIES) });
      yield page;
      if (page.length < PAGE_DELIVERIES) return;
      before = page.at(-1)?.id;
    }
  }

  /** Returns deliveries, newest first. */
  list(filter: DeliveryFilter): DeliveryRecord[] {
    const { subscriptionId = null, evento = null, state = null, documento = null } = filter;
    const { cpfCnpjRaiz = null, before = null, limit } = filter;
    const rows = this.db
      .prepare<[object], DeliveryRow>(listQuery(filter))
      .all({ subscriptionId, evento, state, documento, cpfCnpjRaiz, before, limit });
    return withAttempts(rows, this.#attempts);
  }

  find(id: number): OwnedDelivery | undefined {
    const row = this.#find(id);
    if (row === undefined) return undefined;
    const { deletedAt, documento, isEntitled, ...delivery } = row;
    const [record] = withAttempts([delivery], this.#answeredAttempts);
    return record && { record, isSubscribed: deletedAt === null, documento, isEntitled: isEntitled === 1 };
  }
}

const toRequest = ({ hasSecret, hasAuthorization, ...row }: RequestRow): StoredRequest => ({
  ...row,
  hasSecret: hasSecret === 1,
  hasAuthorization: hasAuthorization === 1,
});

function withAttempts(
  rows: readonly DeliveryRow[],
  listAttempts: (ids: string) => readonly ReadAttempt[],
): DeliveryRecord[] {
  const attempts = new Map<number, DeliveryAttempt[]>(rows.map(({ id }) => [id, []]));
  const attemptRows = listAttempts(JSON.stringify(rows.map(({ id }) => id)));
  for (const { deliveryId, ...attempt } of attemptRows) attempts.get(deliveryId)?.push(attempt);
  return rows.map(({ nextAttemptAt, ...row }) => ({
    ...row,
    attempts: attempts.get(row.id) ?? [],
    nextAttemptAt,
  }));
}

/**
 * Builds the list query. The join begins with the table whose index serves the filter. A delivery is inserted
 * with its event, so both ids have the same order.
 */
export function listQuery(filter: Omit<DeliveryFilter, 'limit'>): string {
  const { subscriptionId, evento, state, documento, cpfCnpjRaiz, before } = filter;
  const byUser = documento !== undefined && subscriptionId === undefined;
  const byEvent = evento !== undefined && subscriptionId === undefined && !byUser;
  const from = byUser
    ? 'subscription s CROSS JOIN delivery d ON d.subscription_id = s.id JOIN event e ON e.id = d.event_id'
    : byEvent
      ? 'event e CROSS JOIN delivery d ON d.event_id = e.id JOIN subscription s ON s.id = d.subscription_id'
      : `delivery d ${JOINED}`;
  const conditions = [
    ...(subscriptionId === undefined ? [] : ['d.subscription_id = @subscriptionId']),
    ...(evento === undefined ? [] : ['e.evento = @evento']),
    ...(state === undefined ? [] : ['d.state = @state']),
    ...(documento === undefined ? [] : ['s.documento = @documento', RIGHT]),
    ...(cpfCnpjRaiz === undefined ? [] : ['coalesce(e.company, @cpfCnpjRaiz) = @cpfCnpjRaiz']),
    ...(before === undefined ? [] : ['d.id < @before']),
  ];
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return `SELECT ${COLUMNS} FROM ${from} ${where} ORDER BY ${byEvent ? 'e.id DESC, d.id DESC' : 'd.id DESC'} LIMIT @limit`;
}
