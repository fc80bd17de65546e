/** Store of remotes, of their comparisons, and of the records that comparisons found. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import type {
  ActiveCounts,
  ComparedFiles,
  Counts,
  RecordComparison,
  RemoteKind,
  RemoteState,
} from './compare/model.ts';
import type { ComparisonFailure } from './codes.ts';
import type {
  Comparison,
  ComparisonState,
  KeptExports,
  Remote,
  RemoteRules,
  StoredRecordComparison,
} from './model.ts';

interface RemoteRow extends Omit<Remote, 'companies'> {
  readonly companies: string;
}

interface ComparisonRow extends Omit<Comparison, 'files' | 'counts' | 'forced' | 'byJob' | 'error'> {
  readonly forced: 0 | 1;
  readonly byJob: 0 | 1;
  readonly files: string | null;
  readonly counts: string | null;
  readonly error: string | null;
  readonly errorCode: string | null;
}

interface RecordRow extends Omit<StoredRecordComparison, 'differences' | 'candidates'> {
  readonly differences: string | null;
  readonly candidates: string | null;
}

interface KeptRow {
  readonly id: number;
  readonly kept: string;
}

interface CountsRow {
  readonly id: number;
  readonly counts: string | null;
  readonly isUnused: 0 | 1;
}

type RecordsOfKeys = [comparisonId: number, RemoteKind, firstKey: string, lastKey: string];

interface RecordCounts {
  readonly comparisonId: number;
  readonly state: RemoteState;
  /** Lists as JSON. `null`: any code. */
  readonly states: string;
  readonly kinds: string;
  readonly codigos: string | null;
}

type ComparisonOfCompany = Pick<Comparison, 'id' | 'remoteId' | 'cpfCnpjRaiz'>;

const REMOTE = 'SELECT id, name, rules, companies FROM remote';
const COMPARISON = `SELECT c.id, c.remote_id AS remoteId, r.name AS remote, r.rules, c.cpf_cnpj_raiz AS cpfCnpjRaiz, c.documento,
  iif(c.cancelled = 1, 'cancelled', c.state) AS state, c.forced, c.by_job AS byJob, c.files, c.error, c.error_code AS errorCode, c.counts, c.at
  FROM remote_comparison c CROSS JOIN remote r ON r.id = c.remote_id`;
/** An unfinished run needs the records and the exports of its comparison. */
const IN_NO_RUN = `NOT EXISTS (SELECT 1 FROM remote_run u
  WHERE u.comparison_id = c.id AND u.state IN ('queued', 'running', 'resting', 'paused'))`;
