/** Store of the steps of runs that fetch. */
import type { EpochMs } from '../../clock.ts';
import { KEYS_OF_COMPANY } from '../../catalogue/versioned/model.ts';
import { Store } from '../../db/prepared.ts';
import type { PairedKind } from '../compare/model.ts';
import type { Run, Step, StepOperation } from '../run/model.ts';
import { phaseOf } from './model.ts';
import { STEP, type StepRow, toStep } from '../run/store.ts';

type OfPhase = [runId: number, kind: string, operations: string];

const ofPhase = (runId: number, phase: number): OfPhase => {
  const [kind, operations] = phaseOf(phase);
  return [runId, kind, JSON.stringify(operations satisfies readonly StepOperation[])];
};

const PENDING =
  "run_id = ? AND outcome = 'pending' AND kind = ? AND operation IN (SELECT value FROM json_each(?))";

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const FETCH_QUERIES = {
  ofThere: `${STEP} WHERE run_id = ? AND kind = ? AND there = ?`,
  pending: `${STEP} WHERE run_id = ? AND n > ? AND outcome = 'pending' AND kind = ?
    AND operation IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT ?`,
} as const;

export class FetchStore extends Store {
  readonly #find = this.db.prepare<[number, number], StepRow>(`${STEP} WHERE run_id = ? AND n = ?`);
  readonly #ofThere = this.db.prepare<[number, PairedKind, string], StepRow>(FETCH_QUERIES.ofThere);
  readonly #pending = this.db.prepare<[number, number, string, string, number], StepRow>(
    FETCH_QUERIES.pending,
  );
  readonly #hasPending = this.db.prepare<OfPhase, number>(
    `SELECT 1 FROM remote_step WHERE ${PENDING} LIMIT 1`,
  );
  readonly #put = this.db.prepare(
    'UPDATE remote_step SET outcome = ?, here = ?, here_versao = ?, due = NULL, attempts = 1, code = ?, message = ?, at = ? WHERE run_id = ? AND n = ?',
  );
  readonly #leaveRest = this.db.prepare<[string, EpochMs, ...OfPhase]>(
    `UPDATE remote_step SET outcome = 'refused', due = NULL, attempts = 1, message = ?, at = ? WHERE ${PENDING}`,
  );
  readonly #lastProduct = this.db
    .prepare<[string], number | null>(
      `SELECT max(p.id) - c.id * ${KEYS_OF_COMPANY} FROM company c CROSS JOIN product p
       ON p.id > c.id * ${KEYS_OF_COMPANY} AND p.id < (c.id + 1) * ${KEYS_OF_COMPANY} WHERE c.cpf_cnpj_raiz = ?`,
    )
    .pluck();
  readonly #lastOperator = this.db
    .prepare<[string], number>('SELECT operator_sequence FROM company WHERE cpf_cnpj_raiz = ?')
    .pluck();
  readonly #addImport = this.db.prepare<[number, number]>(
    "UPDATE remote_run SET imports = json_insert(imports, '$[#]', ?) WHERE id = ?",
  );

  find(runId: number, n: number): Step | undefined {
    const row = this.#find.get(runId, n);
    return row && toStep(row);
  }

  /** Returns the step of a remote record. */
  findOfThere(runId: number, kind: PairedKind, there: string): Step | undefined {
    const row = this.#ofThere.get(runId, kind, there);
    return row && toStep(row);
  }

  /** Returns the pending steps of a phase after a step, in order. */
  pending(runId: number, phase: number, after: number, limit: number): Step[] {
    const [id, kind, operations] = ofPhase(runId, phase);
    return this.#pending.all(id, after, kind, operations, limit).map(toStep);
  }

  hasPending(runId: number, phase: number): boolean {
    return this.#hasPending.get(...ofPhase(runId, phase)) !== undefined;
  }

  put(runId: number, { n, outcome, here, hereVersao, code, message }: Step, now: EpochMs): void {
    this.#put.run(outcome, here, hereVersao, code, message, now, runId, n);
  }

  /** Ends the steps of a phase whose result is unknown. */
  leaveRest(runId: number, phase: number, message: string, now: EpochMs): void {
    this.#leaveRest.run(message, now, ...ofPhase(runId, phase));
  }

  /** Returns the numbers in the last local codes of a company. */
  lastCodes(cpfCnpjRaiz: string): Readonly<Record<PairedKind, number>> {
    return {
      produto: this.#lastProduct.get(cpfCnpjRaiz) ?? 0,
      operador: this.#lastOperator.get(cpfCnpjRaiz) ?? 0,
    };
  }

  addImport({ id }: Run, importId: number): void {
    this.#addImport.run(importId, id);
  }
}
