/** How comparisons end before their time, and what is kept of those that a newer one follows. */
import { Store } from '../db/prepared.ts';
import type { Comparison } from './model.ts';

/** The query that grows with what is kept; a test holds it to an index. */
export const ENDED_QUERIES = {
  /** A newer one keeps what is equal; a run that has not ended needs what its comparison saw. */
  equalBefore: `SELECT c.id FROM remote_comparison c WHERE c.cpf_cnpj_raiz = ? AND c.remote_id = +? AND c.id < ?
    AND EXISTS (SELECT 1 FROM remote_record f WHERE f.comparison_id = c.id AND f.state = 'igual')
    AND NOT EXISTS (SELECT 1 FROM remote_run u
      WHERE u.comparison_id = c.id AND u.state IN ('queued', 'running', 'resting', 'paused')) LIMIT 1`,
} as const;

export class ComparisonEndStore extends Store {
  readonly #equalBefore = this.db
    .prepare<[string, number, number], number>(ENDED_QUERIES.equalBefore)
    .pluck();
  readonly #deleteEqual = this.db.prepare<[number, number, number]>(
    `DELETE FROM remote_record WHERE comparison_id = ? AND n IN (
       SELECT n FROM remote_record WHERE comparison_id = ? AND state = 'igual' LIMIT ?)`,
  );

  /** Ends one that has not ended; returns whether it had not. */
  cancel(id: number, reason: string): boolean {
    return (
      this.db
        .prepare(
          `UPDATE remote_comparison SET state = 'failed', cancelled = 1, error = ?, files = NULL
           WHERE id = ? AND state IN ('queued', 'running')`,
        )
        .run(reason, id).changes > 0
    );
  }

  /** Those of a remote and a company before one of them that hold equal records, and no run needs. */
  findEqualBefore({ id, remoteId, cpfCnpjRaiz }: Pick<Comparison, 'id' | 'remoteId' | 'cpfCnpjRaiz'>) {
    return this.#equalBefore.get(cpfCnpjRaiz, remoteId, id);
  }

  /** Deletes at most `limit` equal records that a comparison found; returns how many. */
  deleteEqualSome(comparisonId: number, limit: number): number {
    return this.#deleteEqual.run(comparisonId, comparisonId, limit).changes;
  }
}
