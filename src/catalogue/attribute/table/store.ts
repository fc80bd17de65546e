/** Attribute tables on disk. A table is written in many small transactions and is one only when it is marked loaded. */
import type { Day, EpochMs } from '../../../clock.ts';
import { Store } from '../../../db/prepared.ts';
import { parseOwnJson } from '../../../validation/json.ts';
import { type FileHead, TableBodyStore } from './body-store.ts';
import { READ_OF, asWritten, toDetail, toNcm } from './record.ts';
import type { AttributeDetail, NcmPairs } from '../words/model.ts';

export interface TableHead extends FileHead {
  readonly versao: string;
  readonly sha256: string;
  readonly ncms: number;
  readonly attributes: number;
  /** The days on which anything of the table starts, or is over for the first time; in order. */
  readonly boundaries: readonly Day[];
}

export interface NcmRow {
  readonly ncm: string;
  /** With the file's own words (`record.ts`). */
  readonly pairs: string;
  readonly fingerprint: string;
}

export interface DetailRow {
  readonly codigo: string;
  /** With the file's own words (`record.ts`). */
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
  /** `null`: somebody brought its file. */
  readonly fetchedAt: EpochMs | null;
  /** Why a fetched one is not put in force by itself. */
  readonly keptBack: string | null;
  /** Of an old fetched one nothing is left but its head and what it changed (`body-store.ts`). */
  readonly isWhole: boolean;
}

interface TableRow extends Omit<StoredTable, 'boundaries' | 'isWhole'> {
  readonly boundaries: string;
  readonly isWhole: number;
}

const COLUMNS = `id, versao, sha256, ncms, attributes, json_bytes AS jsonBytes, json_crc32 AS jsonCrc32,
  deflated_bytes AS deflatedBytes, boundaries, loaded_at AS loadedAt, fetched_at AS fetchedAt, kept_back AS keptBack,
  body = 'whole' AS isWhole`;

/** What a table says of an NCM. */
export interface NcmRules {
  /** Same fingerprint, same rules, whatever the table. */
  readonly fingerprint: string;
  readonly pairs: () => NcmPairs;
}

