/** Store of remotes and of the records that comparisons found. */
import type { EpochMs } from '../clock.ts';
import { Store } from '../db/prepared.ts';
import type { Active, ComparedFiles, Counts, Found, RemoteKind, RemoteState } from './compare/model.ts';
import type { ComparisonFailure } from './codes.ts';
import type { Comparison, ComparisonState, Remote, RemoteRules, StoredFound } from './model.ts';

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

interface FoundRow extends Omit<StoredFound, 'differences' | 'candidates'> {
  readonly differences: string | null;
  readonly candidates: string | null;
}

const REMOTE = 'SELECT id, name, rules, companies FROM remote';
const COMPARISON = `SELECT c.id, c.remote_id AS remoteId, r.name AS remote, r.rules, c.cpf_cnpj_raiz AS cpfCnpjRaiz, c.documento,
  iif(c.cancelled = 1, 'cancelled', c.state) AS state, c.forced, c.by_job AS byJob, c.files, c.error, c.error_code AS errorCode, c.counts, c.at FROM remote_comparison c CROSS JOIN remote r ON r.id = c.remote_id`;
const FOUND = `SELECT n, kind, here, there, here_versao AS hereVersao, there_versao AS thereVersao, here_whole AS hereWhole,
  there_whole AS thereWhole, name, state, otherwise, reason, differences, candidates FROM remote_record`;

/** Queries that grow with the stored rows. A test checks that each uses an index. */
export const REMOTE_QUERIES = {
  ofCompany: `${COMPARISON} WHERE c.cpf_cnpj_raiz = +? AND r.gone = 0 ORDER BY c.id DESC LIMIT 1000`,
  newest:
    "SELECT max(id) FROM remote_comparison WHERE cpf_cnpj_raiz = ? AND remote_id = +? AND state = 'done'",
  unfinished: "SELECT id FROM remote_comparison WHERE state IN ('queued', 'running') ORDER BY id",
  /** An unfinished run needs the records of its comparison. */
  before: `SELECT c.id FROM remote_comparison c WHERE c.at < ? AND NOT EXISTS (SELECT 1 FROM remote_run u
    WHERE u.comparison_id = c.id AND u.state IN ('queued', 'running', 'resting', 'paused')) ORDER BY c.at LIMIT 1`,
  foundBehind: `${FOUND} WHERE comparison_id = ? AND state = ? AND kind = +? AND n > ? ORDER BY n LIMIT ?`,
  ofRemote: 'SELECT id FROM remote_comparison WHERE remote_id = ? LIMIT 1',
  // The index is named because the planner otherwise picks the primary key and scans all records of the
  // comparison.
  ofHere: `${FOUND} INDEXED BY remote_record_of_here WHERE comparison_id = ? AND kind = ? AND here = ?`,
  ofThere: `${FOUND} INDEXED BY remote_record_of_there WHERE comparison_id = ? AND kind = ? AND there = ?`,
} as const;

