/** Stores import jobs and the results of their items on disk. */
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
import {
  JOB_COLUMNS,
  type JobRow,
  RESULT_COLUMNS,
  type ResultRow,
  listText,
  rowValues,
  toJob,
  toResult,
} from './record.ts';
import { Store } from '../../db/prepared.ts';

/**
 * Selects the imports of the user that have no single company, if the user represents all of their companies,
 * and the imports of the listed companies.
 */
const SEEN = `(company IS NULL AND documento = @documento AND NOT EXISTS (
    SELECT 1 FROM json_each(companies) WHERE value NOT IN (SELECT value FROM json_each(@represented))))
  OR company IN (SELECT value FROM json_each(@listed))`;

const listed = (isOfContent: boolean): string =>
  `SELECT ${JOB_COLUMNS} FROM import_job WHERE ${isOfContent ? 'sha256 = @sha256 AND ' : ''}(${SEEN}) ORDER BY id DESC LIMIT @limit`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const QUERIES = {
  list: listed(false),
  listOfContent: listed(true),
  unfinished: `SELECT ${JOB_COLUMNS} FROM import_job WHERE state IN ('queued', 'running') ORDER BY id`,
  results: `SELECT ${RESULT_COLUMNS} FROM import_result WHERE job_id = ? AND idx > ? ORDER BY idx LIMIT ?`,
  // Without the index hint, SQLite would search all results of the job for the few refused ones.
  resultsOf: `SELECT ${RESULT_COLUMNS} FROM import_result INDEXED BY import_result_by_outcome
    WHERE job_id = ? AND outcome = ? AND idx > ? ORDER BY idx LIMIT ?`,
  finishedBefore: `SELECT id FROM import_job WHERE finished_at < ? ORDER BY finished_at LIMIT 1`,
  forgetting: `SELECT id FROM import_job WHERE forgotten = 1 LIMIT 1`,
} as const;

export interface ListedImports {
  readonly documento: string;
  readonly listed: Iterable<string>;
  readonly represented: Iterable<string>;
  readonly limit: number;
  readonly sha256?: string | undefined;
}

