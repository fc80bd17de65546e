/** Spreadsheets that were sent, and what people chose for their columns, on disk. */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { ImportKind } from '../import/model.ts';

export interface NewSheet {
  readonly documento: string;
  readonly cpfCnpjRaiz: string;
  readonly tipo: ImportKind;
  readonly fileName: string;
  readonly storedFile: string;
  /** Of its bytes, hex. */
  readonly sha256: string;
  readonly expiresAt: EpochMs;
}

export interface StoredSheet extends NewSheet {
  readonly id: number;
}

/** Where a column of that heading, in its words, was put; `null`: nowhere. */
export interface Choice {
  readonly heading: string;
  readonly target: string | null;
}

const COLUMNS = `id, documento, cpf_cnpj_raiz AS cpfCnpjRaiz, tipo, file_name AS fileName, stored_file AS storedFile,
  sha256, expires_at AS expiresAt`;

/** The queries that grow with what is kept; a test holds each to an index. */
export const QUERIES = {
  expired: `SELECT ${COLUMNS} FROM sheet_upload WHERE expires_at <= ? ORDER BY expires_at LIMIT ?`,
  ofUser: `SELECT ${COLUMNS} FROM sheet_upload WHERE documento = ? ORDER BY id DESC LIMIT -1 OFFSET ?`,
} as const;

const EXPIRED_AT_ONCE = 100;

export class SheetStore {
  readonly #insert;
  readonly #find;
  readonly #files;
  readonly #expired;
  readonly #ofUser;
  readonly #delete;
  readonly #choices;
  readonly #choose;

  constructor(db: Db) {
    this.#insert = db.prepare(
      `INSERT INTO sheet_upload (documento, cpf_cnpj_raiz, tipo, file_name, stored_file, sha256, expires_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#find = db.prepare<[number], StoredSheet>(`SELECT ${COLUMNS} FROM sheet_upload WHERE id = ?`);
    this.#files = db.prepare<[], string>('SELECT stored_file FROM sheet_upload').pluck();
    this.#expired = db.prepare<[EpochMs, number], StoredSheet>(QUERIES.expired);
    this.#ofUser = db.prepare<[string, number], StoredSheet>(QUERIES.ofUser);
    this.#delete = db.prepare<[number]>('DELETE FROM sheet_upload WHERE id = ?');
    this.#choices = db.prepare<[string, string], Choice>(
      'SELECT heading, target FROM sheet_choice WHERE cpf_cnpj_raiz = ? AND tipo = ?',
    );
    this.#choose = db.prepare<[string, string, string, string | null]>(
      `INSERT INTO sheet_choice (cpf_cnpj_raiz, tipo, heading, target) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET target = excluded.target`,
    );
  }

  insert({ documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256, expiresAt }: NewSheet): number {
    const values = [documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256, expiresAt];
    return Number(this.#insert.run(...values).lastInsertRowid);
  }

  find(id: number): StoredSheet | undefined {
    return this.#find.get(id);
  }

  /** The names that the files of all sheets have in the folder. */
  listFiles(): string[] {
    return this.#files.all();
  }

  /** Some of those whose time is over. */
  listExpired(now: EpochMs): StoredSheet[] {
    return this.#expired.all(now, EXPIRED_AT_ONCE);
  }

  /** Those of a user behind the newest so many. */
  listBeyond(documento: string, kept: number): StoredSheet[] {
    return this.#ofUser.all(documento, kept);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }

  /** By the words of the headings. */
  choices(cpfCnpjRaiz: string, tipo: ImportKind): Choice[] {
    return this.#choices.all(cpfCnpjRaiz, tipo);
  }

  choose(cpfCnpjRaiz: string, tipo: ImportKind, { heading, target }: Choice): void {
    this.#choose.run(cpfCnpjRaiz, tipo, heading, target);
  }
}

const NCMS_MAX = 2000;

/** The NCMs of a company's products, for a sheet that names none. */
export const ncmsOfCompany = (db: Db, cpfCnpjRaiz: string): string[] =>
  db
    .prepare<[string, number], string>(
      `SELECT DISTINCT ncm FROM product
       WHERE company_id = (SELECT id FROM company WHERE cpf_cnpj_raiz = ?) AND ncm IS NOT NULL LIMIT ?`,
    )
    .pluck()
    .all(cpfCnpjRaiz, NCMS_MAX);
