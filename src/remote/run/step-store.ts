/** Store of steps under way: the next step, and each transition of their state machine. */
import { KEYS_OF_COMPANY } from '../../catalogue/versioned/model.ts';
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { LastCodes, PairedKind, RemoteKind } from '../compare/model.ts';
import type { Phase, Run, Step, StepOperation } from './model.ts';
import { STEP, toStep } from './store.ts';

type OfPhase = [runId: number, kind: string, operations: string];

const OF_PHASE = "outcome = 'pending' AND kind = ? AND operation IN (SELECT value FROM json_each(?))";

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const STEP_QUERIES = {
  ofThere: `${STEP} WHERE run_id = ? AND kind = ? AND there = ?`,
  pending: `${STEP} WHERE run_id = ? AND n > ? AND ${OF_PHASE} ORDER BY n LIMIT ?`,
} as const;

/** Condition of open steps. A link waits for its product and its operator. */
const IS_OPEN = "o.outcome IN ('pending', 'intent', 'uncertain') AND o.due IS NOT NULL";
const WAITS = `EXISTS (SELECT 1 FROM remote_step o WHERE o.run_id = s.run_id AND o.operation <> 'deactivate' AND ${IS_OPEN}
    AND o.kind = 'produto' AND o.here = printf('%010d', json_extract(s.here, '$[0]')))
  OR EXISTS (SELECT 1 FROM remote_step o WHERE o.run_id = s.run_id AND o.operation <> 'deactivate' AND ${IS_OPEN}
    AND o.kind = 'operador' AND o.here = json_extract(s.here, '$[3]'))`;

