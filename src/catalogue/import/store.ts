/** Import jobs and the results of their items on disk. */
import type { EpochMs } from '../../clock.ts';
import {
  type AppliedPlace,
  type FileContents,
  type Forgotten,
  type ImportJob,
  type ImportOutcome,
  type ImportRequest,
  type ItemResult,
  type KeptResult,
  countsOf,
} from './model.ts';
import { RESULT_COLUMNS, type ResultRow, rowValues, toResult } from './record.ts';
import { Store } from '../../db/prepared.ts';

type JobRow = Omit<ImportJob, 'simular' | 'place'> & AppliedPlace & { readonly simular: 0 | 1 };

const toJob = ({ member, indexInMember, end, endLine, ...row }: JobRow): ImportJob => ({
  ...row,
  simular: row.simular === 1,
  place: { member, indexInMember, end, endLine },
});

const JOB_COLUMNS = `id, documento, perfil, session_key AS key, tipo, modo, simular, file_name AS fileName, stored_file AS storedFile, sha256, state,
  error, total, company, processed, created, new_version AS newVersion, deactivated, unchanged, pedido, failed,
  failed_not_kept AS failedNotKept, forgotten, created_at AS createdAt, finished_at AS finishedAt,
  applied_member AS member, applied_index AS indexInMember, applied_end AS end, applied_line AS endLine`;

/** Of a user, and of the companies of a JSON list. */
const SEEN = 'documento = ? OR company IN (SELECT value FROM json_each(?))';
/** A user's own that are of no single company, or were not read; and those of these companies. */
const OF_COMPANIES = '(company IS NULL AND documento = ?) OR company IN (SELECT value FROM json_each(?))';

const listed = (isOfCompanies: boolean, isOfContent: boolean): string =>
  `SELECT ${JOB_COLUMNS} FROM import_job WHERE ${isOfContent ? 'sha256 = ? AND ' : ''}(${isOfCompanies ? OF_COMPANIES : SEEN}) ORDER BY id DESC LIMIT ?`;

/** The queries that grow with what is kept; a test holds each to an index. */
export const QUERIES = {
  list: listed(false, false),
  listOfContent: listed(false, true),
  listOfCompany: listed(true, false),
  listOfBoth: listed(true, true),
  unfinished: `SELECT ${JOB_COLUMNS} FROM import_job WHERE state IN ('queued', 'running') ORDER BY id`,
  results: `SELECT ${RESULT_COLUMNS} FROM import_result WHERE job_id = ? AND idx > ? ORDER BY idx LIMIT ?`,
  // Left to itself SQLite would look for the few that were refused among all results of the job.
  resultsOf: `SELECT ${RESULT_COLUMNS} FROM import_result INDEXED BY import_result_by_outcome
    WHERE job_id = ? AND outcome = ? AND idx > ? ORDER BY idx LIMIT ?`,
  finishedBefore: `SELECT id FROM import_job WHERE finished_at < ? ORDER BY finished_at LIMIT 1`,
  forgetting: `SELECT id FROM import_job WHERE forgotten = 1 LIMIT 1`,
} as const;

