/** Reads the people who may get a daily message, and stores the state of their last one. */
import type { Day, EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import { CATALOGUE_PROFILE } from '../session/model.ts';

export interface DailyReader {
  readonly documento: string;
  readonly email: string;
  /** The person's choices of notices, as JSON; choices that were never made are absent. */
  readonly avisos: string;
  readonly administrador: 0 | 1;
}

export interface StoredDecision {
  readonly id: number;
  readonly company: string;
  readonly state: 'approved' | 'rejected';
  readonly reason: string | null;
  readonly items: number;
}

/** State of the last daily message to a person, also of one without news. `items`: JSON. */
export interface DailyState {
  readonly day: Day;
  readonly items: string;
}

export class DailyStore extends Store {
  /** Lists the people with an address who represent a company. */
  readonly list = this.many<[], DailyReader>(
    `SELECT documento, email, avisos, administrador FROM user
     WHERE email IS NOT NULL AND tipo = 'PRIV' AND (EXISTS (
       SELECT 1 FROM representation r WHERE r.documento = user.documento AND r.perfil = '${CATALOGUE_PROFILE}')
       OR EXISTS (SELECT 1 FROM group_right g WHERE g.documento = user.documento))
     ORDER BY documento`,
  );
  /** Lists the decisions on the proposals of an author since a moment, oldest first. */
  readonly decisionsOf = this.many<[documento: string, since: EpochMs], StoredDecision>(
    `SELECT p.job_id AS id, p.company, p.state, p.reason, j.processed AS items
     FROM proposal p JOIN import_job j ON j.id = p.job_id
     WHERE p.documento = ? AND p.decided_at >= ? AND p.state IN ('approved', 'rejected')
     ORDER BY p.decided_at, p.job_id`,
  );
  readonly find = this.one<[documento: string], DailyState>(
    'SELECT day, items FROM email_daily WHERE documento = ?',
  );
  readonly put = this.runs(
    `INSERT INTO email_daily (documento, day, items) SELECT documento, ?, ? FROM user WHERE documento = ?
     ON CONFLICT (documento) DO UPDATE SET day = excluded.day, items = excluded.items`,
    (documento: string, { day, items }: DailyState) => [day, items, documento],
  );
}