const SELECT_RECORD = `SELECT n, kind, here AS localKey, there AS remoteKey, here_versao AS localVersao, there_versao AS remoteVersao, here_whole AS localFingerprint,
  there_whole AS remoteFingerprint, name, state, otherwise, reason, differences, candidates FROM remote_record`;

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const REMOTE_QUERIES = {
  ofCompany: `${COMPARISON} WHERE c.cpf_cnpj_raiz = +? AND r.gone = 0 ORDER BY c.id DESC LIMIT 1000`,
  newest:
    "SELECT max(id) FROM remote_comparison WHERE remote_id = +? AND cpf_cnpj_raiz = ? AND state = 'done'",
  unfinished: `${COMPARISON} WHERE c.state IN ('queued', 'running') ORDER BY c.id`,
  before: `SELECT c.id FROM remote_comparison c WHERE c.at < ? AND ${IN_NO_RUN} ORDER BY c.at LIMIT 1`,
  /** A newer comparison stores its own equal records. */
  equalBefore: `SELECT c.id FROM remote_comparison c WHERE c.cpf_cnpj_raiz = ? AND c.remote_id = +? AND c.id < ?
    AND EXISTS (SELECT 1 FROM remote_record f WHERE f.comparison_id = c.id AND f.state = 'igual') AND ${IN_NO_RUN} LIMIT 1`,
  countsUpTo: `SELECT c.id, c.counts, ${IN_NO_RUN} AS isUnused FROM remote_comparison c
    WHERE c.cpf_cnpj_raiz = ? AND c.remote_id = +? AND c.id <= ? AND c.state = 'done' ORDER BY c.id DESC`,
  kept: 'SELECT id, kept FROM remote_comparison WHERE kept IS NOT NULL',
  // Files that a run still fetches from stay until the next comparison.
  outdated: `SELECT c.id, c.kept FROM remote_comparison c INDEXED BY remote_comparison_kept
    WHERE c.remote_id = ? AND c.cpf_cnpj_raiz = ? AND c.kept IS NOT NULL AND c.id < ? AND ${IN_NO_RUN}`,
  recordsAfter: `${SELECT_RECORD} WHERE comparison_id = ? AND state = ? AND kind = +? AND n > ? ORDER BY n LIMIT ?`,
  ofRemote: 'SELECT id FROM remote_comparison WHERE remote_id = ? LIMIT 1',
  // The index is named because the planner otherwise picks the primary key and scans all records of the
  // comparison.
  ofHere: `${SELECT_RECORD} INDEXED BY remote_record_of_here WHERE comparison_id = ? AND kind = ? AND here = ?`,
  ofThere: `${SELECT_RECORD} INDEXED BY remote_record_of_there WHERE comparison_id = ? AND kind = ? AND there = ?`,
  hasHere: `SELECT 1 FROM remote_record INDEXED BY remote_record_of_here
    WHERE comparison_id = ? AND kind = ? AND here BETWEEN ? AND ? LIMIT 1`,
  hasOnlyThere: `SELECT 1 FROM remote_record INDEXED BY remote_record_of_there
    WHERE comparison_id = ? AND kind = ? AND there BETWEEN ? AND ? AND here IS NULL LIMIT 1`,
} as const;

export class RemoteStore extends Store {
  readonly #insert = this.inserts('INSERT INTO remote (name, rules, companies) VALUES (?, ?, ?)');
  readonly find = this.one<[name: string], Remote>(`${REMOTE} WHERE name = ? AND gone = 0`, toRemote);
  readonly list = this.many<[], Remote>(`${REMOTE} WHERE gone = 0 ORDER BY name`, toRemote);
  readonly change = this.runs(
    'UPDATE remote SET rules = ?, companies = ? WHERE id = ?',
    (id: number, rules: RemoteRules, companies: readonly string[]) => [rules, JSON.stringify(companies), id],
  );
  /** Hides a remote. Its dependent rows are deleted later in slices. */
  readonly markGone = this.runs<[id: number]>('UPDATE remote SET gone = 1 WHERE id = ?');
  readonly findGone = this.value<[], number>('SELECT id FROM remote WHERE gone = 1 LIMIT 1');
  readonly delete = this.runs<[id: number]>('DELETE FROM remote WHERE id = ?');

