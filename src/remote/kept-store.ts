/** Store of the paths of the exports of the newest comparisons, kept while a run may fetch from them. */
import { Store } from '../db/prepared.ts';
import type { Comparison, KeptExports } from './model.ts';

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const KEPT_QUERIES = {
  all: 'SELECT id, kept FROM remote_comparison WHERE kept IS NOT NULL',
  // Files that a run still fetches from stay until the next comparison.
  outdated: `SELECT c.id, c.kept FROM remote_comparison c INDEXED BY remote_comparison_kept
    WHERE c.remote_id = ? AND c.cpf_cnpj_raiz = ? AND c.kept IS NOT NULL AND c.id < ? AND NOT EXISTS (
      SELECT 1 FROM remote_run u WHERE u.comparison_id = c.id AND u.state IN ('queued', 'running', 'resting', 'paused'))`,
} as const;

interface Row {
  readonly id: number;
  readonly kept: string;
}

export class KeptStore extends Store {
  readonly #put = this.db.prepare('UPDATE remote_comparison SET kept = ? WHERE id = ?');
  readonly #find = this.db
    .prepare<[number], string | null>('SELECT kept FROM remote_comparison WHERE id = ?')
    .pluck();
  readonly #all = this.db.prepare<[], Row>(KEPT_QUERIES.all);
  readonly #outdated = this.db.prepare<[number, string, number], Row>(KEPT_QUERIES.outdated);

  put(comparisonId: number, kept: KeptExports): void {
    this.#put.run(JSON.stringify(kept), comparisonId);
  }

  /**
   * Returns the kept exports. `undefined`: nothing in them could be fetched, or a newer comparison exists.
   */
  find(comparisonId: number): KeptExports | undefined {
    const text = this.#find.get(comparisonId) ?? null;
    return text === null ? undefined : (JSON.parse(text) as KeptExports);
  }

  /** Forgets exports that a newer comparison makes obsolete. Returns the names of their files. */
  outdate({ id, remoteId, cpfCnpjRaiz }: Pick<Comparison, 'id' | 'remoteId' | 'cpfCnpjRaiz'>): string[] {
    const rows = this.#outdated.all(remoteId, cpfCnpjRaiz, id);
    for (const one of rows) this.#put.run(null, one.id);
    return rows.flatMap(filesIn);
  }

  /** Returns the names of all kept files. */
  listFiles(): string[] {
    return this.#all.all().flatMap(filesIn);
  }
}

const filesIn = ({ kept }: Row): string[] => filesOf(JSON.parse(kept) as KeptExports);

export const filesOf = ({ operadores, produtos }: KeptExports): string[] => [operadores, produtos];
