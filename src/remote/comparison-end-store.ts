/** Store of comparisons that end early, and of records that a newer comparison makes obsolete. */
import { Store } from '../db/prepared.ts';
import type { ComparisonFailure } from './codes.ts';
import type { Comparison } from './model.ts';

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const ENDED_QUERIES = {
  /**
   * A newer comparison stores its own equal records. An unfinished run still needs the records of its
   * comparison.
   */
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

  /** Ends a comparison that is not over. Returns true when it was not over. */
  cancel(id: number, { code, message }: ComparisonFailure): boolean {
    return (
      this.db
        .prepare(
          `UPDATE remote_comparison SET state = 'failed', cancelled = 1, error = ?, error_code = ?, files = NULL
           WHERE id = ? AND state IN ('queued', 'running')`,
        )
        .run(message, code, id).changes > 0
    );
  }

  /**
   * Returns the earlier comparisons of the same remote and company that hold equal records and that no run
   * needs.
   */
  findEqualBefore({ id, remoteId, cpfCnpjRaiz }: Pick<Comparison, 'id' | 'remoteId' | 'cpfCnpjRaiz'>) {
    return this.#equalBefore.get(cpfCnpjRaiz, remoteId, id);
  }

  /** Deletes at most `limit` equal records of a comparison. Returns the number of deleted rows. */
  deleteEqualSome(comparisonId: number, limit: number): number {
    return this.#deleteEqual.run(comparisonId, comparisonId, limit).changes;
  }
}
