/**
 * Store of what runs left open, by record: refused steps, and steps whose result is unknown (contract
 * section 18, States).
 */
import { Store } from '../../db/prepared.ts';
import type { Found, RemoteKind, RemoteState } from './model.ts';

interface LeftRow {
  readonly run: number;
  readonly operation: string;
  readonly outcome: string;
  readonly hereVersao: string | null;
  readonly message: string | null;
}

/** The operations that each state leads to. */
const WOULD: Partial<Record<RemoteState, readonly string[]>> = {
  soAqui: ['include', 'link'],
  mudouAqui: ['newVersion'],
  desativadoAqui: ['deactivate', 'unlink'],
};

/**
 * The newest step with a result of a record. A step that was never sent does not count. A test checks that
 * the query uses its index.
 */
export const LEFT_OPEN = `SELECT u.id AS run, s.operation, s.outcome, s.here_versao AS hereVersao, s.message
  FROM remote_step s CROSS JOIN remote_run u ON u.id = s.run_id
  WHERE s.kind = ? AND s.here = ? AND u.remote_id = ? AND u.cpf_cnpj_raiz = ? AND u.simulated = 0 AND u.direction = 'send'
  AND NOT (s.outcome IN ('pending', 'skipped') AND s.attempts = 0) ORDER BY s.run_id DESC LIMIT 1`;

export class LeftOpenStore extends Store {
  readonly #newest = this.one<[RemoteKind, string, number, string], LeftRow>(LEFT_OPEN);

  /** Returns the record as the comparison found it, or with the state that a run left open. */
  judged(remoteId: number, cpfCnpjRaiz: string, found: Found): Found {
    const would = WOULD[found.state];
    if (would === undefined || found.here === null) return found;
    const left = this.#newest(found.kind, found.here, remoteId, cpfCnpjRaiz);
    if (left === undefined || !would.includes(left.operation)) return found;
    const { run, outcome, hereVersao, message } = left;
    const open = { ...found, otherwise: found.state };
    // The local record changed since the refusal, so the remote may accept it now.
    if (outcome === 'refused')
      return hereVersao === found.hereVersao ? { ...open, state: 'recusado', reason: message } : found;
    if (outcome !== 'uncertain' && outcome !== 'intent') return found;
    const reason = `o envio ${run} não soube se foi feito lá${message === null ? '' : ` (${message})`}; não estava lá nesta comparação`;
    return { ...open, state: 'incerto', reason };
  }
}
