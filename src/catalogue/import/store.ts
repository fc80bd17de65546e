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
  leftOutNotices,
} from './model.ts';
import { jobState } from './awaiting-store.ts';
import {
  JOB_COLUMNS,
  RESULT_COLUMNS,
  type ResultRow,
  listText,
  resultValues,
  toJob,
  toResult,
} from './record.ts';
import { recordedSince } from '../../db/migration-table.ts';
import { Store } from '../../db/prepared.ts';

/**
 * Selects the imports of the user that have no single company, if the user represents all of their companies,
 * and the imports of the listed companies.
 */
const SEEN = `(company IS NULL AND documento = @documento AND NOT EXISTS (
    SELECT 1 FROM json_each(companies) WHERE value NOT IN (SELECT value FROM json_each(@represented))))
  OR company IN (SELECT value FROM json_each(@listed))`;

const COLUMNS = `${JOB_COLUMNS}, ${jobState('import_job')}`;

const listed = (isOfContent: boolean): string =>
  `SELECT ${COLUMNS} FROM import_job WHERE ${isOfContent ? 'sha256 = @sha256 AND ' : ''}(${SEEN}) ORDER BY id DESC LIMIT @limit`;

/** The queries that grow with the stored data. A test holds each to an index. */
export const QUERIES = {
  list: listed(false),
  listOfContent: listed(true),
  unfinished: `SELECT ${COLUMNS} FROM import_job WHERE state IN ('queued', 'running') ORDER BY id`,
  results: `SELECT ${RESULT_COLUMNS} FROM import_result WHERE job_id = ? AND idx > ? ORDER BY idx LIMIT ?`,
  // Without the index hint, SQLite would search all results of the job for the few refused ones.
  resultsOf: `SELECT ${RESULT_COLUMNS} FROM import_result INDEXED BY import_result_by_outcome
    WHERE job_id = ? AND outcome = ? AND idx > ? ORDER BY idx LIMIT ?`,
  // A proposal and its decision are kept as long as an import that ended when it was decided.
  finishedBefore: `SELECT id FROM import_job j WHERE finished_at < @before AND NOT EXISTS (
      SELECT 1 FROM proposal WHERE job_id = j.id AND coalesce(decided_at, @before) >= @before)
    ORDER BY finished_at LIMIT 1`,
  forgetting: `SELECT id FROM import_job WHERE forgotten = 1 LIMIT 1`,
} as const;

/** The migration with which results came to have all their members. */
const WHOLE_RESULTS = 17;

export interface ListedImports {
  readonly documento: string;
  readonly listed: Iterable<string>;
  readonly represented: Iterable<string>;
  readonly limit: number;
  readonly sha256?: string | undefined;
}

