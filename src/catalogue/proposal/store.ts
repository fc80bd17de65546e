/** Stores proposals and their decisions on disk. Their rows are those of the import. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { Decision, Proposal, ProposalChoice } from './model.ts';

const PROPOSAL = `SELECT p.job_id AS id, p.company, p.documento, p.note, p.proposed_at AS proposedAt, p.state, p.decided_by AS decidedBy,
    p.decided_at AS decidedAt, p.reason, j.tipo, j.kind, j.file_name AS fileName, j.processed AS total, j.created,
    j.new_version AS newVersion, j.deactivated, j.failed,
    (SELECT max(i.id) FROM import_job i WHERE i.proposal = p.job_id) AS importId
  FROM proposal p JOIN import_job j ON j.id = p.job_id`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const PROPOSAL_QUERIES = {
  list: `${PROPOSAL} WHERE p.company IN (SELECT value FROM json_each(@companies)) AND (@state IS NULL OR p.state = @state)
      AND (@id IS NULL OR p.job_id = @id)
      AND (@tipo IS NULL OR j.tipo = @tipo)
      AND (@codigo IS NULL OR EXISTS (SELECT 1 FROM import_result r
        WHERE r.job_id = p.job_id AND r.codigo = @codigo AND r.outcome NOT IN ('failed', 'unchanged')))
    ORDER BY p.job_id DESC LIMIT @limit`,
  awaiting: `SELECT count(*) AS count, min(proposed_at) AS oldest FROM proposal INDEXED BY proposal_awaiting
    WHERE state = 'awaiting' AND company = ? AND documento <> ?`,
  rejected: `${PROPOSAL} WHERE p.company = ? AND p.documento = ? AND p.state = 'rejected' AND j.forgotten = 0
    ORDER BY p.job_id DESC LIMIT ?`,
  overdue: `SELECT job_id FROM proposal WHERE state = 'awaiting' AND proposed_at <= ? LIMIT 1`,
} as const;

export class ProposalStore extends Store {
  readonly #insert = this.changes<
    [id: number, company: string, by: string, note: string | null, at: EpochMs]
  >(
    `INSERT OR IGNORE INTO proposal (job_id, company, documento, note, proposed_at, state) VALUES (?, ?, ?, ?, ?, 'awaiting')`,
  );
  readonly find = this.one<[id: number], Proposal>(`${PROPOSAL} WHERE p.job_id = ?`);
  readonly #decide = this.changes<[string, string | null, EpochMs, string | null, number]>(
    `UPDATE proposal SET state = ?, decided_by = ?, decided_at = ?, reason = ? WHERE job_id = ? AND state = 'awaiting'`,
  );
  readonly #list = this.many<[object], Proposal>(PROPOSAL_QUERIES.list);
  readonly #countAwaiting = this.one<[string, string], { count: number; oldest: EpochMs | null }>(
    PROPOSAL_QUERIES.awaiting,
  );
  /** Returns the rejected proposals of an author whose rows are kept, newest first. */
  readonly listRejected = this.many<[company: string, documento: string, limit: number], Proposal>(
    PROPOSAL_QUERIES.rejected,
  );
  /** Returns a proposal that has waited since `before` or longer. */
  readonly findOverdue = this.value<[before: EpochMs], number>(PROPOSAL_QUERIES.overdue);

  /** Returns `false` if the import was proposed before. */
  insert(
    id: number,
    {
      company,
      by,
      note,
    }: { readonly company: string; readonly by: string; readonly note: string | undefined },
    now: EpochMs,
  ): boolean {
    return this.#insert(id, company, by, note ?? null, now) > 0;
  }

  /** Returns `false` if the proposal does not wait for a decision. `by`: `null` for the system. */
  decide(
    id: number,
    {
      state,
      by,
      reason = null,
    }: { readonly state: Decision; readonly by: string | null; readonly reason?: string | null },
    now: EpochMs,
  ): boolean {
    return this.#decide(state, by, now, reason, id) > 0;
  }

  /** Returns the proposals of companies, newest first. */
  list({
    companies,
    id = null,
    state = null,
    tipo = null,
    codigo = null,
    limit,
  }: Nullable<ProposalChoice>): Proposal[] {
    return this.#list({ companies: JSON.stringify(companies), id, state, tipo, codigo, limit });
  }

  /** Counts the waiting proposals of a company, without those of `documento`. */
  countAwaiting(
    company: string,
    documento: string,
  ): { readonly count: number; readonly oldest: EpochMs | null } {
    return this.#countAwaiting(company, documento) ?? { count: 0, oldest: null };
  }
}

type Nullable<T> = { readonly [Member in keyof T]: T[Member] | null } & Pick<
  ProposalChoice,
  'companies' | 'limit'
>;
