/**
 * Reads, for a record, its last step if the remote refused it or if its result is unknown (contract section 18,
 * States).
 */
import { Store } from '../../db/prepared.ts';
import type { RecordComparison, RemoteKind, RemoteState } from './model.ts';

interface OpenStepRow {
  readonly run: number;
  readonly operation: string;
  readonly outcome: string;
  readonly localVersao: string | null;
  readonly message: string | null;
}

/** Operations with which a run resolves each state. */
const OPERATIONS_OF_STATE: Partial<Record<RemoteState, readonly string[]>> = {
  soAqui: ['include', 'link'],
  mudouAqui: ['newVersion'],
  desativadoAqui: ['deactivate', 'unlink'],
};

/**
 * Selects the newest step of a record, without the pending and skipped steps that were never sent. A test checks
 * that the query uses its index.
 */
export const LEFT_OPEN = `SELECT u.id AS run, s.operation, s.outcome, s.here_versao AS localVersao, s.message
  FROM remote_step s CROSS JOIN remote_run u ON u.id = s.run_id
  WHERE s.kind = ? AND s.here = ? AND u.remote_id = ? AND u.cpf_cnpj_raiz = ? AND u.simulated = 0 AND u.direction = 'send'
  AND NOT (s.outcome IN ('pending', 'skipped') AND s.attempts = 0) ORDER BY s.run_id DESC LIMIT 1`;

export class LeftOpenStore extends Store {
  readonly #newest = this.one<[RemoteKind, string, number, string], OpenStepRow>(LEFT_OPEN);

  /** Returns the record with the state `recusado` or `incerto` if its last step ended so, otherwise unchanged. */
  withOpenStep(remoteId: number, cpfCnpjRaiz: string, record: RecordComparison): RecordComparison {
    const operations = OPERATIONS_OF_STATE[record.state];
    if (operations === undefined || record.localKey === null) return record;
    const step = this.#newest(record.kind, record.localKey, remoteId, cpfCnpjRaiz);
    if (step === undefined || !operations.includes(step.operation)) return record;
    const { run, outcome, localVersao, message } = step;
    const open = { ...record, otherwise: record.state };
    // If the local record changed after the refusal, the remote may accept it now: the state stays.
    if (outcome === 'refused')
      return localVersao === record.localVersao ? { ...open, state: 'recusado', reason: message } : record;
    if (outcome !== 'uncertain' && outcome !== 'intent') return record;
    const reason = `o envio ${run} não soube se foi feito lá${message === null ? '' : ` (${message})`}; não estava lá nesta comparação`;
    return { ...open, state: 'incerto', reason };
  }
}
