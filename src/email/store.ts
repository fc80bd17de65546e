/** Stores the queued messages, and the outcomes of the others. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import { CATALOGUE_PROFILE } from '../session/model.ts';
import type { EmailState } from './model.ts';

export interface StoredEmail {
  readonly id: number;
  readonly key: string;
  readonly recipient: string;
  readonly content: Uint8Array;
  readonly attempts: number;
  readonly firstAttemptAt: EpochMs | null;
}

export interface Failure {
  readonly id: number;
  readonly now: EpochMs;
  readonly reason: string;
}

/** Rows of one pass. */
const DUE_MAX = 100;

/** The person of a message has a company, `value`, by hand or by a group. */
const HAS_COMPANY = `(EXISTS (SELECT 1 FROM representation r WHERE r.documento = email.documento
    AND r.cpf_cnpj_raiz = value AND r.perfil = '${CATALOGUE_PROFILE}')
  OR EXISTS (SELECT 1 FROM group_right g WHERE g.documento = email.documento AND g.cpf_cnpj_raiz = value))`;

export class EmailStore extends Store {
  readonly insert = this.runs(
    `INSERT INTO email (key, recipient, documento, companies, content, notice, created_at, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    (one: {
      readonly key: string;
      readonly recipient: string;
      readonly documento: string | null;
      readonly companies: readonly string[];
      readonly content: Uint8Array;
      readonly notice: string | null;
      readonly now: EpochMs;
      readonly dueAt: EpochMs;
    }) => [
      one.key,
      one.recipient,
      one.documento,
      JSON.stringify(one.companies),
      one.content,
      one.notice,
      one.now,
      one.dueAt,
    ],
  );
  readonly replace = this.runs(
    'UPDATE email SET content = ?, companies = ? WHERE id = ?',
    (id: number, content: Uint8Array, companies: readonly string[]) => [
      content,
      JSON.stringify(companies),
      id,
    ],
  );

  /**
   * Lists the due messages. `latest`: the last moment at which an attempt may be due; a later one was set before
   * the clock was put back, and counts as due.
   */
  readonly listDue = this.many<[now: EpochMs, latest: EpochMs], StoredEmail>(
    `SELECT id, key, recipient, content, attempts, first_attempt_at AS firstAttemptAt FROM email
     WHERE state = 'pending' AND (due_at <= ? OR due_at > ?) ORDER BY due_at, id LIMIT ${DUE_MAX}`,
  );
  readonly nextDueAt = this.value<[], EpochMs>("SELECT min(due_at) FROM email WHERE state = 'pending'");

  /** Returns true while the message may be sent to its recipient. */
  readonly isWanted = this.exists<[id: number]>(
    `SELECT 1 FROM email WHERE id = ? AND state = 'pending' AND (documento IS NULL OR (
       EXISTS (SELECT 1 FROM user WHERE documento = email.documento AND lower(user.email) = lower(recipient))
       AND (companies = '[]' OR EXISTS (SELECT 1 FROM json_each(companies) WHERE ${HAS_COMPANY}))))`,
  );
  /** Returns the companies of a message that its person no longer represents. */
  readonly lostCompanies = this.values<[id: number], string>(
    `SELECT value FROM email, json_each(companies) WHERE email.id = ? AND NOT ${HAS_COMPANY}`,
  );

  readonly #end = this.runs(
    `UPDATE email SET state = ?, content = NULL, ended_at = ?, reason = ?, attempts = attempts + ?
     WHERE id = ? AND state = 'pending'`,
  );
  /** Ends a message that was sent. */
  readonly markSent = (id: number, now: EpochMs): void => this.#end('sent', now, null, 1, id);
  readonly markFailed = ({ id, now, reason }: Failure): void => this.#end('failed', now, reason, 1, id);
  /** Ends a message whose recipient may not get it any more. */
  readonly drop = (id: number, now: EpochMs): void => this.#end('dropped', now, null, 0, id);

  readonly putOff = this.runs(
    `UPDATE email SET attempts = attempts + 1, first_attempt_at = coalesce(first_attempt_at, ?), due_at = ?,
       reason = ? WHERE id = ? AND state = 'pending'`,
    ({ id, now, reason }: Failure, dueAt: EpochMs) => [now, dueAt, reason, id],
  );

  /** Ends all queued messages, whose contents cannot be opened any more. Returns their number. */
  readonly failAll = this.changes<[now: EpochMs, reason: string]>(
    `UPDATE email SET state = 'failed', content = NULL, ended_at = ?, reason = ? WHERE state = 'pending'`,
  );
  readonly deleteEnded = this.changes<[before: EpochMs]>('DELETE FROM email WHERE ended_at < ?');

  readonly #state = this.one<[], EmailState>(
    `SELECT count(*) FILTER (WHERE state = 'pending') AS waiting,
       count(*) FILTER (WHERE state = 'failed') AS givenUp FROM email`,
  );
  readonly state = (): EmailState => this.#state() ?? { waiting: 0, givenUp: 0 };
}