  readonly #insertComparison = this.inserts(
    `INSERT INTO remote_comparison (remote_id, cpf_cnpj_raiz, documento, state, forced, by_job, files, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly findComparison = this.one<[id: number], Comparison>(`${COMPARISON} WHERE c.id = +?`, toComparison);
  readonly findComparisonBefore = this.value<[at: EpochMs], number>(REMOTE_QUERIES.before);
  readonly findComparisonOf = this.value<[remoteId: number], number>(REMOTE_QUERIES.ofRemote);
  /** Returns the comparisons of a company, newest first. */
  readonly listOf = this.many<[cpfCnpjRaiz: string], Comparison>(REMOTE_QUERIES.ofCompany, toComparison);
  /** Returns the newest finished comparison. */
  readonly newestOf = this.value<[remoteId: number, cpfCnpjRaiz: string], number>(REMOTE_QUERIES.newest);
  readonly listUnfinished = this.many<[], Comparison>(REMOTE_QUERIES.unfinished, toComparison);
  /** Stores the files of a comparison whose exports were fetched. */
  readonly putFiles = this.runs(
    "UPDATE remote_comparison SET files = ? WHERE id = ? AND state IN ('queued', 'running')",
    (id: number, files: ComparedFiles) => [JSON.stringify(files), id],
  );
  readonly begin = this.runs<[id: number]>(
    "UPDATE remote_comparison SET state = 'running' WHERE id = ? AND state IN ('queued', 'running')",
  );
  readonly #cancel = this.changes(
    `UPDATE remote_comparison SET state = 'failed', cancelled = 1, error = ?, error_code = ?, files = NULL
     WHERE id = ? AND state IN ('queued', 'running')`,
  );
  readonly #end = this.runs(
    `UPDATE remote_comparison SET state = ?, error = ?, error_code = ?, counts = ?, active = ?, files = NULL
     WHERE id = ? AND cancelled = 0`,
  );
  readonly putCounts = this.runs(
    'UPDATE remote_comparison SET counts = ? WHERE id = ?',
    (id: number, counts: Counts) => [JSON.stringify(counts), id],
  );
  readonly #activeOf = this.value<[number], string>('SELECT active FROM remote_comparison WHERE id = ?');
  readonly deleteComparison = this.runs<[id: number]>('DELETE FROM remote_comparison WHERE id = ?');

  /** Stores the names of the exports of a comparison, kept while a run may fetch from them. */
  readonly keep = this.runs('UPDATE remote_comparison SET kept = ? WHERE id = ?', keptValues);
  /**
   * Returns the kept exports. `undefined`: nothing in them could be fetched, or a newer comparison exists.
   */
  readonly findKept = this.one<[comparisonId: number], KeptExports>(
    'SELECT kept FROM remote_comparison WHERE id = ? AND kept IS NOT NULL',
    keptIn,
  );
  readonly #keptRows = this.many<[], KeptRow>(REMOTE_QUERIES.kept);
  readonly #outdated = this.many<[number, string, number], KeptRow>(REMOTE_QUERIES.outdated);

  readonly insertRecord = this.runs(
    `INSERT INTO remote_record (comparison_id, n, kind, here, there, here_versao, there_versao, here_whole, there_whole,
       name, state, otherwise, reason, differences, candidates)
     VALUES (@comparisonId, @n, @kind, @localKey, @remoteKey, @localVersao, @remoteVersao, @localFingerprint, @remoteFingerprint,
       @name, @state, @otherwise, @reason, @differences, @candidates)`,
    (comparisonId: number, n: number, record: RecordComparison) => {
      const { otherwise = null } = record;
      const [differences, candidates] = [record.differences, record.candidates].map((list) =>
        list.length === 0 ? null : JSON.stringify(list),
      );
      return [{ ...record, comparisonId, n, otherwise, differences, candidates }];
    },
  );
  readonly findByLocalKey = this.one<
    [comparisonId: number, RemoteKind, here: string],
    StoredRecordComparison
  >(REMOTE_QUERIES.ofHere, recordOfRow);
  readonly findByRemoteKey = this.one<
    [comparisonId: number, RemoteKind, there: string],
    StoredRecordComparison
  >(REMOTE_QUERIES.ofThere, recordOfRow);
  readonly #hasHere = this.value<RecordsOfKeys, 1>(REMOTE_QUERIES.hasHere);
  readonly #hasOnlyThere = this.value<RecordsOfKeys, 1>(REMOTE_QUERIES.hasOnlyThere);
  /** Returns a page of the records of one kind and state of a comparison, after a position. */
  readonly recordsAfter = this.many<
    [comparisonId: number, RemoteState, RemoteKind, after: number, limit: number],
    StoredRecordComparison
  >(REMOTE_QUERIES.recordsAfter, recordOfRow);
  readonly #countRecords = this.number<[RecordCounts]>(
    `SELECT count(*) FROM remote_record WHERE comparison_id = @comparisonId
     AND state IN (SELECT value FROM json_each(@states)) AND ifnull(otherwise, state) = @state
     AND kind IN (SELECT value FROM json_each(@kinds))
     AND (@codigos IS NULL OR iif(kind = 'produto', ltrim(here, '0'), here) IN (SELECT value FROM json_each(@codigos)))`,
  );
  readonly deleteRecord = this.runs<[comparisonId: number, n: number]>(
    'DELETE FROM remote_record WHERE comparison_id = ? AND n = ?',
  );
  /** Deletes at most `limit` records of a comparison. Returns the number of deleted rows. */
  readonly deleteSomeRecords = this.changes(
    `DELETE FROM remote_record WHERE comparison_id = ? AND n IN
       (SELECT n FROM remote_record WHERE comparison_id = ? LIMIT ?)`,
    (comparisonId: number, limit: number) => [comparisonId, comparisonId, limit],
  );
  readonly #countsUpTo = this.many<[string, number, number], CountsRow>(REMOTE_QUERIES.countsUpTo);
  readonly #equalBefore = this.value<[string, number, number], number>(REMOTE_QUERIES.equalBefore);
  /** Deletes at most `limit` equal records of a comparison. Returns the number of deleted rows. */
  readonly deleteEqualSome = this.changes(
    `DELETE FROM remote_record WHERE comparison_id = ? AND n IN (
       SELECT n FROM remote_record WHERE comparison_id = ? AND state = 'igual' LIMIT ?)`,
    (comparisonId: number, limit: number) => [comparisonId, comparisonId, limit],
  );

  insert({ name, rules, companies }: Omit<Remote, 'id'>): number {
    return this.#insert(name, rules, JSON.stringify(companies));
  }

  insertComparison(
    comparison: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz' | 'documento' | 'forced' | 'files' | 'state'> &
      Partial<Pick<Comparison, 'byJob'>>,
    at: EpochMs,
  ): number {
    const { remoteId, cpfCnpjRaiz, documento, state, byJob = false } = comparison;
    const [forced, files] = [comparison.forced ? 1 : 0, comparison.files && JSON.stringify(comparison.files)];
    return this.#insertComparison(remoteId, cpfCnpjRaiz, documento, state, forced, byJob ? 1 : 0, files, at);
  }

  /** Returns the names of all files that a comparison still needs. */
  listFiles(): string[] {
    return this.listUnfinished().flatMap(({ files }) => Object.values(files ?? {}));
  }

  /** Returns the unfinished comparisons with the files that they still need. */
  listWaiting(): { documento: string; company: string; files: readonly string[] }[] {
    return this.listUnfinished().map(({ documento, cpfCnpjRaiz: company, files }) => ({
      documento,
      company,
      files: Object.values(files ?? {}),
    }));
  }

  /** Ends a comparison that is not over. Returns true when it was not over. */
  cancel(id: number, { code, message }: ComparisonFailure): boolean {
    return this.#cancel(message, code, id) > 0;
  }

  end(
    id: number,
    state: Exclude<ComparisonState, 'cancelled'>,
    error: ComparisonFailure | null,
    totals?: { readonly counts: Counts; readonly active: ActiveCounts },
  ): void {
    const [counts, active] = [totals?.counts, totals?.active].map((value) => jsonOrNull(value));
    this.#end(state, error?.message ?? null, error?.code ?? null, counts, active, id);
  }

  /** Returns true when a comparison has a record with such a key, local or only remote. */
  hasKey(...records: RecordsOfKeys): boolean {
    return this.#hasHere(...records) !== undefined || this.#hasOnlyThere(...records) !== undefined;
  }

  /** Returns the number of active records at the time of the comparison. */
  activeOf(id: number): ActiveCounts {
    const text = this.#activeOf(id);
    return text === undefined ? { here: 0, there: 0 } : (JSON.parse(text) as ActiveCounts);
  }

  /** Forgets exports that a newer comparison makes obsolete. Returns the names of their files. */
  dropOutdated({ id, remoteId, cpfCnpjRaiz }: ComparisonOfCompany): string[] {
    const rows = this.#outdated(remoteId, cpfCnpjRaiz, id);
    for (const row of rows) this.keep(row.id, null);
    return rows.map(keptIn).flatMap(filesOf);
  }

  /** Returns the names of all kept files. */
  listKeptFiles(): string[] {
    return this.#keptRows().map(keptIn).flatMap(filesOf);
  }

  /**
   * Counts the records of these kinds whose state in a comparison is one of `states`, and is `state` without the
   * step that a run left open. `codigos` limits the count to these local codes.
   */
  countRecords(
    comparisonId: number,
    state: RemoteState,
    {
      states,
      kinds,
      codigos,
    }: {
      readonly states: readonly RemoteState[];
      readonly kinds: readonly RemoteKind[];
      readonly codigos?: readonly string[] | undefined;
    },
  ): number {
    const lists = { states: JSON.stringify(states), kinds: JSON.stringify(kinds) };
    return this.#countRecords({ comparisonId, state: state, ...lists, codigos: jsonOrNull(codigos) });
  }

  /**
   * Returns an earlier comparison of the same remote and company that holds equal records and that no run
   * needs. `undefined`: none.
   */
  findEqualBefore({ id, remoteId, cpfCnpjRaiz }: ComparisonOfCompany): number | undefined {
    return this.#equalBefore(cpfCnpjRaiz, remoteId, id);
  }

  /**
   * Returns the earlier comparisons of the same remote and company that no run needs, and that list more than
   * `max` records together with the newer ones. An equal record is not counted: only the newest lists it.
   */
  listOverLimit({ id, remoteId, cpfCnpjRaiz }: ComparisonOfCompany, max: number): number[] {
    let records = 0;
    const beyond: number[] = [];
    for (const row of this.#countsUpTo(cpfCnpjRaiz, remoteId, id)) {
      for (const counts of Object.values(JSON.parse(row.counts ?? '{}') as Counts))
        for (const [state, count] of Object.entries(counts)) if (state !== 'igual') records += count;
      if (records > max && row.id !== id && row.isUnused === 1) beyond.push(row.id);
    }
    return beyond;
  }
}

const toRemote = ({ companies, ...row }: RemoteRow): Remote => ({
  ...row,
  companies: JSON.parse(companies) as string[],
});

const toComparison = ({
  files,
  counts,
  forced,
  byJob,
  error,
  errorCode,
  ...row
}: ComparisonRow): Comparison => ({
  ...row,
  error: error === null || errorCode === null ? null : { code: errorCode, message: error },
  forced: forced === 1,
  byJob: byJob === 1,
  files: files === null ? null : (JSON.parse(files) as ComparedFiles),
  counts: counts === null ? null : (JSON.parse(counts) as Counts),
});

const jsonOrNull = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

const listOf = <T>(text: string | null): readonly T[] => (text === null ? [] : (JSON.parse(text) as T[]));

const recordOfRow = ({ differences, candidates, ...row }: RecordRow): StoredRecordComparison => ({
  ...row,
  differences: listOf<RecordComparison['differences'][number]>(differences),
  candidates: listOf<RecordComparison['candidates'][number]>(candidates),
});

const keptIn = ({ kept }: Pick<KeptRow, 'kept'>): KeptExports => JSON.parse(kept) as KeptExports;
const keptValues = (comparisonId: number, exports: KeptExports | null): readonly unknown[] => [
  exports && JSON.stringify(exports),
  comparisonId,
];

export const filesOf = ({ operadores, produtos }: KeptExports): string[] => [operadores, produtos];

export { SELECT_RECORD, recordOfRow, type RecordRow };
