/**
 * Stores attribute tables. A table is written in many small transactions and becomes valid when it is marked
 * loaded.
 */
import type { Day, EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import { parseOwnJson } from '../../../validation/json.ts';
import { type FileHead, TableBodyStore } from './body-store.ts';
import { PARSED_PART, originalText, toDetail, toNcm } from './record.ts';
import type { AttributeDetail, NcmPairs } from '../words/model.ts';

export interface TableHead extends FileHead {
  readonly versao: string;
  readonly sha256: string;
  readonly ncms: number;
  readonly attributes: number;
  /** Days on which a rule of the table starts, in order. */
  readonly boundaries: readonly Day[];
}

export interface NcmRow {
  readonly ncm: string;
  /** Includes the original text of the file (`record.ts`). */
  readonly pairs: string;
  readonly fingerprint: string;
}

export interface DetailRow {
  readonly codigo: string;
  /** Includes the original text of the file (`record.ts`). */
  readonly detail: string;
}

export interface FilePart {
  readonly part: number;
  readonly bytes: Uint8Array;
}

export interface RowBatch {
  readonly ncms: readonly NcmRow[];
  readonly details: readonly DetailRow[];
  readonly parts: readonly FilePart[];
}

export interface StoredTable extends TableHead {
  readonly id: number;
  readonly loadedAt: EpochMs;
  /** `null`: a person uploaded its file. */
  readonly fetchedAt: EpochMs | null;
  /** Reason why a fetched table is not put in force automatically. */
  readonly keptBack: string | null;
  /** False for an old fetched table that has only its head and its changes (`body-store.ts`). */
  readonly isWhole: boolean;
}

interface TableRow extends Omit<StoredTable, 'boundaries' | 'isWhole'> {
  readonly boundaries: string;
  readonly isWhole: number;
}

const COLUMNS = `id, versao, sha256, ncms, attributes, json_bytes AS jsonBytes, json_crc32 AS jsonCrc32,
  deflated_bytes AS deflatedBytes, boundaries, loaded_at AS loadedAt, fetched_at AS fetchedAt, kept_back AS keptBack,
  body = 'whole' AS isWhole`;

/** Rules of a table for an NCM. */
export interface NcmRules {
  /** Equal fingerprints mean equal rules, across tables. */
  readonly fingerprint: string;
  readonly pairs: () => NcmPairs;
}

export class AttributeTableStore extends Store {
  readonly #bodies = new TableBodyStore(this.db);
  readonly #find = this.one<[number], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE id = ? AND state = 'loaded'`,
  );
  readonly #findByVersao = this.one<[string], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE versao = ? AND state = 'loaded'`,
  );
  readonly #list = this.many<[], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE state = 'loaded' ORDER BY id`,
  );
  readonly #insert = this.inserts(
    `INSERT INTO attribute_table (versao, sha256, ncms, attributes, json_bytes, json_crc32, deflated_bytes, boundaries, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'loading')`,
  );
  readonly #insertNcm = this.runs(
    'INSERT OR REPLACE INTO attribute_table_ncm (table_id, ncm, pairs, fingerprint) VALUES (?, ?, ?, ?)',
  );
  readonly #insertDetail = this.runs(
    'INSERT OR REPLACE INTO attribute_table_detail (table_id, codigo, detail) VALUES (?, ?, ?)',
  );
  readonly #insertPart = this.runs(
    'INSERT INTO attribute_table_file (table_id, part, bytes) VALUES (?, ?, ?)',
  );
  readonly #markLoaded = this.changes(
    `UPDATE attribute_table SET state = 'loaded', loaded_at = ?, fetched_at = ? WHERE id = ? AND state = 'loading'`,
  );
  /** Stores why the table is held back; `null` if it is not. */
  readonly putHoldReason = this.runs(
    'UPDATE attribute_table SET kept_back = ? WHERE id = ?',
    (tableId: number, reason: string | null) => [reason, tableId],
  );
  /** Abandons one load; without a number all of them, at a start after a crash. */
  readonly abandon = this.runs(
    `UPDATE attribute_table SET state = 'abandoned' WHERE id = coalesce(?, id) AND state = 'loading'`,
    (tableId?: number) => [tableId ?? null],
  );
  readonly #abandoned = this.value<[], number>(
    `SELECT id FROM attribute_table WHERE state = 'abandoned' LIMIT 1`,
  );
  /** Returns true if a load is running or abandoned. */
  readonly hasUnfinished = this.exists<[]>(
    `SELECT 1 FROM attribute_table WHERE state <> 'loaded' OR body = 'coming' LIMIT 1`,
  );
  readonly #deleteTable = this.runs('DELETE FROM attribute_table WHERE id = ?');
  readonly #rules = this.one<[number, string], { fingerprint: string; pairs: string }>(
    'SELECT fingerprint, pairs FROM attribute_table_ncm WHERE table_id = ? AND ncm = ?',
  );
  /**
   * Returns the fingerprint: equal fingerprints mean equal rules. `undefined` when the NCM is not in the
   * table.
   */
  readonly findFingerprint = this.value<[tableId: number, ncm: string], string>(
    'SELECT fingerprint FROM attribute_table_ncm WHERE table_id = ? AND ncm = ?',
  );
  readonly #detail = this.value<[number, string], string>(
    'SELECT detail FROM attribute_table_detail WHERE table_id = ? AND codigo = ?',
  );
  readonly #ncmsWithEnds = this.values<[number, string, string, Day], string>(
    `SELECT ncm FROM attribute_table_ncm n WHERE table_id = ? AND ncm >= ? AND ncm < ?
       AND pairs GLOB '*"dataFimVigencia":"[0-9]*'
       AND EXISTS (SELECT 1 FROM json_each(${PARSED_PART('n.pairs')}) p
         WHERE p.value ->> 'dataFimVigencia' <> '' AND p.value ->> 'dataFimVigencia' < ?)`,
  );
  readonly #ncmsWithStarts = this.values<[number, Day, Day, number, Day, Day], string>(
    `WITH starting AS MATERIALIZED (SELECT d.codigo FROM attribute_table_detail d WHERE d.table_id = ? AND EXISTS (
         SELECT 1 FROM json_tree(${PARSED_PART('d.detail')}) t
         WHERE t.key = 'dataInicioVigencia' AND t.value > ? AND t.value <= ?))
     SELECT ncm FROM attribute_table_ncm n WHERE table_id = ? AND EXISTS (
       SELECT 1 FROM json_each(${PARSED_PART('n.pairs')}) p WHERE p.value ->> 'codigo' IN starting
         OR (p.value ->> 'dataInicioVigencia' > ? AND p.value ->> 'dataInicioVigencia' <= ?))`,
  );
  readonly #allPairs = this.iterates<[number], { ncm: string; pairs: string }>(
    'SELECT ncm, pairs FROM attribute_table_ncm WHERE table_id = ?',
  );
  readonly #allDetails = this.db
    .prepare<[number], string>('SELECT detail FROM attribute_table_detail WHERE table_id = ?')
    .pluck();
  readonly #fingerprints = this.db
    .prepare<[number], [ncm: string, fingerprint: string]>(
      'SELECT ncm, fingerprint FROM attribute_table_ncm WHERE table_id = ? ORDER BY ncm',
    )
    .raw();
  readonly #changedDetails = this.values<[number, number], string>(
    `SELECT a.codigo FROM attribute_table_detail a
     JOIN attribute_table_detail b ON b.table_id = ? AND b.codigo = a.codigo
     WHERE a.table_id = ? AND ${PARSED_PART('a.detail')} <> ${PARSED_PART('b.detail')}`,
  );
  readonly #codes = this.values<[number], string>(
    'SELECT codigo FROM attribute_table_detail WHERE table_id = ?',
  );
  /** Returns a part of the deflated file; parts count from 0. */
  readonly findPart = this.value<[tableId: number, part: number], Uint8Array>(
    'SELECT bytes FROM attribute_table_file WHERE table_id = ? AND part = ?',
  );

  /** Returns a loaded table, whole or not. */
  find(id: number): StoredTable | undefined {
    return toTable(this.#find(id));
  }

  findByVersao(versao: string): StoredTable | undefined {
    return toTable(this.#findByVersao(versao));
  }

  /** Returns the loaded tables, in the order in which their loads began. */
  list(): StoredTable[] {
    return this.#list().flatMap((row) => toTable(row) ?? []);
  }

  /** Inserts a table; it is invisible until it is marked loaded. */
  insert(head: TableHead): number {
    const { versao, sha256, ncms, attributes, jsonBytes, jsonCrc32, deflatedBytes, boundaries } = head;
    const file = [jsonBytes, jsonCrc32, deflatedBytes];
    const days = JSON.stringify(boundaries);
    return this.#insert(versao, sha256, ncms, attributes, ...file, days);
  }

  insertRows(tableId: number, { ncms, details, parts }: RowBatch): void {
    for (const { ncm, pairs, fingerprint } of ncms) this.#insertNcm(tableId, ncm, pairs, fingerprint);
    for (const { codigo, detail } of details) this.#insertDetail(tableId, codigo, detail);
    for (const { part, bytes } of parts) this.#insertPart(tableId, part, bytes);
  }

  /** Returns `false` when the load was abandoned in the meantime. */
  markLoaded(tableId: number, at: EpochMs, isFetched: boolean): boolean {
    return this.#markLoaded(at, isFetched ? at : null, tableId) === 1;
  }

  /** Deletes some rows of abandoned loads; returns `false` when none are left. */
  deleteAbandoned(): boolean {
    const tableId = this.#abandoned();
    if (tableId === undefined) return false;
    if (this.#bodies.deleteRows(tableId)) return true;
    this.#deleteTable(tableId);
    return true;
  }

  /** Returns the pairs of an NCM of eight digits. */
  findPairs(tableId: number, ncm: string): NcmPairs | undefined {
    return this.findRules(tableId, ncm)?.pairs();
  }

  /** Finds the rules like `findPairs`; the pairs are parsed on demand, which is most of the work. */
  findRules(tableId: number, ncm: string): NcmRules | undefined {
    const row = this.#rules(tableId, ncm);
    return row && { fingerprint: row.fingerprint, pairs: () => toNcm(ncm, row.pairs) };
  }

  /** Returns an attribute that the table's pairs name. */
  getDetail(tableId: number, codigo: string): AttributeDetail {
    const detail = this.#detail(tableId, codigo);
    if (detail === undefined) throw new Error(`Attribute ${codigo} is not in table ${tableId}.`);
    return toDetail(detail);
  }

  /** Returns the items of `listaAtributos` as in the file, one for each of `findPairs`. */
  getOriginalPairs(tableId: number, ncm: string): readonly unknown[] {
    const row = this.#rules(tableId, ncm);
    if (row === undefined) throw new Error(`NCM ${ncm} is not in table ${tableId}.`);
    return parseOwnJson(originalText(row.pairs)) as unknown[];
  }

  /** Returns the description of an attribute as in the file. */
  getOriginalDetail(tableId: number, codigo: string): unknown {
    const detail = this.#detail(tableId, codigo);
    if (detail === undefined) throw new Error(`Attribute ${codigo} is not in table ${tableId}.`);
    return parseOwnJson(originalText(detail));
  }

  /** Returns the NCMs of a table with their fingerprints, in order. */
  fingerprints(tableId: number): Map<string, string> {
    return new Map(this.#fingerprints.all(tableId));
  }

  /** Yields the NCMs with a pair that ends before a day: for each first digit a list, some ms of work. */
  *ncmsWithEnds(tableId: number, day: Day): Generator<readonly string[]> {
    for (const digit of '0123456789') yield this.#ncmsWithEnds(tableId, digit, `${digit}:`, day);
  }

  /** Returns the NCMs of which a pair, or anything in an attribute, starts after `today` and up to `until`. */
  ncmsWithStarts(tableId: number, today: Day, until: Day): readonly string[] {
    return this.#ncmsWithStarts(tableId, today, until, tableId, today, until);
  }

  /** Returns the attributes that both tables describe differently. */
  changedDetails(tableId: number, otherId: number): Set<string> {
    return new Set(this.#changedDetails(tableId, otherId));
  }

  /** Returns the attributes that a table describes. */
  codes(tableId: number): Map<string, true> {
    return new Map(this.#codes(tableId).map((codigo) => [codigo, true]));
  }

  *iteratePairs(tableId: number): Generator<NcmPairs> {
    for (const { ncm, pairs } of this.#allPairs(tableId)) yield toNcm(ncm, pairs);
  }

  *iterateDetails(tableId: number): Generator<AttributeDetail> {
    for (const detail of this.#allDetails.iterate(tableId)) yield toDetail(detail);
  }
}

function toTable(row: TableRow | undefined): StoredTable | undefined {
  if (row === undefined) return undefined;
  return { ...row, boundaries: JSON.parse(row.boundaries) as Day[], isWhole: row.isWhole === 1 };
}
