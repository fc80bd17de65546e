/** Store of runs and their steps. */
import type { EpochMs } from '../../clock.ts';
import { KEYS_OF_COMPANY } from '../../catalogue/versioned/model.ts';
import { Store } from '../../db/prepared.ts';
import type { RemoteKind } from '../compare/model.ts';
import type {
  Asked,
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
  readonly looks: number;
}

const RUN = `SELECT u.id, u.remote_id AS remoteId, r.name AS remote, u.cpf_cnpj_raiz AS cpfCnpjRaiz, u.comparison_id AS comparisonId,
  u.direction, u.documento, u.asked, u.simulated, u.state, u.planned, u.again, u.refused_in_row AS refusedInRow, u.reason,
  u.rests_until AS restsUntil, u.rests_for AS restsFor, u.not_sent AS notSent, u.imports, u.at
  FROM remote_run u CROSS JOIN remote r ON r.id = u.remote_id`;
export const STEP = `SELECT n, kind, operation, here, there, name, here_versao AS hereVersao, here_whole AS hereWhole,
  there_whole AS thereWhole, outcome, due, looks, attempts, left_at AS leftAt, there_versao AS thereVersao, status, code, message,
  candidates, at FROM remote_step`;

const OPEN = "state IN ('queued', 'running', 'resting', 'paused')";
const LISTED_MAX = 1000;

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const RUN_QUERIES = {
  ofCompany: `${RUN} WHERE u.cpf_cnpj_raiz = +? AND r.gone = 0 ORDER BY u.id DESC LIMIT ${LISTED_MAX}`,
  open: `SELECT id FROM remote_run WHERE remote_id = ? AND cpf_cnpj_raiz = ? AND ${OPEN} AND simulated = 0`,
  allOpen: `SELECT id FROM remote_run WHERE ${OPEN} ORDER BY id`,
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
  readonly #run = this.db.prepare<[number], RunRow>(`${RUN} WHERE u.id = +?`);
  readonly #ofCompany = this.db.prepare<[string], RunRow>(RUN_QUERIES.ofCompany);
  readonly #open = this.db.prepare<[number, string], number>(RUN_QUERIES.open).pluck();
  readonly #allOpen = this.db.prepare<[], number>(RUN_QUERIES.allOpen).pluck();
  readonly #endedBefore = this.db.prepare<[EpochMs, EpochMs], number>(RUN_QUERIES.endedBefore).pluck();
  readonly #ofRemote = this.db.prepare<[number], number>(RUN_QUERIES.ofRemote).pluck();
  readonly #insertStep = this.db.prepare(
    `INSERT INTO remote_step (run_id, n, kind, operation, here, there, name, here_versao, here_whole, there_whole, outcome, due,
       code, message, at, looks_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #counts = this.db.prepare<[number], OutcomeCount>(
    `SELECT kind, operation, outcome, due IS NOT NULL AS open, count(*) AS count, sum(looks_before) AS looks FROM remote_step
     WHERE run_id = ? GROUP BY kind, operation, outcome, open`,
  );
  readonly #hasOpen = this.db.prepare<[number], number>(
    "SELECT 1 FROM remote_step WHERE run_id = ? AND outcome IN ('pending', 'uncertain') AND due IS NOT NULL LIMIT 1",
  );
  readonly #unfinished = this.db.prepare<[], UnfinishedRuns>(
    `SELECT r.name AS remote, count(u.id) AS unfinished, count(u.id) FILTER (WHERE u.state = 'resting') AS resting
     FROM remote r LEFT JOIN remote_run u ON u.remote_id = r.id AND u.${OPEN} WHERE r.gone = 0 GROUP BY r.id`,
  );
  readonly #acts = this.db
    .prepare<[string], number>(
      `SELECT count(*) FROM company c CROSS JOIN concession_act a
       ON a.product_id > c.id * ${KEYS_OF_COMPANY} AND a.product_id < (c.id + 1) * ${KEYS_OF_COMPANY} WHERE c.cpf_cnpj_raiz = ?`,
    )
    .pluck();
  readonly #steps = this.db.prepare<[number, number, number], StepRow>(RUN_QUERIES.steps);

  insert(
    run: Pick<
      Run,
      'remoteId' | 'cpfCnpjRaiz' | 'comparisonId' | 'direction' | 'documento' | 'asked' | 'simulated'
    >,
    at: EpochMs,
  ): number {
    const { remoteId, cpfCnpjRaiz, comparisonId, direction, documento, asked, simulated } = run;
    const { lastInsertRowid } = this.db
      .prepare(
        `INSERT INTO remote_run (remote_id, cpf_cnpj_raiz, comparison_id, direction, documento, asked, simulated, state, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'queued', ?)`,
      )
      .run(
        remoteId,
        cpfCnpjRaiz,
        comparisonId,
        direction,
        documento,
        JSON.stringify(asked),
        simulated ? 1 : 0,
        at,
      );
    return Number(lastInsertRowid);
  }

  find(id: number): Run | undefined {
    const row = this.#run.get(id);
    return row && toRun(row);
  }

  /** Returns the runs of a company, newest first. */
  listOf(cpfCnpjRaiz: string): Run[] {
    return this.#ofCompany.all(cpfCnpjRaiz).map(toRun);
  }

  /** Returns the id of the unfinished run. `undefined`: none. */
  findOpen(remoteId: number, cpfCnpjRaiz: string): number | undefined {
    return this.#open.get(remoteId, cpfCnpjRaiz);
  }

  /** Counts the unfinished runs of each remote. */
  countUnfinished(): UnfinishedRuns[] {
    return this.#unfinished.all();
  }

  listOpen(): number[] {
    return this.#allOpen.all();
  }

  insertStep(runId: number, n: number, step: PlannedStep, now: EpochMs): void {
    const { kind, operation, here, there, name, hereVersao, hereWhole, thereWhole, outcome, message } = step;
    const isOpen = outcome === 'pending';
    this.#insertStep.run(
      ...[runId, n, kind, operation, here, there, name, hereVersao, hereWhole, thereWhole, outcome],
      ...[isOpen ? 0 : null, isOpen ? null : 'mudouDepois', message, isOpen ? null : now, step.looksBefore],
    );
  }

  /** Ends the planning. A simulation, or a run without steps, ends with it. */
  endPlan(id: number, notSent: NotSent | null, ended: EpochMs | null): void {
    this.db
      .prepare(
        "UPDATE remote_run SET planned = 1, not_sent = ?, state = iif(? IS NULL, 'running', 'done'), ended_at = ? WHERE id = ? AND state = 'queued'",
      )
      .run(notSent && JSON.stringify(notSent), ended, ended, id);
  }

  end(id: number, state: 'done' | 'failed' | 'cancelled', reason: string | null, now: EpochMs): void {
    this.db
      .prepare(
        `UPDATE remote_run SET state = ?, reason = ?, rests_until = NULL, rests_for = NULL, ended_at = ? WHERE id = ? AND ${OPEN}`,
      )
      .run(state, reason, now, id);
  }

  /** A paused run keeps until when it rests: whoever resumes it waits as long. */
  setState(id: number, state: 'running' | 'paused', reason: string | null): void {
    this.db
      .prepare(
        `UPDATE remote_run SET state = @state, reason = @reason, refused_in_row = 0,
           rests_until = CASE @state WHEN 'paused' THEN rests_until END,
           rests_for = CASE @state WHEN 'paused' THEN rests_for END
         WHERE id = @id AND ${OPEN}`,
      )
      .run({ id, state, reason });
  }

  /** Stores or clears the rest of a run. */
  setRest(
    id: number,
    rest: { readonly until: EpochMs; readonly restsFor: string; readonly reason: string } | null,
  ): void {
    this.db
      .prepare(
        `UPDATE remote_run SET state = ?, reason = ?, rests_until = ?, rests_for = ? WHERE id = ? AND state IN ('running', 'resting')`,
      )
      .run(
        rest === null ? 'running' : 'resting',
        rest?.reason ?? null,
        rest?.until ?? null,
        rest?.restsFor ?? null,
        id,
      );
  }

  /** Returns true when the run has open steps. */
  hasOpen(id: number): boolean {
    return this.#hasOpen.get(id) !== undefined;
  }

  /** Counts the steps by operation and outcome. */
  counts(id: number): OutcomeCount[] {
    return this.#counts.all(id);
  }

  steps(id: number, after: number, limit: number, outcome?: StepOutcome): Step[] {
    if (outcome === undefined) return this.#steps.all(id, after, limit).map(toStep);
    const kept = outcome === 'pending' ? "outcome IN ('pending', 'intent')" : 'outcome = ?';
    return this.db
      .prepare<(number | string)[], StepRow>(
        `${STEP} WHERE run_id = ? AND n > ? AND ${kept} ORDER BY n LIMIT ?`,
      )
      .all(id, after, ...(outcome === 'pending' ? [] : [outcome]), limit)
      .map(toStep);
  }

  /** Returns pending steps that deactivate records, which cannot be undone. */
  deactivations(id: number, limit: number): Step[] {
    return this.db
      .prepare<[number, number], StepRow>(
        `${STEP} WHERE run_id = ? AND outcome = 'pending' AND kind IN ('produto', 'operador')
         AND operation = 'deactivate' ORDER BY n LIMIT ?`,
      )
      .all(id, limit)
      .map(toStep);
  }

  /** Counts the concession acts of a company's products. */
  countConcessionActs(cpfCnpjRaiz: string): number {
    return this.#acts.get(cpfCnpjRaiz) ?? 0;
  }

  deleteStepsSome(id: number, limit: number): number {
    return this.db
      .prepare(
        'DELETE FROM remote_step WHERE run_id = ? AND n IN (SELECT n FROM remote_step WHERE run_id = ? LIMIT ?)',
      )
      .run(id, id, limit).changes;
  }

  delete(id: number): void {
    this.db.prepare('DELETE FROM remote_run WHERE id = ?').run(id);
  }

  findEndedBefore(at: EpochMs): number | undefined {
    return this.#endedBefore.get(at, at);
  }

  findOfRemote(remoteId: number): number | undefined {
    return this.#ofRemote.get(remoteId);
  }
}

const toRun = ({ asked, simulated, planned, again, notSent, imports, ...row }: RunRow): Run => ({
  ...row,
  asked: JSON.parse(asked) as Asked,
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
