/** Stores imports with failures that nobody has handled yet, on disk (contract section 25). */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import { isLastAttempt } from './family-store.ts';

export interface FailedImport {
  readonly id: number;
  readonly kind: string;
  readonly fileName: string;
  readonly state: 'done' | 'failed';
  readonly failed: number;
  readonly createdAt: EpochMs;
}

const COLUMNS = 'id, kind, file_name AS fileName, state, failed, created_at AS createdAt';
const HAS_FAILURES = `simular = 0 AND forgotten = 0 AND (state = 'failed' OR failed > 0)`;
const IS_OPEN = `j.state IN ('done', 'failed') AND ${isLastAttempt('j')}`;

/** The queries of the store. A test holds each to its index. */
export const FAILURE_QUERIES = {
  ofCompany: `SELECT ${COLUMNS} FROM import_job j INDEXED BY import_job_failures
    WHERE ${HAS_FAILURES} AND company = ? AND ${IS_OPEN} ORDER BY id DESC`,
  ofSender: `SELECT ${COLUMNS}, companies FROM import_job j INDEXED BY import_job_failures
    WHERE ${HAS_FAILURES} AND company IS NULL AND documento = ? AND ${IS_OPEN} ORDER BY id DESC`,
} as const;

export class ImportFailuresStore extends Store {
  /** Returns the imports that belong to one company only, newest first. */
  readonly ofCompany = this.many<[cpfCnpjRaiz: string], FailedImport>(FAILURE_QUERIES.ofCompany);
  readonly #ofSender = this.many<[string], FailedImport & { readonly companies: string | null }>(
    FAILURE_QUERIES.ofSender,
  );

  /**
   * Returns the imports of a sender that belong to several companies, or to none that could be read, newest
   * first. `companies` is empty for an unread one.
   */
  ofSender(
    documento: string,
  ): readonly { readonly job: FailedImport; readonly companies: readonly string[] }[] {
    return this.#ofSender(documento).map(({ companies, ...job }) => ({
      job,
      companies: companies === null ? [] : (JSON.parse(companies) as string[]),
    }));
  }
}