export class StepStore extends Store {
  readonly find = this.one<[runId: number, n: number], Step>(`${STEP} WHERE run_id = ? AND n = ?`, toStep);
  /** Returns the step of a remote record. */
  readonly findByRemoteKey = this.one<[runId: number, PairedKind, there: string], Step>(
    STEP_QUERIES.ofThere,
    toStep,
  );
  readonly firstPending = this.one<[runId: number, RemoteKind, StepOperation], Step>(
    `${STEP} s WHERE run_id = ? AND outcome = 'pending' AND kind = ? AND operation = ?
     AND (kind <> 'vinculo' OR NOT (${WAITS})) ORDER BY n LIMIT 1`,
    toStep,
  );
  readonly #pending = this.many<[number, number, string, string, number], Step>(STEP_QUERIES.pending, toStep);
  readonly #hasPending = this.exists<OfPhase>(
    `SELECT 1 FROM remote_step WHERE run_id = ? AND ${OF_PHASE} LIMIT 1`,
  );
  /** Returns the uncertain step whose lookup is due. `undefined`: none. */
  readonly firstDue = this.one<[runId: number, now: EpochMs], Step>(
    `${STEP} WHERE run_id = ? AND outcome = 'uncertain' AND due <= ? ORDER BY due LIMIT 1`,
    toStep,
  );
  /** Returns the time of the next lookup after now. `undefined`: none. */
  readonly nextDue = this.value<[runId: number, now: EpochMs], EpochMs>(
    "SELECT min(due) FROM remote_step WHERE run_id = ? AND outcome = 'uncertain' AND due > ?",
  );
  /** Returns the includes whose result is unknown. */
  readonly uncertainIncludes = this.many<[runId: number, RemoteKind], Step>(
    `${STEP} WHERE run_id = ? AND outcome = 'uncertain' AND kind = ? AND operation = 'include'`,
    toStep,
  );
  readonly #put = this.runs<[object]>(
    `UPDATE remote_step SET outcome = @outcome, due = @due, looks = @lookups, attempts = @attempts, left_at = @sentAt,
       there = @remoteKey, there_versao = @remoteVersao, status = @status, code = @code, message = @message,
       candidates = @candidates, at = @now WHERE run_id = @id AND n = @n`,
  );
  readonly #endFetched = this.runs(
    `UPDATE remote_step SET outcome = ?, here = ?, here_versao = ?, due = NULL, attempts = 1, code = ?, message = ?, at = ?
     WHERE run_id = ? AND n = ?`,
  );
  readonly #refuseRest = this.runs<[string, EpochMs, ...OfPhase]>(
    `UPDATE remote_step SET outcome = 'refused', due = NULL, attempts = 1, message = ?, at = ? WHERE run_id = ? AND ${OF_PHASE}`,
  );
  readonly #recover = this.runs(
    "UPDATE remote_step SET outcome = 'uncertain', due = left_at + ?, looks = 0 WHERE run_id = ? AND outcome = 'intent'",
  );
  readonly #markRepeated = this.runs<[number]>('UPDATE remote_run SET again = 1 WHERE id = ?');
  readonly #tryAgain = this.changes<[number]>(
    `UPDATE remote_step SET outcome = 'pending', due = 0 WHERE run_id = ? AND (outcome = 'refused'
       OR (outcome = 'skipped' AND code = 'aindaNaoEstaLa')) AND EXISTS (SELECT 1 FROM remote_step d
       WHERE d.run_id = remote_step.run_id AND d.operation = 'deactivate' AND d.outcome IN ('sent', 'adopted'))`,
  );
  readonly refusedInRow = this.runs(
    'UPDATE remote_run SET refused_in_row = iif(?, refused_in_row + 1, 0) WHERE id = ?',
    ({ id }: Run, isRefused: boolean) => [isRefused ? 1 : 0, id],
  );
  readonly #lastProduct = this.number<[string]>(
    `SELECT max(p.id) - c.id * ${KEYS_OF_COMPANY} FROM company c CROSS JOIN product p
     ON p.id > c.id * ${KEYS_OF_COMPANY} AND p.id < (c.id + 1) * ${KEYS_OF_COMPANY} WHERE c.cpf_cnpj_raiz = ?`,
  );
  readonly #lastOperator = this.number<[string]>(
    'SELECT operator_sequence FROM company WHERE cpf_cnpj_raiz = ?',
  );

  /** Returns the pending steps of a phase after a step, in order. */
  pending(runId: number, [kind, operations]: Phase, after: number, limit: number): Step[] {
    return this.#pending(runId, after, kind, JSON.stringify(operations), limit);
  }

  hasPending(runId: number, [kind, operations]: Phase): boolean {
    return this.#hasPending(runId, kind, JSON.stringify(operations));
  }

  put({ id }: Run, step: Step, now: EpochMs): void {
    const candidates = step.candidates.length === 0 ? null : JSON.stringify(step.candidates);
    this.#put({ ...step, id, candidates, now });
  }

  /** Stores the end of a step that fetches. */
  endFetched({ id }: Run, { n, outcome, localKey, localVersao, code, message }: Step, now: EpochMs): void {
    this.#endFetched(outcome, localKey, localVersao, code, message, now, id, n);
  }

  /** Ends the steps of a phase whose result is unknown. */
  refuseRest({ id }: Run, [kind, operations]: Phase, message: string, now: EpochMs): void {
    this.#refuseRest(message, now, id, kind, JSON.stringify(operations));
  }

  /**
   * Makes intents uncertain: a crash came after they were sent. They are looked up before anything else.
   */
  recover({ id }: Run, waitMs: number): void {
    this.#recover(waitMs, id);
  }

  /**
   * Repeats the refused steps and the steps that waited for them, if something was deactivated since.
   * Returns the number of steps.
   */
  tryAgain({ id }: Run): number {
    this.#markRepeated(id);
    return this.#tryAgain(id);
  }

  /** Returns the numbers in the last local codes of a company. */
  lastCodes(cpfCnpjRaiz: string): LastCodes {
    return { produto: this.#lastProduct(cpfCnpjRaiz), operador: this.#lastOperator(cpfCnpjRaiz) };
  }
}