export class ImportStore extends Store {
  /** Returns true for an import that an older version began, whose results lack members. */
  readonly #lacksMembers = this.exists<[id: number]>(
    `SELECT 1 FROM import_job WHERE id = ? AND created_at < ${recordedSince(WHOLE_RESULTS)}`,
  );
  readonly #insert = this.inserts(
    `INSERT INTO import_job (documento, perfil, session_key, tipo, modo, simular, file_name, stored_file, sha256, pedido, company,
       kind, changes_many, source, root, notices, proposal, proposed_by, state, created_at)
     VALUES (@documento, @perfil, @key, @tipo, @modo, @simular, @fileName, @storedFile, @sha256, @pedido, @company, @kind, @changesMany,
       @source, (SELECT coalesce(root, id) FROM import_job WHERE id = @source), @notices, @proposal, @proposedBy, 'queued', @now)`,
  );
  readonly find = this.one<[id: number], ImportJob>(`SELECT ${COLUMNS} FROM import_job WHERE id = ?`, toJob);
  readonly #findInstructions = this.value<[number], string>('SELECT pedido FROM import_job WHERE id = ?');
  readonly #list = this.many<[object], ImportJob>(QUERIES.list, toJob);
  readonly #listOfContent = this.many<[object], ImportJob>(QUERIES.listOfContent, toJob);
  /** Returns the unfinished jobs, in the order of arrival. */
  readonly listUnfinished = this.many<[], ImportJob>(QUERIES.unfinished, toJob);
  /** Returns the files of imports of sheets, and of dry runs of files. They are stored as long as their rows. */
  readonly listSheetFiles = this.values<[], string>(
    `SELECT stored_file FROM import_job WHERE forgotten = 0
         AND (kind IN ('planilha', 'correcao') AND changes_many = 0 OR id IN (SELECT job_id FROM import_cells))
         AND id NOT IN (SELECT job_id FROM import_cells WHERE dropped_at IS NOT NULL)`,
  );
  readonly begin = this.runs<[id: number]>(
    `UPDATE import_job SET state = 'running' WHERE id = ? AND state = 'queued'`,
  );
  readonly #setContents = this.runs(
    'UPDATE import_job SET total = ?, company = ?, companies = ?, notices = coalesce(?, notices) WHERE id = ?',
  );
  readonly #finish = this.changes(
    `UPDATE import_job SET state = ?, error = ?, finished_at = ? WHERE id = ? AND state IN ('queued', 'running')`,
  );
  /** Marks an import of the command line as done. */
  readonly complete = this.runs(
    `UPDATE import_job SET state = 'done', finished_at = ? WHERE id = ?`,
    (id: number, now: EpochMs) => [now, id],
  );
  readonly #count = this.runs(
    `UPDATE import_job SET processed = processed + @processed, created = created + @created, new_version = new_version + @newVersion,
       deactivated = deactivated + @deactivated, unchanged = unchanged + @unchanged, failed = failed + @failed,
       failed_not_kept = failed_not_kept + @failedNotKept, applied_member = @member, applied_index = @indexInMember,
       applied_end = @end, applied_line = @endLine
     WHERE id = @id`,
  );
  readonly #insertResult = this.runs(
    `INSERT INTO import_result (job_id, idx, seq, codigo, versao, outcome, name, codes, member, line, problems, further, notices, changes, did)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    resultValues,
  );
  readonly #insertFile = this.runs(
    'INSERT OR IGNORE INTO import_file (job_id, member, name) VALUES (?, ?, ?)',
  );
  readonly #fileName = this.value<[number, number], string>(
    'SELECT name FROM import_file WHERE job_id = ? AND member = ?',
  );
  readonly #results = this.many<[number, number, number], ResultRow>(QUERIES.results);
  readonly #resultsOf = this.many<[number, string, number, number], ResultRow>(QUERIES.resultsOf);
  readonly #findFinishedBefore = this.value<[{ before: EpochMs }], number>(QUERIES.finishedBefore);
  /** Returns a job whose results are being removed. */
  readonly findForgetting = this.value<[], number>(QUERIES.forgetting);
  readonly setForgotten = this.runs(
    'UPDATE import_job SET forgotten = ? WHERE id = ?',
    (id: number, forgotten: Forgotten) => [forgotten, id],
  );
  readonly #deleteResults = this.changes<[number, number, number]>(
    `DELETE FROM import_result WHERE job_id = ? AND idx IN
       (SELECT idx FROM import_result WHERE job_id = ? LIMIT ?)`,
  );
  readonly #keepDone = this.runs<[number, number, number]>(
    `INSERT INTO import_done (job_id, idx, line, codigo, did)
     SELECT job_id, idx, line, codigo, did FROM import_result
     WHERE job_id = ? AND did IS NOT NULL AND idx IN (SELECT idx FROM import_result WHERE job_id = ? LIMIT ?)`,
  );
  readonly #deleteDone = this.changes<[number, number, number]>(
    `DELETE FROM import_done WHERE job_id = ? AND idx IN (SELECT idx FROM import_done WHERE job_id = ? LIMIT ?)`,
  );
  readonly #delete = this.runs<[number]>('DELETE FROM import_job WHERE id = ?');

  insert(
    { documento, perfil, key }: Pick<ImportJob, 'documento' | 'perfil' | 'key'>,
    request: ImportRequest,
    now: EpochMs,
  ): number {
    const { tipo, modo, simular, fileName, storedFile, sha256, pedido, company } = request;
    const { kind, changesMany = false, source = null, notices, proposal } = request;
    return this.#insert({
      documento,
      perfil,
      key,
      tipo,
      modo,
      fileName,
      storedFile,
      sha256,
      pedido,
      company,
      kind,
      source,
      now,
      simular: simular ? 1 : 0,
      changesMany: changesMany ? 1 : 0,
      notices: listText(notices),
      proposal: proposal?.id ?? null,
      proposedBy: proposal?.by ?? null,
    });
  }

  /** Returns the job that ended first, if it ended before `before` and no decision on it is awaited or newer. */
  findFinishedBefore(before: EpochMs): number | undefined {
    return this.#findFinishedBefore({ before });
  }

  /** Returns the change instructions for each item, as JSON. `null` for a file, whose items contain it. */
  findInstructions(id: number): string | null {
    return this.#findInstructions(id) ?? null;
  }

  /**
   * Returns the jobs of the companies `listed`, and the jobs of the user that have several companies or were
   * not read, newest first.
   * `represented`: all companies of the user. With `sha256`, only those of a file with that content.
   */
  list({ sha256, listed: companies, represented, ...user }: ListedImports): ImportJob[] {
    const lists = {
      listed: JSON.stringify([...companies]),
      represented: JSON.stringify([...represented]),
    };
    const values = { ...user, ...lists };
    return sha256 === undefined ? this.#list(values) : this.#listOfContent({ ...values, sha256 });
  }

  setContents(id: number, { total, company, companies, leftOut }: FileContents): void {
    this.#setContents(total, company, listText(companies), listText(leftOutNotices(leftOut)), id);
  }

  /** Ends an unfinished job. Returns `false` if it has already ended. */
  finish(id: number, state: 'done' | 'failed' | 'cancelled', error: string | null, now: EpochMs): boolean {
    return this.#finish(state, error, now, id) > 0;
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
    let [failed, lastMember] = [0, -1];
    for (const [index, result] of results.entries()) {
      if (result.outcome === 'failed' && ++failed > failuresKept) continue;
      const { member } = places[index] as AppliedPlace; // at least one for each result
      if (member !== lastMember) this.#insertFile(id, member, result.file);
      lastMember = member;
      this.#insertResult(id, member, result);
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
    const place = places[results.length - 1] as AppliedPlace;
    this.#count({ ...counts, ...place, failedNotKept: Math.max(0, counts.failed - failuresKept), id });
  }

  /**
   * Deletes at most `limit` results of a job, and the job with the last of them. Returns `true` once the job
   * is deleted.
   */
  deleteSome(id: number, limit: number): boolean {
    const isLast = this.#deleteResults(id, id, limit) + this.#deleteDone(id, id, limit) < limit;
    if (isLast) this.#delete(id);
    return isLast;
  }

  /**
   * Deletes at most `limit` results of a job that forgets them, and keeps what its undo needs. Returns `true`
   * if none is left.
   */
  forgetSome(id: number, limit: number): boolean {
    this.#keepDone(id, id, limit);
    const isLast = this.#deleteResults(id, id, limit) < limit;
    if (isLast) this.setForgotten(id, 2);
    return isLast;
  }

  /** Returns the next results behind the item `after`, in the order of the file. */
  listResults(id: number, outcome: ImportOutcome | undefined, after: number, limit: number): ItemResult[] {
    const rows =
      outcome === undefined ? this.#results(id, after, limit) : this.#resultsOf(id, outcome, after, limit);
    const lacksMembers = rows.length > 0 && this.#lacksMembers(id);
    const files = new Map<number, string>();
    return rows.map((row) => {
      const file = files.get(row.member) ?? this.#fileName(id, row.member) ?? '';
      files.set(row.member, file);
      return toResult(row, file, lacksMembers);
    });
  }
}
