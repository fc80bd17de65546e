/** Measures and lists the stored rows of imported spreadsheets, in the folder of imports on disk. */
import type { EpochMs } from '../../clock.ts';
import { Store } from '../../db/prepared.ts';
import type { ImportState } from './model.ts';

/** The stored rows of one import. */
export interface KeptRows {
  readonly id: number;
  readonly storedFile: string;
  readonly bytes: number;
  readonly state: ImportState;
}

const KEPT = `FROM import_cells c JOIN import_job j ON j.id = c.job_id WHERE c.company = ? AND c.dropped_at IS NULL AND j.forgotten = 0`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const CELLS_QUERIES = {
  keptOf: `SELECT c.job_id AS id, j.stored_file AS storedFile, coalesce(c.bytes, 0) AS bytes, j.state ${KEPT} ORDER BY c.job_id`,
  unfinishedOf: `SELECT coalesce(sum(c.bytes), 0) ${KEPT} AND j.state IN ('queued', 'running')`,
  unmeasured: `SELECT c.job_id AS id, j.stored_file AS storedFile FROM import_cells c JOIN import_job j ON j.id = c.job_id WHERE c.bytes IS NULL`,
} as const;

export class CellsStore extends Store {
  readonly #insert = this.db.prepare('INSERT INTO import_cells (job_id, company, bytes) VALUES (?, ?, ?)');
  readonly #keptOf = this.db.prepare<[string], KeptRows>(CELLS_QUERIES.keptOf);
  readonly #unfinishedOf = this.db.prepare<[string], number>(CELLS_QUERIES.unfinishedOf).pluck();
  readonly #unmeasured = this.db.prepare<[], Pick<KeptRows, 'id' | 'storedFile'>>(CELLS_QUERIES.unmeasured);
  readonly #companies = this.db
    .prepare<[], string>('SELECT DISTINCT company FROM import_cells WHERE dropped_at IS NULL')
    .pluck();
  readonly #largest = this.db
    .prepare<[], number>(
      'SELECT sum(bytes) AS bytes FROM import_cells WHERE dropped_at IS NULL GROUP BY company ORDER BY bytes DESC LIMIT 1',
    )
    .pluck();
  readonly #measure = this.db.prepare('UPDATE import_cells SET bytes = ? WHERE job_id = ?');
  readonly #drop = this.db.prepare('UPDATE import_cells SET dropped_at = ? WHERE job_id = ?');
  readonly #isDropped = this.db
    .prepare<[number], number>('SELECT 1 FROM import_cells WHERE job_id = ? AND dropped_at IS NOT NULL')
    .pluck();

  insert(id: number, company: string, bytes: number): void {
    this.#insert.run(id, company, bytes);
  }

  /** Returns the imports of a company whose rows are stored, oldest first. */
  listKept(company: string): KeptRows[] {
    return this.#keptOf.all(company);
  }

  /** Returns the bytes of the stored rows of imports that have not ended. */
  unfinishedBytes(company: string): number {
    return this.#unfinishedOf.get(company) ?? 0;
  }

  listUnmeasured(): Pick<KeptRows, 'id' | 'storedFile'>[] {
    return this.#unmeasured.all();
  }

  listCompanies(): string[] {
    return this.#companies.all();
  }

  /** Returns the bytes of the company that has the most. */
  largestCompany(): number {
    return this.#largest.get() ?? 0;
  }

  setBytes(id: number, bytes: number): void {
    this.#measure.run(bytes, id);
  }

  drop(id: number, now: EpochMs): void {
    this.#drop.run(now, id);
  }

  isDropped(id: number): boolean {
    return this.#isDropped.get(id) !== undefined;
  }
}
