/** Store of steps under way: the next step, and each transition of their state machine. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { RemoteKind } from '../compare/model.ts';
import type { Run, Step, StepOperation } from './model.ts';
import { STEP, type StepRow, toStep } from './store.ts';

/** Condition of open steps. A link waits for its product and its operator. */
const IS_OPEN = "o.outcome IN ('pending', 'intent', 'uncertain') AND o.due IS NOT NULL";
const WAITS = `EXISTS (SELECT 1 FROM remote_step o WHERE o.run_id = s.run_id AND o.operation <> 'deactivate' AND ${IS_OPEN}
    AND o.kind = 'produto' AND o.here = printf('%010d', json_extract(s.here, '$[0]')))
  OR EXISTS (SELECT 1 FROM remote_step o WHERE o.run_id = s.run_id AND o.operation <> 'deactivate' AND ${IS_OPEN}
    AND o.kind = 'operador' AND o.here = json_extract(s.here, '$[3]'))`;

export class StepStore extends Store {
  readonly #pending = this.db.prepare<[number, RemoteKind, StepOperation], StepRow>(
    `${STEP} s WHERE run_id = ? AND outcome = 'pending' AND kind = ? AND operation = ?
     AND (kind <> 'vinculo' OR NOT (${WAITS})) ORDER BY n LIMIT 1`,
  );
  readonly #due = this.db.prepare<[number, EpochMs], StepRow>(
    `${STEP} WHERE run_id = ? AND outcome = 'uncertain' AND due <= ? ORDER BY due LIMIT 1`,
  );
  readonly #nextDue = this.db
    .prepare<[number, EpochMs], EpochMs | null>(
      "SELECT min(due) FROM remote_step WHERE run_id = ? AND outcome = 'uncertain' AND due > ?",
    )
    .pluck();
  readonly #uncertainIncludes = this.db.prepare<[number, RemoteKind], StepRow>(
    `${STEP} WHERE run_id = ? AND outcome = 'uncertain' AND kind = ? AND operation = 'include'`,
  );
  readonly #put = this.db.prepare(
    `UPDATE remote_step SET outcome = ?, due = ?, looks = ?, attempts = ?, left_at = ?, there = ?, there_versao = ?, status = ?,
       code = ?, message = ?, candidates = ?, at = ? WHERE run_id = ? AND n = ?`,
  );

  firstPending(runId: number, kind: RemoteKind, operation: StepOperation): Step | undefined {
    const row = this.#pending.get(runId, kind, operation);
    return row && toStep(row);
  }

  /** Returns the uncertain step whose lookup is due. `undefined`: none. */
  firstDue(runId: number, now: EpochMs): Step | undefined {
    const row = this.#due.get(runId, now);
    return row && toStep(row);
  }

  /** Returns the time of the next lookup after now. `undefined`: none. */
  nextDue(runId: number, now: EpochMs): EpochMs | undefined {
    return this.#nextDue.get(runId, now) ?? undefined;
  }

  /** Returns the includes whose result is unknown. */
  uncertainIncludes(runId: number, kind: RemoteKind): Step[] {
    return this.#uncertainIncludes.all(runId, kind).map(toStep);
  }

  put({ id }: Run, step: Step, now: EpochMs): void {
    const { outcome, due, looks, attempts, leftAt, there, thereVersao, status, code, message, candidates } =
      step;
    this.#put.run(
      ...[outcome, due, looks, attempts, leftAt, there, thereVersao, status, code, message],
      ...[candidates.length === 0 ? null : JSON.stringify(candidates), now, id, step.n],
    );
  }

  /**
   * Makes intents uncertain: a crash came after they were sent. They are looked up before anything else.
   */
  recover({ id }: Run, waitMs: number): void {
    this.db
      .prepare(
        "UPDATE remote_step SET outcome = 'uncertain', due = left_at + ?, looks = 0 WHERE run_id = ? AND outcome = 'intent'",
      )
      .run(waitMs, id);
  }

  /**
   * Repeats the refused steps and the steps that waited for them, if something was deactivated since.
   * Returns the number of steps.
   */
  tryAgain({ id }: Run): number {
    this.db.prepare('UPDATE remote_run SET again = 1 WHERE id = ?').run(id);
    return this.db
      .prepare(
        `UPDATE remote_step SET outcome = 'pending', due = 0 WHERE run_id = ? AND (outcome = 'refused'
           OR (outcome = 'skipped' AND code = 'aindaNaoEstaLa')) AND EXISTS (SELECT 1 FROM remote_step d
           WHERE d.run_id = remote_step.run_id AND d.operation = 'deactivate' AND d.outcome IN ('sent', 'adopted'))`,
      )
      .run(id).changes;
  }

  refusedInRow({ id }: Run, isRefused: boolean): void {
    this.db
      .prepare('UPDATE remote_run SET refused_in_row = iif(?, refused_in_row + 1, 0) WHERE id = ?')
      .run(isRefused ? 1 : 0, id);
  }
}
