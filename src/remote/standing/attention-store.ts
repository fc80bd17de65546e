/** Store that counts the open work between a company and a remote, without reading its records. */
import { Store } from '../../db/prepared.ts';
import type { RemoteKind, RemoteState } from '../compare/model.ts';

type Counts = Readonly<Record<RemoteKind, Partial<Record<RemoteState, number>>>>;

interface Newest {
  readonly id: number;
  readonly counts: string;
}

/** A test checks that each query uses its index. */
export const ATTENTION_QUERIES = {
  newest: `SELECT id, counts FROM remote_comparison INDEXED BY remote_comparison_of_company
    WHERE cpf_cnpj_raiz = ? AND remote_id = ? AND state = 'done' ORDER BY id DESC LIMIT 1`,
  settled: `SELECT count(*) FROM remote_run u INDEXED BY remote_run_of_comparison
    CROSS JOIN remote_step s INDEXED BY remote_step_to_do ON s.run_id = u.id AND s.outcome IN ('sent', 'adopted')
    WHERE u.comparison_id = ? AND u.simulated = 0`,
  waiting: `SELECT id FROM remote_run INDEXED BY remote_run_open WHERE remote_id = ? AND cpf_cnpj_raiz = ?
    AND state IN ('queued', 'running', 'resting', 'paused') AND simulated = 0 AND state IN ('resting', 'paused')`,
  left: 'SELECT count(*) FROM remote_step INDEXED BY remote_step_due WHERE run_id = ? AND due IS NOT NULL',
} as const;

/**
 * States that do not count: `igual` needs no action, and `naoEnviavel` is reported where it is corrected.
 */
const SETTLED_STATES: readonly RemoteState[] = ['igual', 'naoEnviavel'];

export class RemoteAttentionStore extends Store {
  readonly #newest = this.one<[string, number], Newest>(ATTENTION_QUERIES.newest);
  readonly #settled = this.number<[number]>(ATTENTION_QUERIES.settled);
  readonly #waiting = this.value<[number, string], number>(ATTENTION_QUERIES.waiting);
  readonly #openSteps = this.number<[number]>(ATTENTION_QUERIES.left);

  /**
   * Counts the records that the newest comparison found different, without those that runs have settled
   * since.
   */
  countDifferent(remoteId: number, cpfCnpjRaiz: string): number {
    const newest = this.#newest(cpfCnpjRaiz, remoteId);
    if (newest === undefined) return 0;
    let differing = 0;
    for (const ofKind of Object.values(JSON.parse(newest.counts) as Counts))
      for (const [state, count] of Object.entries(ofKind))
        if (!SETTLED_STATES.includes(state as RemoteState)) differing += count;
    return Math.max(0, differing - this.#settled(newest.id));
  }

  /** Counts the open steps of a paused or resting run. Returns 0 without such a run. */
  countOpenSteps(remoteId: number, cpfCnpjRaiz: string): number {
    const run = this.#waiting(remoteId, cpfCnpjRaiz);
    return run === undefined ? 0 : this.#openSteps(run);
  }
}