export class AttributeTableStore extends Store {
  readonly #bodies = new TableBodyStore(this.db);
  readonly #find = this.db.prepare<[number], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE id = ? AND state = 'loaded'`,
  );
  readonly #findByVersao = this.db.prepare<[string], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE versao = ? AND state = 'loaded'`,
  );
  readonly #list = this.db.prepare<[], TableRow>(
    `SELECT ${COLUMNS} FROM attribute_table WHERE state = 'loaded' ORDER BY id`,
  );
  readonly #insert = this.db.prepare(
    `INSERT INTO attribute_table (versao, sha256, ncms, attributes, json_bytes, json_crc32, deflated_bytes, boundaries, state)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'loading')`,
  );
  readonly #insertNcm = this.db.prepare(
    'INSERT OR REPLACE INTO attribute_table_ncm (table_id, ncm, pairs, fingerprint) VALUES (?, ?, ?, ?)',
  );
  readonly #insertDetail = this.db.prepare(
    'INSERT OR REPLACE INTO attribute_table_detail (table_id, codigo, detail) VALUES (?, ?, ?)',
  );
  readonly #insertPart = this.db.prepare(
    'INSERT INTO attribute_table_file (table_id, part, bytes) VALUES (?, ?, ?)',
  );
  readonly #markLoaded = this.db.prepare(
    `UPDATE attribute_table SET state = 'loaded', loaded_at = ?, fetched_at = ? WHERE id = ? AND state = 'loading'`,
  );
  readonly #keepBack = this.db.prepare('UPDATE attribute_table SET kept_back = ? WHERE id = ?');
  readonly #abandon = this.db.prepare(
    `UPDATE attribute_table SET state = 'abandoned' WHERE id = coalesce(?, id) AND state = 'loading'`,
  );
  readonly #abandoned = this.db
    .prepare<[], number>(`SELECT id FROM attribute_table WHERE state = 'abandoned' LIMIT 1`)
    .pluck();
  readonly #unfinished = this.db.prepare(
    `SELECT 1 FROM attribute_table WHERE state <> 'loaded' OR body = 'coming' LIMIT 1`,
  );
  readonly #deleteTable = this.db.prepare('DELETE FROM attribute_table WHERE id = ?');
  readonly #rules = this.db.prepare<[number, string], { fingerprint: string; pairs: string }>(
    'SELECT fingerprint, pairs FROM attribute_table_ncm WHERE table_id = ? AND ncm = ?',
  );
  readonly #fingerprint = this.db
    .prepare<[number, string], string>(
      'SELECT fingerprint FROM attribute_table_ncm WHERE table_id = ? AND ncm = ?',
    )
    .pluck();
  readonly #detail = this.db
    .prepare<[number, string], string>(
      'SELECT detail FROM attribute_table_detail WHERE table_id = ? AND codigo = ?',
    )
    .pluck();
  readonly #allPairs = this.db.prepare<[number], { ncm: string; pairs: string }>(
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
  readonly #changedDetails = this.db
    .prepare<[number, number], string>(
      `SELECT a.codigo FROM attribute_table_detail a
     JOIN attribute_table_detail b ON b.table_id = ? AND b.codigo = a.codigo
     WHERE a.table_id = ? AND ${READ_OF('a.detail')} <> ${READ_OF('b.detail')}`,
    )
    .pluck();
  readonly #codes = this.db
    .prepare<[number], string>('SELECT codigo FROM attribute_table_detail WHERE table_id = ?')
    .pluck();
  readonly #part = this.db
    .prepare<[number, number], Uint8Array>(
      'SELECT bytes FROM attribute_table_file WHERE table_id = ? AND part = ?',
    )
    .pluck();

  /** A loaded table, whole or not. */
  find(id: number): StoredTable | undefined {
    return toTable(this.#find.get(id));
  }

  findByVersao(versao: string): StoredTable | undefined {
    return toTable(this.#findByVersao.get(versao));
  }

  /** The loaded tables, in the order in which their loading began. */
  list(): StoredTable[] {
    return this.#list.all().flatMap((row) => toTable(row) ?? []);
  }

  /** Begins a table; nobody sees it until it is marked loaded. */
  insert(head: TableHead): number {
    const { versao, sha256, ncms, attributes, jsonBytes, jsonCrc32, deflatedBytes, boundaries } = head;
    const file = [jsonBytes, jsonCrc32, deflatedBytes];
    const days = JSON.stringify(boundaries);
    return Number(this.#insert.run(versao, sha256, ncms, attributes, ...file, days).lastInsertRowid);
  }

  insertRows(tableId: number, { ncms, details, parts }: RowBatch): void {
    for (const { ncm, pairs, fingerprint } of ncms) this.#insertNcm.run(tableId, ncm, pairs, fingerprint);
    for (const { codigo, detail } of details) this.#insertDetail.run(tableId, codigo, detail);
    for (const { part, bytes } of parts) this.#insertPart.run(tableId, part, bytes);
  }

  /** `false` when the loading was given up meanwhile. */
  markLoaded(tableId: number, at: EpochMs, isFetched: boolean): boolean {
    return this.#markLoaded.run(at, isFetched ? at : null, tableId).changes === 1;
  }

  /** `null`: nothing speaks against it. */
  keepBack(tableId: number, reason: string | null): void {
    this.#keepBack.run(reason, tableId);
  }

  /** Gives up a loading; without its number all of them, for a start after a crash. */
  abandon(tableId?: number): void {
    this.#abandon.run(tableId ?? null);
  }

  /** Whether there is a loading, under way or given up. */
  hasUnfinished(): boolean {
    return this.#unfinished.get() !== undefined;
  }

  /** Deletes some of what was given up; `false` when there is nothing left. */
  deleteAbandoned(): boolean {
    const tableId = this.#abandoned.get();
    if (tableId === undefined) return false;
    if (this.#bodies.deleteRows(tableId)) return true;
    this.#deleteTable.run(tableId);
    return true;
  }

  /** The pairs of an NCM of eight digits. */
  findPairs(tableId: number, ncm: string): NcmPairs | undefined {
    return this.findRules(tableId, ncm)?.pairs();
  }

  /** Like `findPairs`; they are read when they are asked for, which is most of the work. */
  findRules(tableId: number, ncm: string): NcmRules | undefined {
    const row = this.#rules.get(tableId, ncm);
    return row && { fingerprint: row.fingerprint, pairs: () => toNcm(ncm, row.pairs) };
  }

  /** Same fingerprint, same rules. `undefined` when the NCM is not in the table. */
  findFingerprint(tableId: number, ncm: string): string | undefined {
    return this.#fingerprint.get(tableId, ncm);
  }

  /** An attribute that the table's pairs name. */
  getDetail(tableId: number, codigo: string): AttributeDetail {
    const detail = this.#detail.get(tableId, codigo);
    if (detail === undefined) throw new Error(`Attribute ${codigo} is not in table ${tableId}.`);
    return toDetail(detail);
  }

  /** The items of `listaAtributos` as the file has them, one for each of `findPairs`. */
  getPairsAsWritten(tableId: number, ncm: string): readonly unknown[] {
    const row = this.#rules.get(tableId, ncm);
    if (row === undefined) throw new Error(`NCM ${ncm} is not in table ${tableId}.`);
    return parseOwnJson(asWritten(row.pairs)) as unknown[];
  }

  /** The description of an attribute as the file has it. */
  getDetailAsWritten(tableId: number, codigo: string): unknown {
    const detail = this.#detail.get(tableId, codigo);
    if (detail === undefined) throw new Error(`Attribute ${codigo} is not in table ${tableId}.`);
    return parseOwnJson(asWritten(detail));
  }

  /** The NCMs of a table, each with its fingerprint, in order. */
  fingerprints(tableId: number): Map<string, string> {
    return new Map(this.#fingerprints.all(tableId));
  }

  /** The attributes that both tables describe, each in its own way. */
  changedDetails(tableId: number, otherId: number): Set<string> {
    return new Set(this.#changedDetails.all(tableId, otherId));
  }

  /** The attributes that a table describes. */
  codes(tableId: number): Map<string, true> {
    return new Map(this.#codes.all(tableId).map((codigo) => [codigo, true]));
  }

  *iteratePairs(tableId: number): Generator<NcmPairs> {
    for (const { ncm, pairs } of this.#allPairs.iterate(tableId)) yield toNcm(ncm, pairs);
  }

  *iterateDetails(tableId: number): Generator<AttributeDetail> {
    for (const detail of this.#allDetails.iterate(tableId)) yield toDetail(detail);
  }

  /** A part of the deflated file; parts count from 0. */
  findPart(tableId: number, part: number): Uint8Array | undefined {
    return this.#part.get(tableId, part);
  }
}

function toTable(row: TableRow | undefined): StoredTable | undefined {
  if (row === undefined) return undefined;
  return { ...row, boundaries: JSON.parse(row.boundaries) as Day[], isWhole: row.isWhole === 1 };
}