export class ImportStore extends Store {
  readonly #insert = this.db.prepare(
    `INSERT INTO import_job (documento, perfil, session_key, tipo, modo, simular, file_name, stored_file, sha256, pedido, company, state, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)`,
  );
  readonly #find = this.db.prepare<[number], JobRow>(`SELECT ${JOB_COLUMNS} FROM import_job WHERE id = ?`);
  readonly #list = this.#listing(QUERIES.list);
  readonly #listOfContent = this.#listing(QUERIES.listOfContent);
  readonly #listOfCompany = this.#listing(QUERIES.listOfCompany);
  readonly #listOfBoth = this.#listing(QUERIES.listOfBoth);
  readonly #unfinished = this.db.prepare<[], JobRow>(QUERIES.unfinished);
  readonly #sheetFiles = this.db
    .prepare<[], string>(
      `SELECT stored_file FROM import_job WHERE pedido LIKE '{"sheet":%' AND forgotten = 0`,
    )
    .pluck();
  readonly #begin = this.db.prepare(
    `UPDATE import_job SET state = 'running' WHERE id = ? AND state = 'queued'`,
  );
  readonly #setContents = this.db.prepare('UPDATE import_job SET total = ?, company = ? WHERE id = ?');
  readonly #finish = this.db.prepare(
    `UPDATE import_job SET state = ?, error = ?, finished_at = ? WHERE id = ? AND state IN ('queued', 'running')`,
  );
  readonly #complete = this.db.prepare(`UPDATE import_job SET state = 'done', finished_at = ? WHERE id = ?`);
  readonly #count = this.db.prepare(
    `UPDATE import_job SET processed = processed + ?, created = created + ?, new_version = new_version + ?,
       deactivated = deactivated + ?, unchanged = unchanged + ?, failed = failed + ?,
       failed_not_kept = failed_not_kept + ?, applied_member = ?, applied_index = ?, applied_end = ?,
       applied_line = ?
     WHERE id = ?`,
  );
  readonly #insertResult = this.db.prepare(
    `INSERT INTO import_result (job_id, idx, seq, codigo, versao, outcome, name, codes, member, line, problems, further, notices, changes, did)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #insertFile = this.db.prepare(
    'INSERT OR IGNORE INTO import_file (job_id, member, name) VALUES (?, ?, ?)',
  );
  readonly #fileName = this.db
    .prepare<[number, number], string>('SELECT name FROM import_file WHERE job_id = ? AND member = ?')
    .pluck();
  readonly #results = this.db.prepare<[number, number, number], ResultRow>(QUERIES.results);
  readonly #resultsOf = this.db.prepare<[number, string, number, number], ResultRow>(QUERIES.resultsOf);
  readonly #finishedBefore = this.db.prepare<[EpochMs], number>(QUERIES.finishedBefore).pluck();
  readonly #forgetting = this.db.prepare<[], number>(QUERIES.forgetting).pluck();
  readonly #setForgotten = this.db.prepare<[Forgotten, number]>(
    'UPDATE import_job SET forgotten = ? WHERE id = ?',
  );
  readonly #deleteResults = this.db.prepare<[number, number, number]>(
    `DELETE FROM import_result WHERE job_id = ? AND idx IN
       (SELECT idx FROM import_result WHERE job_id = ? LIMIT ?)`,
  );
  readonly #delete = this.db.prepare<[number]>('DELETE FROM import_job WHERE id = ?');

  insert(
    { documento, perfil, key }: Pick<ImportJob, 'documento' | 'perfil' | 'key'>,
    request: ImportRequest,
    now: EpochMs,
  ): number {
    const { tipo, modo, simular, fileName, storedFile, sha256, pedido, company } = request;
    const values = [
      documento,
      perfil,
      key,
      tipo,
      modo,
      simular ? 1 : 0,
      fileName,
      storedFile,
      sha256,
      pedido,
      company,
      now,
    ];
    return Number(this.#insert.run(...values).lastInsertRowid);
  }

  find(id: number): ImportJob | undefined {
    const row = this.#find.get(id);
    return row && toJob(row);
  }

  /** The jobs of a user and of companies, newest first; `only` those of these companies, and of a file with that content. */
  list(
    documento: string,
    companies: Iterable<string>,
    limit: number,
    only: { readonly sha256?: string | undefined; readonly companies?: boolean } = {},
  ): ImportJob[] {
    const [all, ofContent] =
      only.companies === true ? [this.#listOfCompany, this.#listOfBoth] : [this.#list, this.#listOfContent];
    const seen = [documento, JSON.stringify([...companies]), limit];
    const rows = only.sha256 === undefined ? all.all(...seen) : ofContent.all(only.sha256, ...seen);
    return rows.map(toJob);
  }

  #listing(sql: string) {
    return this.db.prepare<unknown[], JobRow>(sql);
  }

  /** What is still to be done, in the order in which it came. */
  listUnfinished(): ImportJob[] {
    return this.#unfinished.all().map(toJob);
  }

  /** The files of imports of sheets, which are kept as long as their rows. */
  listSheetFiles(): string[] {
    return this.#sheetFiles.all();
  }

  begin(id: number): void {
    this.#begin.run(id);
  }

  setContents(id: number, { total, company }: FileContents): void {
    this.#setContents.run(total, company, id);
  }

  /** Ends a job that has not ended yet; `false` when it had. */
  finish(id: number, state: 'done' | 'failed' | 'cancelled', error: string | null, now: EpochMs): boolean {
    return this.#finish.run(state, error, now, id).changes > 0;
  }

  /**
   * Counts the results of a slice, of the items that end at `places`, and keeps them, of those that failed at most so many:
   * to be called in the transaction that applies its items.
   */
  addResults(
    id: number,
    results: readonly KeptResult[],
    places: readonly AppliedPlace[],
    failuresKept: number,
  ): void {
    let known = -1;
    let failed = 0;
    for (const [at, result] of results.entries()) {
      if (result.outcome === 'failed' && ++failed > failuresKept) continue;
      const { member } = places[at] as AppliedPlace; // one for each result, at least
      if (member !== known) this.#insertFile.run(id, member, result.file);
      known = member;
      this.#addResult(id, result, member);
    }
    this.advance(id, results, places, failuresKept);
  }

  /** Counts the results of a slice, and where it ends: in its transaction. */
  advance(
    id: number,
    results: readonly ItemResult[],
    places: readonly AppliedPlace[],
    failuresKept = Infinity,
  ): void {
    const counts = countsOf(results);
    const { member, indexInMember, end, endLine } = places[results.length - 1] as AppliedPlace;
    this.#count.run(
      counts.processed,
      counts.created,
      counts.newVersion,
      counts.deactivated,
      counts.unchanged,
      counts.failed,
      Math.max(0, counts.failed - failuresKept),
      member,
      indexInMember,
      end,
      endLine,
      id,
    );
  }

  #addResult(id: number, result: KeptResult, member: number): void {
    this.#insertResult.run(id, ...rowValues(result, member));
  }

  /** An import of the command line has reached its end. */
  complete(id: number, now: EpochMs): void {
    this.#complete.run(now, id);
  }

  /** The job that ended longest ago, if it ended before `before`. */
  findFinishedBefore(before: EpochMs): number | undefined {
    return this.#finishedBefore.get(before);
  }

  /** Deletes at most `limit` results of a job, and the job with the last of them; `true` when it is gone. */
  deleteSome(id: number, limit: number): boolean {
    const isLast = this.#deleteResults.run(id, id, limit).changes < limit;
    if (isLast) this.#delete.run(id);
    return isLast;
  }

  /** A job whose results are being removed. */
  findForgetting(): number | undefined {
    return this.#forgetting.get();
  }

  setForgotten(id: number, forgotten: Forgotten): void {
    this.#setForgotten.run(forgotten, id);
  }

  /** Deletes at most `limit` results of a job that forgets them; `true` when none is left. */
  forgetSome(id: number, limit: number): boolean {
    const isLast = this.#deleteResults.run(id, id, limit).changes < limit;
    if (isLast) this.setForgotten(id, 2);
    return isLast;
  }

  /** The next results after the item `after`, in the order of the file. */
  listResults(id: number, outcome: ImportOutcome | undefined, after: number, limit: number): ItemResult[] {
    const rows =
      outcome === undefined
        ? this.#results.all(id, after, limit)
        : this.#resultsOf.all(id, outcome, after, limit);
    const files = new Map<number, string>();
    return rows.map((row) => toResult(row, this.#fileOf(id, row.member, files)));
  }

  #fileOf(id: number, member: number, known: Map<number, string>): string {
    const name = known.get(member) ?? this.#fileName.get(id, member) ?? '';
    known.set(member, name);
    return name;
  }
}
