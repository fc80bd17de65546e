/**
 * Scratch database of a comparison: one file that holds both sides and is deleted with the comparison.
 * SQLite sorts and joins on disk, so the memory use does not grow with the number of records.
 */
import { rmSync } from 'node:fs';
import { openScratch } from '../../db/open.ts';
import { Store } from '../../db/prepared.ts';
import { INDICES, SCHEMA } from './layout-store.ts';
import {
  CANDIDATES_MAX,
  FREE_REMOTE,
  LOCAL,
  IDENTITY,
  PairingStore,
  REMOTE,
  type SideNumber,
} from './pairing-store.ts';
import type {
  ActiveCounts,
  Candidate,
  LastCodes,
  Pair,
  PairedKind,
  RemoteKind,
  RemoteState,
  Side,
} from './model.ts';

export { LOCAL, REMOTE };

/** A local record with the remote record of its pair. */
export interface LocalWithRemote extends Omit<Side, 'words'> {
  /** `isPaired`: 0 without a pair. `remoteKey`: `null` when a person declared the record new in the remote. */
  readonly isPaired: 0 | 1;
  readonly isKnown: 0 | 1 | null;
  readonly remoteKey: string | null;
  readonly baseVersao: string | null;
  readonly baseLocal: number | null;
  readonly baseRemote: number | null;
  readonly remoteVersao: string | null;
  readonly remoteSituacao: string | null;
  readonly remoteFingerprint: number | null;
  readonly remoteText: string | null;
}

/**
 * Queries that find records by the marks of a record of the other side. A test checks that each uses its
 * index.
 */
export const CANDIDATE_QUERIES = {
  words: 'SELECT w.sort, w.word AS mark FROM word w WHERE w.kind = @kind AND w.side = @side AND w.key = @key',
  unpaired: `SELECT o.key FROM unpaired o WHERE o.kind = @kind AND o.side = @side AND o.sort = @sort AND o.mark = @mark
    ORDER BY o.key LIMIT ${CANDIDATES_MAX}`,
  crowd:
    'SELECT o.records FROM crowd o WHERE o.kind = @kind AND o.side = @side AND o.sort = @sort AND o.mark = @mark',
} as const;

interface Mark {
  readonly sort: string;
  readonly mark: string | number;
}

/** Candidates of one record: the first ones, and the least total number. */
export interface Candidates {
  readonly first: Candidate[];
  readonly atLeast: number;
}

interface OfKind {
  readonly kind: PairedKind;
}

interface Twin {
  readonly localKey: string;
  readonly remoteKey: string;
}

interface After {
  readonly after: string;
}

/**
 * States that later steps look up: the second of two identical records that are both new, and links of
 * records that are missing in the remote.
 */
const STATES_READ_LATER: ReadonlySet<RemoteState> = new Set(['soAqui', 'ambiguo', 'naoEnviavel']);

const PAGE_ROWS = 200;

function* pages<Row extends { readonly key: string }>(
  page: (after: string) => readonly Row[],
): Generator<readonly Row[]> {
  for (let after = ''; ;) {
    const rows = page(after);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = rows.at(-1)?.key ?? '';
  }
}