export class ImportStore extends Store {
  readonly #insert = this.db.prepare(
    `INSERT INTO import_job (documento, perfil, session_key, tipo, modo, simular, file_name, stored_file, sha256, pedido, company,
       kind, changes_many, source, root, notices, state, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(root, id) FROM import_job WHERE id = ?), ?, 'queued', ?)`,
  );
  readonly #find = this.db.prepare<[number], JobRow>(`SELECT ${JOB_COLUMNS} FROM import_job WHERE id = ?`);
  readonly #findOrder = this.db
    .prepare<[number], string | null>('SELECT pedido FROM import_job WHERE id = ?')
    .pluck();
  readonly #list = this.#listing(QUERIES.list);
  readonly #listOfContent = this.#listing(QUERIES.listOfContent);
  readonly #unfinished = this.db.prepare<[], JobRow>(QUERIES.unfinished);
  readonly #sheetFiles = this.db
    .prepare<[], string>(
      `SELECT stored_file FROM import_job WHERE kind IN ('planilha', 'correcao') AND changes_many = 0 AND forgotten = 0
         AND id NOT IN (SELECT job_id FROM import_cells WHERE dropped_at IS NOT NULL)`,
    )
    .pluck();
  readonly #begin = this.db.prepare(
    `UPDATE import_job SET state = 'running' WHERE id = ? AND state = 'queued'`,
  );
  readonly #setContents = this.db.prepare(
    'UPDATE import_job SET total = ?, company = ?, companies = ?, notices = coalesce(?, notices) WHERE id = ?',
  );
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
  readonly #keepDone = this.db.prepare<[number, number, number]>(
    `INSERT INTO import_done (job_id, idx, line, codigo, did)
     SELECT job_id, idx, line, codigo, did FROM import_result
     WHERE job_id = ? AND did IS NOT NULL AND idx IN (SELECT idx FROM import_result WHERE job_id = ? LIMIT ?)`,
  );
  readonly #deleteDone = this.db.prepare<[number, number, number]>(
    `DELETE FROM import_done WHERE job_id = ? AND idx IN (SELECT idx FROM import_done WHERE job_id = ? LIMIT ?)`,
  );
  readonly #delete = this.db.prepare<[number]>('DELETE FROM import_job WHERE id = ?');

  insert(
    { documento, perfil, key }: Pick<ImportJob, 'documento' | 'perfil' | 'key'>,
    request: ImportRequest,
    now: EpochMs,
  ): number {
    const { tipo, modo, simular, fileName, storedFile, sha256, pedido, company } = request;
    const { kind, changesMany = false, source = null, notices } = request;
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
      kind,
      changesMany ? 1 : 0,
      source,
      source,
      listText(notices),
      now,
    ];
    return Number(this.#insert.run(...values).lastInsertRowid);
  }

  find(id: number): ImportJob | undefined {
    const row = this.#find.get(id);
    return row && toJob(row);
  }

  /** Returns the change order for each item, as JSON. `null` for a file, whose items contain it. */
  findOrder(id: number): string | null {
    return this.#findOrder.get(id) ?? null;
  }

  /**
   * Returns the jobs of the companies `listed`, and the jobs of the user that have several companies or were
   * not read, newest first.
   * `represented`: all companies of the user. With `sha256`, only those of a file with that content.
   */
  list({ sha256, listed: companies, represented, ...asked }: ListedImports): ImportJob[] {
    const named = {
      ...asked,
      listed: JSON.stringify([...companies]),
      represented: JSON.stringify([...represented]),
    };
    const rows = sha256 === undefined ? this.#list.all(named) : this.#listOfContent.all({ ...named, sha256 });
    return rows.map(toJob);
  }

  #listing(sql: string) {
    return this.db.prepare<unknown[], JobRow>(sql);
  }

  /** Returns the unfinished jobs, in the order of arrival. */
  listUnfinished(): ImportJob[] {
    return this.#unfinished.all().map(toJob);
  }

  /** Returns the files of imports of sheets. They are stored as long as their rows. */
  listSheetFiles(): string[] {
    return this.#sheetFiles.all();
  }

  begin(id: number): void {
    this.#begin.run(id);
  }

  setContents(
    id: number,
    { total, company, companies }: FileContents,
    notices: readonly string[] = [],
  ): void {
    this.#setContents.run(total, company, listText(companies), listText(notices), id);
  }

  /** Ends an unfinished job. Returns `false` if it has already ended. */
  finish(id: number, state: 'done' | 'failed' | 'cancelled', error: string | null, now: EpochMs): boolean {
    return this.#finish.run(state, error, now, id).changes > 0;
  }

  /**
   * Counts the results of a slice, whose items end at `places`, and stores them. Stores a limited number of
   * failed ones. Call it in the transaction that applies the items.
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
      const { member } = places[at] as AppliedPlace; // at least one for each result
      if (member !== known) this.#insertFile.run(id, member, result.file);
      known = member;
      this.#addResult(id, result, member);
    }
    this.advance(id, results, places, failuresKept);
  }

  /** Counts the results of a slice, and stores where it ends. Call it in the transaction of the slice. */
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

  /** Marks an import of the command line as done. */
  complete(id: number, now: EpochMs): void {
    this.#complete.run(now, id);
  }

  /** Returns the job that ended first, if it ended before `before`. */
  findFinishedBefore(before: EpochMs): number | undefined {
    return this.#finishedBefore.get(before);
  }

  /**
   * Deletes at most `limit` results of a job, and the job with the last of them. Returns `true` once the job
   * is deleted.
   */
  deleteSome(id: number, limit: number): boolean {
    const isLast =
      this.#deleteResults.run(id, id, limit).changes + this.#deleteDone.run(id, id, limit).changes < limit;
    if (isLast) this.#delete.run(id);
    return isLast;
  }

  /** Returns a job whose results are being removed. */
  findForgetting(): number | undefined {
    return this.#forgetting.get();
  }

  setForgotten(id: number, forgotten: Forgotten): void {
    this.#setForgotten.run(forgotten, id);
  }

  /**
   * Deletes at most `limit` results of a job that forgets them, and keeps what its undo needs. Returns `true`
   * if none is left.
   */
  forgetSome(id: number, limit: number): boolean {
    this.#keepDone.run(id, id, limit);
    const isLast = this.#deleteResults.run(id, id, limit).changes < limit;
    if (isLast) this.setForgotten(id, 2);
    return isLast;
  }

  /** Returns the next results behind the item `after`, in the order of the file. */
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
