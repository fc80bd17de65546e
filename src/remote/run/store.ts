/** Store of runs and their steps. */
import type { Caller } from '../../session/model.ts';
import type { EpochMs } from '../../clock.ts';
import { KEYS_OF_COMPANY } from '../../catalogue/versioned/model.ts';
import { Store } from '../../db/prepared.ts';
import type { RemoteKind } from '../compare/model.ts';
import type {
  RunFilter,
  KeptOutcome,
  NotSent,
  PlannedStep,
  Run,
  Step,
  StepCandidate,
  StepOutcome,
} from './model.ts';

interface RunRow extends Omit<Run, 'asked' | 'simulated' | 'planned' | 'again' | 'notSent' | 'imports'> {
  readonly asked: string;
  readonly simulated: 0 | 1;
  readonly planned: 0 | 1;
  readonly again: 0 | 1;
  readonly notSent: string | null;
  readonly imports: string;
}

export interface StepRow extends Omit<Step, 'candidates'> {
  readonly candidates: string | null;
}

export interface OutcomeCount {
  readonly kind: RemoteKind;
  readonly operation: Step['operation'];
  readonly outcome: KeptOutcome;
  readonly open: 0 | 1;
  readonly count: number;
  /** The total number of list requests before these steps are sent. */
  readonly lookups: number;
}

const RUN = `SELECT u.id, u.remote_id AS remoteId, r.name AS remote, u.cpf_cnpj_raiz AS cpfCnpjRaiz, u.comparison_id AS comparisonId,
  u.direction, u.documento, u.session_key AS key, u.asked, u.simulated, u.state, u.planned, u.again, u.refused_in_row AS refusedInRow, u.reason,
  u.rests_until AS restsUntil, u.rests_for AS restsFor, u.not_sent AS notSent, u.imports, u.at
  FROM remote_run u CROSS JOIN remote r ON r.id = u.remote_id`;
export const STEP = `SELECT n, kind, operation, here AS localKey, there AS remoteKey, name, here_versao AS localVersao, here_whole AS localFingerprint,
  there_whole AS remoteFingerprint, outcome, due, looks AS lookups, attempts, left_at AS sentAt, there_versao AS remoteVersao, status, code, message,
  candidates, at FROM remote_step`;

const OPEN = "state IN ('queued', 'running', 'resting', 'paused')";
const LISTED_MAX = 1000;

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const RUN_QUERIES = {
  ofCompany: `${RUN} WHERE u.cpf_cnpj_raiz = +? AND r.gone = 0 ORDER BY u.id DESC LIMIT ${LISTED_MAX}`,
  open: `SELECT id FROM remote_run WHERE remote_id = ? AND cpf_cnpj_raiz = ? AND ${OPEN} AND simulated = 0`,
  allOpen: `${RUN} WHERE u.${OPEN} ORDER BY u.id`,
  endedBefore:
    'SELECT id FROM remote_run WHERE at < ? AND (ended_at < ? OR simulated = 1) ORDER BY at LIMIT 1',
  ofRemote: 'SELECT id FROM remote_run WHERE remote_id = ? LIMIT 1',
  steps: `${STEP} WHERE run_id = ? AND n > ? ORDER BY n LIMIT ?`,
} as const;

/** Counts of the unfinished runs of a remote. `resting` is a part of them. */
export interface UnfinishedRuns {
  readonly remote: string;
  readonly unfinished: number;
  readonly resting: number;
}