export class Scratch extends Store {
  readonly #insert = this.runs(
    'INSERT OR REPLACE INTO rec (kind, side, key, versao, name, situacao, fingerprint, identity, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  readonly #insertWord = this.runs(
    'INSERT OR IGNORE INTO word (kind, side, sort, word, key) VALUES (?, ?, ?, ?, ?)',
  );
  readonly #words = this.many<[OfKind & { side: SideNumber; key: string }], Mark>(CANDIDATE_QUERIES.words);
  readonly #unpaired = this.values<[OfKind & Mark & { side: SideNumber }], string>(
    CANDIDATE_QUERIES.unpaired,
  );
  readonly #recordsWithMark = this.number<[OfKind & Mark & { side: SideNumber }]>(CANDIDATE_QUERIES.crowd);
  readonly #candidate = this.one<[OfKind & { key: string }], Candidate>(
    `SELECT r.key AS there, r.versao, r.name, r.situacao, r.fingerprint AS whole FROM rec r
     WHERE r.kind = @kind AND r.side = ${REMOTE} AND r.key = @key`,
  );
  readonly #localWithRemote = this.many<[OfKind & After], LocalWithRemote>(
    `SELECT r.key, r.versao, r.name, r.situacao, r.fingerprint, r.identity, r.text, p.here IS NOT NULL AS isPaired,
       p.known AS isKnown, p.there AS remoteKey, p.base_versao AS baseVersao, p.base_here AS baseLocal, p.base_there AS baseRemote,
       b.versao AS remoteVersao, b.situacao AS remoteSituacao, b.fingerprint AS remoteFingerprint, b.text AS remoteText
     FROM rec r LEFT JOIN pair p ON p.kind = r.kind AND p.here = r.key
     LEFT JOIN rec b ON b.kind = r.kind AND b.side = ${REMOTE} AND b.key = p.there
     WHERE r.kind = @kind AND r.side = ${LOCAL} AND r.key > @after ORDER BY r.key LIMIT ${PAGE_ROWS}`,
  );
  readonly #unpairedRemote = this.many<[OfKind & After], Omit<Side, 'words'>>(
    `SELECT r.key, r.versao, r.name, r.situacao, r.fingerprint, r.identity, r.text FROM rec r
     WHERE r.kind = @kind AND r.side = ${REMOTE} AND r.key > @after AND ${FREE_REMOTE} ORDER BY r.key LIMIT ${PAGE_ROWS}`,
  );
  readonly #links = this.many<[After & { side: SideNumber; seen: 0 | 1 }], { key: string }>(
    `SELECT key FROM link WHERE side = @side AND key > @after AND seen <= @seen ORDER BY key LIMIT ${PAGE_ROWS}`,
  );
  /** Returns the remote key of a local record. `undefined`: none. */
  readonly pairOf = this.value<[kind: RemoteKind, here: string], string>(
    'SELECT there FROM pair WHERE kind = ? AND here = ?',
  );
  /** Inserts a pair that an earlier comparison or run stored. */
  readonly insertKnownPair = this.runs(
    'INSERT INTO pair (kind, here, there, base_versao, base_here, base_there, known) VALUES (?, ?, ?, ?, ?, ?, 1)',
    ({ kind, localKey, remoteKey, base }: Pair) => [
      kind,
      localKey,
      remoteKey,
      base.versao,
      base.local,
      base.remote,
    ],
  );
  /** Returns the local key of a remote record. `undefined`: none. */
  readonly localKeyOf = this.value<[kind: RemoteKind, there: string], string>(
    'SELECT here FROM pair WHERE kind = ? AND there = ?',
  );
  // Each group of equal records is scanned only once.
  readonly #findActiveTwin = this.one<[string, number], { first: string | null; second: string | null }>(
    'SELECT first, second FROM active_twin WHERE kind = ? AND identity = ?',
  );
  readonly #putActiveTwin = this.runs(
    'INSERT INTO active_twin (kind, identity, first, second) VALUES (?, ?, ?, ?)',
  );
  readonly #activeThere = this.values<[string, number], string>(
    `SELECT r.key FROM rec r INDEXED BY rec_identity WHERE r.kind = ? AND r.side = ${REMOTE} AND r.identity = ?
       AND r.situacao = 'ATIVADO' AND NOT EXISTS (SELECT 1 FROM pair p JOIN rec h
         ON h.kind = p.kind AND h.side = ${LOCAL} AND h.key = p.here AND h.situacao = 'DESATIVADO'
         WHERE p.kind = r.kind AND p.there = r.key) ORDER BY r.key LIMIT 2`,
  );
  /**
   * Returns the first local record of the same content that is also new in the remote. `undefined`: none.
   */
  readonly firstNewTwin = this.value<[kind: PairedKind, identity: number], string>(
    'SELECT here FROM new_there WHERE kind = ? AND identity = ?',
  );
  readonly #putNewThere = this.runs(
    'INSERT OR IGNORE INTO new_there (kind, identity, here) VALUES (?, ?, ?)',
  );
  readonly #findPairedTwin = this.one<[string, number], { here: string | null; there: string | null }>(
    'SELECT here, there FROM paired_twin WHERE kind = ? AND identity = ?',
  );
  readonly #putPairedTwin = this.runs(
    'INSERT INTO paired_twin (kind, identity, here, there) VALUES (?, ?, ?, ?)',
  );
  /** Finds a pair by its remote content, because the remote may have changed what it received. */
  readonly #pairedThere = this.one<[string, number], Twin>(
    `SELECT p.here AS localKey, p.there AS remoteKey FROM rec r INDEXED BY rec_identity JOIN pair p ON p.kind = r.kind AND p.there = r.key
     WHERE r.kind = ? AND r.side = ${REMOTE} AND r.identity = ? ORDER BY r.key LIMIT 1`,
  );
  readonly insertLink = this.runs<[side: SideNumber, key: string]>(
    'INSERT OR IGNORE INTO link (side, key) VALUES (?, ?)',
  );
  readonly #putState = this.runs('INSERT INTO local_state (kind, here, state) VALUES (?, ?, ?)');
  /** Returns the stored state of a local record. `undefined`: it is not one of `STATES_READ_LATER`. */
  readonly storedStateOf = this.value<[kind: PairedKind, here: string], RemoteState>(
    'SELECT state FROM local_state WHERE kind = ? AND here = ?',
  );
  readonly hasLink = this.exists<[side: SideNumber, key: string]>(
    'SELECT 1 FROM link WHERE side = ? AND key = ?',
  );
  readonly #markSeen = this.changes('UPDATE link SET seen = 1 WHERE side = ? AND key = ?');
  readonly #known = this.one<[OfKind], { total: number; missing: number }>(
    `SELECT count(*) AS total, count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM rec r
           WHERE r.kind = p.kind AND r.side = ${REMOTE} AND r.key = p.there)) AS missing
         FROM pair p WHERE p.kind = @kind AND p.known = 1 AND p.there IS NOT NULL`,
  );

  /** Creates a new scratch database. Deletes a file that an interrupted comparison left. */
  static open(file: string): Scratch {
    rmSync(file, { force: true });
    const db = openScratch(file);
    db.exec(SCHEMA);
    db.exec('BEGIN');
    return new Scratch(db);
  }

  close(): void {
    this.db.close();
  }

  /** Returns the store that makes the pairs. */
  pairing(): PairingStore {
    return new PairingStore(this.db);
  }

  insert(kind: PairedKind, side: SideNumber, record: Side): void {
    const { key, versao, name, situacao, fingerprint, identity, text, words } = record;
    this.#insert(kind, side, key, versao, name, situacao, fingerprint, identity, text);
    for (const [sort, word] of words) this.#insertWord(kind, side, sort, word, key);
  }

  index(): void {
    this.db.exec(INDICES);
  }

  /** Counts the previously known pairs, and those whose record is missing in the remote. */
  countKnownPairs(kind: PairedKind): { readonly total: number; readonly missing: number } {
    return this.#known({ kind }) ?? { total: 0, missing: 0 };
  }

  /** Returns the number of active records on each side. */
  active(): ActiveCounts {
    const count = this.db
      .prepare<[SideNumber], number>("SELECT count(*) FROM rec WHERE side = ? AND situacao = 'ATIVADO'")
      .pluck();
    return { here: count.get(LOCAL) ?? 0, there: count.get(REMOTE) ?? 0 };
  }

  /** Returns the highest code that the remote generated, or 0. */
  lastRemoteCodes(): LastCodes {
    const last = (kind: PairedKind, number: string): number =>
      this.db
        .prepare<[PairedKind], number>(
          `SELECT ifnull(max(CAST(${number} AS INTEGER)), 0) FROM rec WHERE kind = ? AND side = ${REMOTE}`,
        )
        .pluck()
        .get(kind) ?? 0;
    return {
      produto: last('produto', 'key'),
      operador: last('operador', "iif(key GLOB 'OPE_[1-9]*', substr(key, 5), 0)"),
    };
  }

  /** Yields the local records in code order, page by page. Writes between two pages are allowed. */
  localRecords(kind: PairedKind): Iterable<readonly LocalWithRemote[]> {
    return pages<LocalWithRemote>((after) => this.#localWithRemote({ kind, after }));
  }

  /** Yields the remote records without a pair. */
  unpairedRemote(kind: PairedKind): Iterable<readonly Omit<Side, 'words'>[]> {
    return pages<Omit<Side, 'words'>>((after) => this.#unpairedRemote({ kind, after }));
  }

  /** Returns the remote records that may match the local one. */
  candidates(kind: PairedKind, { key, identity }: Pick<Side, 'key' | 'identity'>): Candidates {
    const keys = new Set<string>();
    let atLeast = 0;
    for (const mark of this.#marksOf(kind, LOCAL, key, identity)) {
      const remoteMark = { kind, side: REMOTE, ...mark };
      for (const candidate of this.#unpaired(remoteMark)) keys.add(candidate);
      atLeast = Math.max(atLeast, this.#recordsWithMark(remoteMark));
    }
    const first = [...keys]
      .toSorted()
      .slice(0, CANDIDATES_MAX)
      .flatMap((candidate) => this.#candidate({ kind, key: candidate }) ?? []);
    return { first, atLeast: Math.max(atLeast, keys.size) };
  }

  /** Returns true when a local record may match this remote record. */
  isCandidate(kind: PairedKind, { key, identity }: Pick<Side, 'key' | 'identity'>): boolean {
    for (const mark of this.#marksOf(kind, REMOTE, key, identity))
      if (this.#unpaired({ kind, side: LOCAL, ...mark }).length > 0) return true;
    return false;
  }

  #marksOf(kind: PairedKind, side: SideNumber, key: string, identity: number): Mark[] {
    return [{ sort: IDENTITY, mark: identity }, ...this.#words({ kind, side, key })];
  }

  /**
   * Returns an active remote record of the same content other than `own`. Records that will be deactivated
   * do not count. `undefined`: none.
   */
  otherRemoteTwin(kind: PairedKind, identity: number, own: string | null): string | undefined {
    let twins = this.#findActiveTwin(kind, identity);
    if (twins === undefined) {
      const [first = null, second = null] = this.#activeThere(kind, identity);
      twins = { first, second };
      this.#putActiveTwin(kind, identity, first, second);
    }
    return (twins.first === own ? twins.second : twins.first) ?? undefined;
  }

  /** Returns a pair whose remote record has the same content as this unpaired one. `undefined`: none. */
  pairedTwin(kind: PairedKind, identity: number): Twin | undefined {
    const stored = this.#findPairedTwin(kind, identity);
    if (stored !== undefined) {
      const { here, there } = stored;
      return here === null || there === null ? undefined : { localKey: here, remoteKey: there };
    }
    const twin = this.#pairedThere(kind, identity);
    this.#putPairedTwin(kind, identity, twin?.localKey ?? null, twin?.remoteKey ?? null);
    return twin;
  }

  /** Stores the state of a local record only when a later step reads it, because most records are equal. */
  putState(kind: PairedKind, { key, identity }: Pick<Side, 'key' | 'identity'>, state: RemoteState): void {
    if (STATES_READ_LATER.has(state)) this.#putState(kind, key, state);
    if (state === 'soAqui') this.#putNewThere(kind, identity, key);
  }

  /** Yields all local links. */
  localLinks(): Iterable<readonly { readonly key: string }[]> {
    return pages((after) => this.#links({ side: LOCAL, seen: 1, after }));
  }

  /** Yields remote links that match no local link. */
  unmatchedRemoteLinks(): Iterable<readonly { readonly key: string }[]> {
    return pages((after) => this.#links({ side: REMOTE, seen: 0, after }));
  }

  /** Marks a remote link as matched. Returns false when it does not exist. */
  matchLink(key: string): boolean {
    return this.#markSeen(REMOTE, key) === 1;
  }
}