export class RemoteStore extends Store {
  readonly #find = this.db.prepare<[string], RemoteRow>(`${REMOTE} WHERE name = ? AND gone = 0`);
  readonly #list = this.db.prepare<[], RemoteRow>(`${REMOTE} WHERE gone = 0 ORDER BY name`);
  readonly #gone = this.db.prepare<[], number>('SELECT id FROM remote WHERE gone = 1 LIMIT 1').pluck();
  readonly #comparison = this.db.prepare<[number], ComparisonRow>(`${COMPARISON} WHERE c.id = +?`);
  readonly #ofCompany = this.db.prepare<[string], ComparisonRow>(REMOTE_QUERIES.ofCompany);
  readonly #newest = this.db.prepare<[string, number], number | null>(REMOTE_QUERIES.newest).pluck();
  readonly #unfinished = this.db.prepare<[], number>(REMOTE_QUERIES.unfinished).pluck();
  readonly #before = this.db.prepare<[EpochMs], number>(REMOTE_QUERIES.before).pluck();
  readonly #ofRemote = this.db.prepare<[number], number>(REMOTE_QUERIES.ofRemote).pluck();
  readonly #insertFound = this.db.prepare(
    `INSERT INTO remote_record (comparison_id, n, kind, here, there, here_versao, there_versao, here_whole, there_whole,
       name, state, otherwise, reason, differences, candidates) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly #ofHere = this.db.prepare<[number, RemoteKind, string], FoundRow>(REMOTE_QUERIES.ofHere);
  readonly #ofThere = this.db.prepare<[number, RemoteKind, string], FoundRow>(REMOTE_QUERIES.ofThere);

  readonly #countFound = this.db
    .prepare<
      [{ comparisonId: number; of: RemoteState; states: string; kinds: string; codigos: string | null }],
      number
    >(
      `SELECT count(*) FROM remote_record WHERE comparison_id = @comparisonId
       AND state IN (SELECT value FROM json_each(@states)) AND ifnull(otherwise, state) = @of
       AND kind IN (SELECT value FROM json_each(@kinds))
       AND (@codigos IS NULL OR iif(kind = 'produto', ltrim(here, '0'), here) IN (SELECT value FROM json_each(@codigos)))`,
    )
    .pluck();
  readonly #foundBehind = this.db.prepare<[number, RemoteState, RemoteKind, number, number], FoundRow>(
    REMOTE_QUERIES.foundBehind,
  );

  insert({ name, rules, companies }: Omit<Remote, 'id'>): number {
    const { lastInsertRowid } = this.db
      .prepare('INSERT INTO remote (name, rules, companies) VALUES (?, ?, ?)')
      .run(name, rules, JSON.stringify(companies));
    return Number(lastInsertRowid);
  }

  change(id: number, rules: RemoteRules, companies: readonly string[]): void {
    this.db
      .prepare('UPDATE remote SET rules = ?, companies = ? WHERE id = ?')
      .run(rules, JSON.stringify(companies), id);
  }

  /** Hides a remote. Its dependent rows are deleted later in slices. */
  markGone(id: number): void {
    this.db.prepare('UPDATE remote SET gone = 1 WHERE id = ?').run(id);
  }

  findGone(): number | undefined {
    return this.#gone.get();
  }

  delete(id: number): void {
    this.db.prepare('DELETE FROM remote WHERE id = ?').run(id);
  }

  find(name: string): Remote | undefined {
    const row = this.#find.get(name);
    return row && toRemote(row);
  }

  list(): Remote[] {
    return this.#list.all().map(toRemote);
  }

  insertComparison(
    asked: Pick<Comparison, 'remoteId' | 'cpfCnpjRaiz' | 'documento' | 'forced' | 'files' | 'state'> &
      Partial<Pick<Comparison, 'byJob'>>,
    at: EpochMs,
  ): number {
    const { remoteId, cpfCnpjRaiz, documento, forced, files, state, byJob = false } = asked;
    const { lastInsertRowid } = this.db
      .prepare(
        `INSERT INTO remote_comparison (remote_id, cpf_cnpj_raiz, documento, state, forced, by_job, files, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[remoteId, cpfCnpjRaiz, documento, state, forced ? 1 : 0, byJob ? 1 : 0],
        ...[files && JSON.stringify(files), at],
      );
    return Number(lastInsertRowid);
  }

  findComparison(id: number): Comparison | undefined {
    const row = this.#comparison.get(id);
    return row && toComparison(row);
  }

  /** Returns the comparisons of a company, newest first. */
  listOf(cpfCnpjRaiz: string): Comparison[] {
    return this.#ofCompany.all(cpfCnpjRaiz).map(toComparison);
  }

  /** Returns the newest finished comparison. */
  newestOf(remoteId: number, cpfCnpjRaiz: string): number | undefined {
    return this.#newest.get(cpfCnpjRaiz, remoteId) ?? undefined;
  }

  listUnfinished(): number[] {
    return this.#unfinished.all();
  }

  /** Returns the names of all files that a comparison still needs. */
  listFiles(): string[] {
    return this.listUnfinished().flatMap((id) => Object.values(this.findComparison(id)?.files ?? {}));
  }

  /** Returns the unfinished comparisons with the files that they still need. */
  listWaiting(): { documento: string; company: string; files: readonly string[] }[] {
    return this.listUnfinished()
      .flatMap((id) => this.findComparison(id) ?? [])
      .map(({ documento, cpfCnpjRaiz, files }) => ({
        documento,
        company: cpfCnpjRaiz,
        files: Object.values(files ?? {}),
      }));
  }

  /** Stores the files of a comparison whose exports were fetched. */
  putFiles(id: number, files: ComparedFiles): void {
    this.db
      .prepare("UPDATE remote_comparison SET files = ? WHERE id = ? AND state IN ('queued', 'running')")
      .run(JSON.stringify(files), id);
  }

  begin(id: number): void {
    this.db
      .prepare(
        "UPDATE remote_comparison SET state = 'running' WHERE id = ? AND state IN ('queued', 'running')",
      )
      .run(id);
  }

  end(
    id: number,
    state: Exclude<ComparisonState, 'cancelled'>,
    error: ComparisonFailure | null,
    counted?: { readonly counts: Counts; readonly active: Active },
  ): void {
    const { counts = null, active = null } = counted ?? {};
    this.db
      .prepare(
        'UPDATE remote_comparison SET state = ?, error = ?, error_code = ?, counts = ?, active = ?, files = NULL WHERE id = ? AND cancelled = 0',
      )
      .run(
        state,
        error?.message ?? null,
        error?.code ?? null,
        counts && JSON.stringify(counts),
        active && JSON.stringify(active),
        id,
      );
  }

  /** Returns the number of active records at the time of the comparison. */
  activeOf(id: number): Active {
    const text = this.db
      .prepare<[number], string | null>('SELECT active FROM remote_comparison WHERE id = ?')
      .pluck()
      .get(id);
    return text === null || text === undefined ? { here: 0, there: 0 } : (JSON.parse(text) as Active);
  }

  /**
   * Counts the records of these kinds whose state in a comparison is one of `states`, and is `of` without the
   * step that a run left open. `codigos` limits the count to these local codes.
   */
  countFound(
    comparisonId: number,
    of: RemoteState,
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
    return (
      this.#countFound.get({
        comparisonId,
        of,
        states: JSON.stringify(states),
        kinds: JSON.stringify(kinds),
        codigos: codigos === undefined ? null : JSON.stringify(codigos),
      }) ?? 0
    );
  }

  /** Returns a page of the records of one kind and state of a comparison, after a position. */
  foundBehind(
    comparisonId: number,
    state: RemoteState,
    kind: RemoteKind,
    after: number,
    limit: number,
  ): StoredFound[] {
    return this.#foundBehind.all(comparisonId, state, kind, after, limit).map(toFound);
  }

  putCounts(id: number, counts: Counts): void {
    this.db.prepare('UPDATE remote_comparison SET counts = ? WHERE id = ?').run(JSON.stringify(counts), id);
  }

  insertFound(comparisonId: number, n: number, found: Found): void {
    const { kind, here, there, hereVersao, thereVersao, hereWhole, thereWhole, name, state, reason } = found;
    const lists = [found.differences, found.candidates].map((list) =>
      list.length === 0 ? null : JSON.stringify(list),
    );
    this.#insertFound.run(
      ...[comparisonId, n, kind, here, there, hereVersao, thereVersao, hereWhole, thereWhole],
      ...[name, state, found.otherwise ?? null, reason, ...lists],
    );
  }

  findOfHere(comparisonId: number, kind: RemoteKind, here: string): StoredFound | undefined {
    const row = this.#ofHere.get(comparisonId, kind, here);
    return row && toFound(row);
  }

  findOfThere(comparisonId: number, kind: RemoteKind, there: string): StoredFound | undefined {
    const row = this.#ofThere.get(comparisonId, kind, there);
    return row && toFound(row);
  }

  deleteFound(comparisonId: number, n: number): void {
    this.db.prepare('DELETE FROM remote_record WHERE comparison_id = ? AND n = ?').run(comparisonId, n);
  }

  /** Deletes at most `limit` records of a comparison. Returns the number of deleted rows. */
  deleteFoundSome(comparisonId: number, limit: number): number {
    return this.db
      .prepare(
        `DELETE FROM remote_record WHERE comparison_id = ? AND n IN
           (SELECT n FROM remote_record WHERE comparison_id = ? LIMIT ?)`,
      )
      .run(comparisonId, comparisonId, limit).changes;
  }

  deleteComparison(id: number): void {
    this.db.prepare('DELETE FROM remote_comparison WHERE id = ?').run(id);
  }

  findComparisonBefore(at: EpochMs): number | undefined {
    return this.#before.get(at);
  }

  findComparisonOf = (remoteId: number): number | undefined => this.#ofRemote.get(remoteId);
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

const listOf = <T>(text: string | null): readonly T[] => (text === null ? [] : (JSON.parse(text) as T[]));

const toFound = ({ differences, candidates, ...row }: FoundRow): StoredFound => ({
  ...row,
  differences: listOf<Found['differences'][number]>(differences),
  candidates: listOf<Found['candidates'][number]>(candidates),
});

export { FOUND, toFound, type FoundRow };
