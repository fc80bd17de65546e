/** Stores uploaded spreadsheets, and the choices of people for their columns, on disk. */
import type { EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import { Store } from '../../db/prepared.ts';
import type { ImportKind } from '../import/model.ts';
import type { RememberedMeanings } from './model.ts';
import { KEYS_OF_COMPANY } from '../versioned/model.ts';

export interface NewSheet {
  readonly documento: string;
  readonly cpfCnpjRaiz: string;
  readonly tipo: ImportKind;
  readonly fileName: string;
  readonly storedFile: string;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
  readonly expiresAt: EpochMs;
}

export interface StoredSheet extends NewSheet {
  readonly id: number;
}

/** The choice of a person for columns with a heading. */
export interface Choice {
  /** The key made by `headingKey`. */
  readonly heading: string;
  /** `null`: left out. Absent: not mapped by a person. */
  readonly target?: string | null;
  /** The meanings of received values for a target. */
  readonly meanings?: Meanings;
}

export interface Meanings {
  readonly target: string;
  readonly values: Readonly<Record<string, string>>;
}

interface ChoiceRow {
  readonly heading: string;
  readonly isMapped: 0 | 1;
  readonly target: string | null;
  readonly meanings: string | null;
}

/** Maximum choices of a company and kind. The oldest are deleted. */
const CHOICES_MAX = 1000;

const COLUMNS = `id, documento, cpf_cnpj_raiz AS cpfCnpjRaiz, tipo, file_name AS fileName, stored_file AS storedFile,
  sha256, expires_at AS expiresAt`;

const EXPIRED_AT_ONCE = 100;

const CHOICE = 'SELECT heading, is_mapped AS isMapped, target, meanings FROM sheet_choice';

/** The queries that grow with the stored data. A test holds each to an index. */
export const QUERIES = {
  expired: `SELECT ${COLUMNS} FROM sheet_upload WHERE expires_at <= ? ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE}`,
  ofUser: `SELECT ${COLUMNS} FROM sheet_upload WHERE documento = ? ORDER BY id DESC LIMIT -1 OFFSET ?`,
} as const;

const COMPANY_ID = '(SELECT id FROM company WHERE cpf_cnpj_raiz = ?)';
const NUMBERS = {
  products: `SELECT j.value FROM json_each(?) j CROSS JOIN product p
     ON p.id = ${COMPANY_ID} * ${KEYS_OF_COMPANY} + CAST(j.value AS INTEGER)
     WHERE j.value NOT GLOB '*[^0-9]*' AND CAST(j.value AS INTEGER) BETWEEN 1 AND ${KEYS_OF_COMPANY - 1}`,
  operators: `SELECT j.value FROM json_each(?) j CROSS JOIN foreign_operator o
     ON o.company_id = ${COMPANY_ID} AND o.codigo = j.value`,
} as const;

export class SheetStore extends Store {
  readonly #insert = this.inserts(
    `INSERT INTO sheet_upload (documento, cpf_cnpj_raiz, tipo, file_name, stored_file, sha256, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  readonly find = this.one<[id: number], StoredSheet>(`SELECT ${COLUMNS} FROM sheet_upload WHERE id = ?`);
  /** Returns the names of all sheet files in the folder. */
  readonly listFiles = this.values<[], string>('SELECT stored_file FROM sheet_upload');
  /** Returns some of the expired sheets. */
  readonly listExpired = this.many<[now: EpochMs], StoredSheet>(QUERIES.expired);
  /** Returns the sheets of a user that exceed the newest `kept` ones. */
  readonly listBeyond = this.many<[documento: string, kept: number], StoredSheet>(QUERIES.ofUser);
  readonly delete = this.runs<[id: number]>('DELETE FROM sheet_upload WHERE id = ?');

  readonly choices = this.many<[cpfCnpjRaiz: string, ImportKind], Choice>(
    `${CHOICE} WHERE cpf_cnpj_raiz = ? AND tipo = ?`,
    toChoice,
  );
  readonly #choice = this.one<[string, ImportKind, string], Choice>(
    `${CHOICE} WHERE cpf_cnpj_raiz = ? AND tipo = ? AND heading = ?`,
    toChoice,
  );
  readonly #putChoice = this.runs<[string, ImportKind, string, 0 | 1, string | null, string | null]>(
    `INSERT OR REPLACE INTO sheet_choice (cpf_cnpj_raiz, tipo, heading, is_mapped, target, meanings)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  readonly #deleteOldestChoices = this.runs<[string, ImportKind, string, ImportKind, number]>(
    `DELETE FROM sheet_choice WHERE cpf_cnpj_raiz = ? AND tipo = ? AND id <= (
       SELECT id FROM sheet_choice WHERE cpf_cnpj_raiz = ? AND tipo = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  );
  /** Deletes the choices. Returns their number. */
  readonly deleteChoices = this.changes<[cpfCnpjRaiz: string, ImportKind]>(
    'DELETE FROM sheet_choice WHERE cpf_cnpj_raiz = ? AND tipo = ?',
  );

  insert({ documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256, expiresAt }: NewSheet): number {
    return this.#insert(documento, cpfCnpjRaiz, tipo, fileName, storedFile, sha256, expiresAt);
  }

  /**
   * Stores choices of people as the newest ones. A member that a choice does not name keeps its earlier
   * value.
   */
  putChoices(cpfCnpjRaiz: string, tipo: ImportKind, choices: readonly Choice[]): void {
    for (const choice of choices) {
      const { heading } = choice;
      const { target, meanings } = { ...this.#choice(cpfCnpjRaiz, tipo, heading), ...choice };
      const json = meanings === undefined ? null : JSON.stringify(meanings);
      this.#putChoice(cpfCnpjRaiz, tipo, heading, target === undefined ? 0 : 1, target ?? null, json);
    }
    if (choices.length > 0) this.#deleteOldestChoices(cpfCnpjRaiz, tipo, cpfCnpjRaiz, tipo, CHOICES_MAX);
  }

  /** Stores corrections that a person wants to be remembered. Earlier meanings of other values stay. */
  remember(cpfCnpjRaiz: string, tipo: ImportKind, remembered: readonly RememberedMeanings[]): void {
    for (const { heading, target, values } of remembered) {
      const earlier = this.#choice(cpfCnpjRaiz, tipo, heading)?.meanings;
      const meanings = { target, values: { ...(earlier?.target === target && earlier.values), ...values } };
      this.putChoices(cpfCnpjRaiz, tipo, [{ heading, meanings }]);
    }
  }
}

const toChoice = ({ heading, isMapped, target, meanings }: ChoiceRow): Choice => ({
  heading,
  ...(isMapped === 1 && { target }),
  ...(meanings !== null && { meanings: JSON.parse(meanings) as Meanings }), // written by this program
});

const NCMS_MAX = 2000;

/** Returns the NCMs of the products of a company, for a sheet that names none. */
export const ncmsOfCompany = (db: Db, cpfCnpjRaiz: string): string[] =>
  db
    .prepare<[string, number], string>(
      `SELECT DISTINCT ncm FROM product
       WHERE company_id = (SELECT id FROM company WHERE cpf_cnpj_raiz = ?) AND ncm IS NOT NULL LIMIT ?`,
    )
    .pluck()
    .all(cpfCnpjRaiz, NCMS_MAX);

/** Returns the texts that are codes given by the catalogue of a company. Ignores leading zeros. */
export function listNumbers(
  db: Db,
  tipo: ImportKind,
  cpfCnpjRaiz: string,
  texts: readonly string[],
): readonly string[] {
  const sql = tipo === 'operador-estrangeiro' ? NUMBERS.operators : NUMBERS.products;
  return db.prepare<[string, string], string>(sql).pluck().all(JSON.stringify(texts), cpfCnpjRaiz);
}