export class RunStore extends Store {
  readonly #insert = this.inserts<[object]>(
    `INSERT INTO remote_run (remote_id, cpf_cnpj_raiz, comparison_id, direction, documento, session_key, asked, simulated, state, at)
     VALUES (@remoteId, @cpfCnpjRaiz, @comparisonId, @direction, @documento, @key, @asked, @simulated, 'queued', @at)`,
  );
  readonly find = this.one<[id: number], Run>(`${RUN} WHERE u.id = +?`, toRun);
  /** Returns the runs of a company, newest first. */
  readonly listOf = this.many<[cpfCnpjRaiz: string], Run>(RUN_QUERIES.ofCompany, toRun);
  /** Returns the id of the unfinished run. `undefined`: none. */
  readonly findOpen = this.value<[remoteId: number, cpfCnpjRaiz: string], number>(RUN_QUERIES.open);
  readonly listOpen = this.many<[], Run>(RUN_QUERIES.allOpen, toRun);
  readonly #endedBefore = this.value<[EpochMs, EpochMs], number>(RUN_QUERIES.endedBefore);
  readonly findOfRemote = this.value<[remoteId: number], number>(RUN_QUERIES.ofRemote);
  /** Counts the unfinished runs of each remote. */
  readonly countUnfinished = this.many<[], UnfinishedRuns>(
    `SELECT r.name AS remote, count(u.id) AS unfinished, count(u.id) FILTER (WHERE u.state = 'resting') AS resting
     FROM remote r LEFT JOIN remote_run u ON u.remote_id = r.id AND u.${OPEN} WHERE r.gone = 0 GROUP BY r.id`,
  );
  /** Ends the planning. A simulation, or a run without steps, ends with it. */
  readonly endPlan = this.runs(
    `UPDATE remote_run SET planned = 1, not_sent = ?, state = iif(? IS NULL, 'running', 'done'), ended_at = ?
     WHERE id = ? AND state = 'queued'`,
    (id: number, notSent: NotSent | null, ended: EpochMs | null) => [
      notSent && JSON.stringify(notSent),
      ended,
      ended,
      id,
    ],
  );
  readonly #end = this.runs(
    `UPDATE remote_run SET state = ?, reason = ?, rests_until = NULL, rests_for = NULL, ended_at = ?
     WHERE id = ? AND ${OPEN}`,
  );
  /** Changes the state. A paused run keeps its rest, so that it still waits as long when it is resumed. */
  readonly setState = this.runs(
    `UPDATE remote_run SET state = @state, reason = @reason, refused_in_row = 0,
       rests_until = CASE @state WHEN 'paused' THEN rests_until END,
       rests_for = CASE @state WHEN 'paused' THEN rests_for END
     WHERE id = @id AND ${OPEN}`,
    (id: number, state: 'running' | 'paused', reason: string | null) => [{ id, state, reason }],
  );
  /** Sets the user in whose name the run goes on. */
  readonly setOrderer = this.runs(
    'UPDATE remote_run SET documento = ?, session_key = ? WHERE id = ?',
    (id: number, { documento, key }: Pick<Caller, 'documento' | 'key'>) => [documento, key, id],
  );
  readonly #setRest = this.runs(
    `UPDATE remote_run SET state = ?, reason = ?, rests_until = ?, rests_for = ?
     WHERE id = ? AND state IN ('running', 'resting')`,
  );
  readonly addImport = this.runs(
    "UPDATE remote_run SET imports = json_insert(imports, '$[#]', ?) WHERE id = ?",
    ({ id }: Run, importId: number) => [importId, id],
  );
  readonly delete = this.runs<[id: number]>('DELETE FROM remote_run WHERE id = ?');

  readonly insertStep = this.runs(
    `INSERT INTO remote_step (run_id, n, kind, operation, here, there, name, here_versao, here_whole, there_whole, outcome, due,
       code, message, at, looks_before)
     VALUES (@runId, @n, @kind, @operation, @localKey, @remoteKey, @name, @localVersao, @localFingerprint, @remoteFingerprint, @outcome, @due,
       @code, @message, @at, @lookupsBefore)`,
    (runId: number, n: number, step: PlannedStep, now: EpochMs) => {
      const isOpen = step.outcome === 'pending';
      const end = isOpen ? { due: 0, code: null, at: null } : { due: null, code: 'mudouDepois', at: now };
      return [{ ...step, ...end, runId, n }];
    },
  );
  /** Counts the steps by operation and outcome. */
  readonly counts = this.many<[id: number], OutcomeCount>(
    `SELECT kind, operation, outcome, due IS NOT NULL AS open, count(*) AS count, sum(looks_before) AS lookups FROM remote_step
     WHERE run_id = ? GROUP BY kind, operation, outcome, open`,
  );
  readonly hasOpen = this.exists<[id: number]>(
    "SELECT 1 FROM remote_step WHERE run_id = ? AND outcome IN ('pending', 'uncertain') AND due IS NOT NULL LIMIT 1",
  );
  readonly #steps = this.many<[number, number, number], Step>(RUN_QUERIES.steps, toStep);
  readonly #stepsOf = this.many<[number, number, string, number], Step>(
    `${STEP} WHERE run_id = ? AND n > ? AND outcome IN (SELECT value FROM json_each(?)) ORDER BY n LIMIT ?`,
    toStep,
  );
  /** Returns pending steps that deactivate records, which cannot be undone. */
  readonly deactivations = this.many<[id: number, limit: number], Step>(
    `${STEP} WHERE run_id = ? AND outcome = 'pending' AND kind IN ('produto', 'operador')
     AND operation = 'deactivate' ORDER BY n LIMIT ?`,
    toStep,
  );
  readonly deleteStepsSome = this.changes(
    'DELETE FROM remote_step WHERE run_id = ? AND n IN (SELECT n FROM remote_step WHERE run_id = ? LIMIT ?)',
    (id: number, limit: number) => [id, id, limit],
  );
  /** Counts the concession acts of a company's products. */
  readonly countConcessionActs = this.number<[cpfCnpjRaiz: string]>(
    `SELECT count(*) FROM company c CROSS JOIN concession_act a
     ON a.product_id > c.id * ${KEYS_OF_COMPANY} AND a.product_id < (c.id + 1) * ${KEYS_OF_COMPANY} WHERE c.cpf_cnpj_raiz = ?`,
  );

  insert(
    run: Pick<
      Run,
      'remoteId' | 'cpfCnpjRaiz' | 'comparisonId' | 'direction' | 'documento' | 'key' | 'asked' | 'simulated'
    >,
    at: EpochMs,
  ): number {
    return this.#insert({ ...run, asked: JSON.stringify(run.asked), simulated: run.simulated ? 1 : 0, at });
  }

  end(id: number, state: 'done' | 'failed' | 'cancelled', reason: string | null, now: EpochMs): void {
    this.#end(state, reason, now, id);
  }

  /** Stores or clears the rest of a run. */
  setRest(
    id: number,
    rest: { readonly until: EpochMs; readonly restsFor: string; readonly reason: string } | null,
  ): void {
    const { reason = null, until = null, restsFor = null } = rest ?? {};
    this.#setRest(rest === null ? 'running' : 'resting', reason, until, restsFor, id);
  }

  steps(id: number, after: number, limit: number, outcome?: StepOutcome): Step[] {
    if (outcome === undefined) return this.#steps(id, after, limit);
    const stored: readonly KeptOutcome[] = outcome === 'pending' ? ['pending', 'intent'] : [outcome];
    return this.#stepsOf(id, after, JSON.stringify(stored), limit);
  }

  findEndedBefore(at: EpochMs): number | undefined {
    return this.#endedBefore(at, at);
  }
}

const toRun = ({ asked, simulated, planned, again, notSent, imports, ...row }: RunRow): Run => ({
  ...row,
  asked: JSON.parse(asked) as RunFilter,
  simulated: simulated === 1,
  planned: planned === 1,
  again: again === 1,
  imports: JSON.parse(imports) as number[],
  notSent: notSent === null ? null : (JSON.parse(notSent) as NotSent),
});

export const toStep = ({ candidates, ...row }: StepRow): Step => ({
  ...row,
  candidates: candidates === null ? [] : (JSON.parse(candidates) as StepCandidate[]),
});
