/** Measures and lists the stored rows of imported spreadsheets, in the folder of imports on disk. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { ImportState } from './model.ts';
import { AWAITING, jobState } from './awaiting-store.ts';

/** The stored rows of one import. */
export interface KeptRows {
  readonly id: number;
  readonly storedFile: string;
  readonly bytes: number;
  readonly state: ImportState;
}

const KEPT = `FROM import_cells c JOIN import_job j ON j.id = c.job_id WHERE c.company = +? AND c.dropped_at IS NULL AND j.forgotten = 0`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const CELLS_QUERIES = {
  keptOf: `SELECT c.job_id AS id, j.stored_file AS storedFile, coalesce(c.bytes, 0) AS bytes, ${jobState('j')} ${KEPT} ORDER BY c.job_id`,
  unfinishedOf: `SELECT coalesce(sum(c.bytes), 0) ${KEPT} AND (j.state IN ('queued', 'running') OR j.id IN (${AWAITING}))`,
  unmeasured: `SELECT c.job_id AS id, j.stored_file AS storedFile FROM import_cells c JOIN import_job j ON j.id = c.job_id WHERE c.bytes IS NULL`,
} as const;

export class CellsStore extends Store {
  readonly insert = this.runs<[id: number, company: string, bytes: number]>(
    'INSERT INTO import_cells (job_id, company, bytes) VALUES (?, ?, ?)',
  );
  /** Returns the imports of a company whose rows are stored, oldest first. */
  readonly listKept = this.many<[company: string], KeptRows>(CELLS_QUERIES.keptOf);
  /** Returns the bytes of the stored rows of imports that have not ended, or whose decision is awaited. */
  readonly unfinishedBytes = this.number<[company: string]>(CELLS_QUERIES.unfinishedOf);
  readonly listUnmeasured = this.many<[], Pick<KeptRows, 'id' | 'storedFile'>>(CELLS_QUERIES.unmeasured);
  readonly listCompanies = this.values<[], string>(
    'SELECT DISTINCT company FROM import_cells WHERE dropped_at IS NULL',
  );
  /** Returns the bytes of the company that has the most. */
  readonly largestCompany = this.number<[]>(
    'SELECT sum(bytes) AS bytes FROM import_cells WHERE dropped_at IS NULL GROUP BY company ORDER BY bytes DESC LIMIT 1',
  );
  readonly setBytes = this.runs(
    'UPDATE import_cells SET bytes = ? WHERE job_id = ?',
    (id: number, bytes: number) => [bytes, id],
  );
  readonly drop = this.runs(
    'UPDATE import_cells SET dropped_at = ? WHERE job_id = ?',
    (id: number, now: EpochMs) => [now, id],
  );
  readonly isKept = this.exists<[id: number]>(
    'SELECT 1 FROM import_cells WHERE job_id = ? AND dropped_at IS NULL',
  );
  readonly isDropped = this.exists<[id: number]>(
    'SELECT 1 FROM import_cells WHERE job_id = ? AND dropped_at IS NOT NULL',
  );
}
