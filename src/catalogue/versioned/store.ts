/**
 * Stores records with versions: the row of a record is its whole current version; all others are in a second
 * table. Products and foreign operators provide their columns. Lists have their own readers (list-query.ts).
 */
import type { Day, EpochMs } from '../../clock.ts';
import type { Db } from '../../db/open.ts';
import type { VersionNumber } from '../version.ts';
import {
  type Current,
  KEYS_OF_COMPANY,
  type Marks,
  type ReservedKey,
  type Version,
  situacaoOf,
} from './model.ts';

type Value = string | number | null;

/** Maps each member to its column. */
export type Columns<T> = { readonly [member in keyof T]-?: string };

export interface VersionedTable<C, I, D> {
  /** Name of the table of records; that of their other versions is named `…_version`. */
  readonly name: string;
  readonly content: Columns<C>;
  /** Columns that never change, in addition to the key. */
  readonly identity: Columns<I>;
  /** Columns that only the record's row has, derived from its current version for the filters of lists. */
  readonly derived: Columns<D>;
  readonly derive: (version: Version<C>) => D;
  /** Writes data of the current version to other tables. `before`: the record, if it is not new. */
  readonly writeAlso?: (key: ReservedKey, version: Version<C>, derived: D, before?: Current<C>) => void;
}

/** Past version, with its validity only. */
export interface PastVersion extends VersionNumber {
  readonly rowId: number;
  readonly startsOn: Day;
  readonly untilDay: Day | null;
}

/** Past version without its content. */
export interface PastHead extends VersionNumber, Marks {
  readonly startsOn: Day;
  readonly untilDay: Day | null;
  readonly madeAt: EpochMs;
  readonly madeBy: string;
  readonly proposedBy: string | null;
}

const VERSION = {
  family: 'family',
  rectification: 'rectification',
  startsOn: 'starts_on',
  madeAt: 'made_at',
  madeBy: 'made_by',
  proposedBy: 'proposed_by',
  draftUntil: 'draft_until',
  deactivatedAt: 'deactivated_at',
  deactivatedBy: 'deactivated_by',
};

const columnsIn = (members: object): string[] => Object.values(members) as string[];
const selectList = (members: object): string =>
  Object.entries(members)
    .map(([member, column]) => (member === column ? column : `${column} AS ${member}`))
    .join(', ');
const placeholders = (columns: readonly string[]): string => columns.map(() => '?').join(', ');
const assignments = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = ?`).join(', ');

const OF_COMPANY = 'company_id = (SELECT c.id FROM company c WHERE c.cpf_cnpj_raiz = ?)';

/**
 * Returns the statement that counts the active records of a company, which is bound twice. Indexes hold only
 * the records that are not active: these are few.
 */
export const countActiveSql = (table: 'product' | 'foreign_operator'): string =>
  `SELECT (SELECT count(*) FROM ${table} WHERE ${OF_COMPANY})
  - (SELECT count(*) FROM ${table} WHERE ${OF_COMPANY} AND situacao <> 'ATIVADO')`;

export class VersionedStore<C extends object, I extends object, D extends object> {
  readonly #table: VersionedTable<C, I, D>;
  readonly #identityMembers: readonly string[];
  readonly #derivedMembers: readonly string[];
  readonly #versionMembers: readonly string[];
  readonly #db: Db;
  readonly #lastSlot;
  readonly #insert;
  readonly #update;
  readonly #touch;
  readonly #copyToPast;
  readonly #insertPast;
  readonly #findPast;
  readonly #latestOfFamily;
  readonly #latestFamily;
  readonly #inForce;
  readonly #heads;
  readonly #setUntil;
  readonly #deactivatePast;

  constructor(db: Db, table: VersionedTable<C, I, D>) {
    this.#db = db;
    this.#table = table;
    const { name, identity, derived } = table;
    const version = { ...VERSION, ...table.content };
    this.#identityMembers = Object.keys(identity);
    this.#derivedMembers = Object.keys(derived);
    this.#versionMembers = Object.keys(version);
    const columns = columnsIn(version);
    const list = columns.join(', ');
    // The last row in the company's range of keys is the last record: records are never deleted.
    this.#lastSlot = db.prepare<[string], ReservedKey & { readonly lastId: number | null }>(
      `SELECT c.id AS companyId, (SELECT max(r.id) FROM ${name} r
         WHERE r.id > c.id * ${KEYS_OF_COMPANY} AND r.id < (c.id + 1) * ${KEYS_OF_COMPANY}) AS lastId
       FROM company c WHERE c.cpf_cnpj_raiz = ?`,
    );
    const columnsOfRecord = [...columnsIn(identity), ...columnsIn(derived), ...columns];
    this.#insert = db.prepare<Value[]>(
      `INSERT INTO ${name} (id, company_id, registered_at, changed_at, situacao, ${columnsOfRecord.join(', ')})
       VALUES (?, ?, ?, ?, ?, ${placeholders(columnsOfRecord)})`,
    );
    const current = [...columnsIn(derived), ...columns];
    this.#update = db.prepare<Value[]>(
      `UPDATE ${name} SET changed_at = ?, situacao = ?, ${assignments(current)} WHERE id = ?`,
    );
    this.#touch = db.prepare<[EpochMs, number]>(`UPDATE ${name} SET changed_at = ? WHERE id = ?`);
    this.#copyToPast = db.prepare<[string | null, number]>(
      `INSERT INTO ${name}_version (record_id, until_day, ${list}) SELECT id, ?, ${list} FROM ${name} WHERE id = ?`,
    );
    this.#insertPast = db.prepare<Value[]>(
      `INSERT INTO ${name}_version (record_id, until_day, ${list}) VALUES (?, ?, ${placeholders(columns)})`,
    );
    this.#findPast = db.prepare<[number, number, number], Version<C>>(
      `SELECT ${selectList(version)} FROM ${name}_version WHERE record_id = ? AND family = ? AND rectification = ?`,
    );
    this.#latestOfFamily = db.prepare<[number, number], Version<C>>(
      `SELECT ${selectList(version)} FROM ${name}_version WHERE record_id = ? AND family = ?
       ORDER BY rectification DESC LIMIT 1`,
    );
    this.#latestFamily = db
      .prepare<[number], number>(
        `SELECT family FROM ${name}_version WHERE record_id = +? ORDER BY family DESC LIMIT 1`,
      )
      .pluck();
    this.#inForce = db.prepare<[number], PastVersion>(
      `SELECT id AS rowId, family, rectification, starts_on AS startsOn, until_day AS untilDay
       FROM ${name}_version WHERE record_id = ? AND until_day IS NOT NULL`,
    );
    this.#heads = db.prepare<[number], PastHead>(
      `SELECT ${selectList(VERSION)}, until_day AS untilDay FROM ${name}_version WHERE record_id = ?`,
    );
    this.#setUntil = db.prepare<[string | null, number]>(
      `UPDATE ${name}_version SET until_day = ? WHERE id = ?`,
    );
    this.#deactivatePast = db.prepare<[EpochMs, string, number, number, number]>(
      `UPDATE ${name}_version SET deactivated_at = ?, deactivated_by = ?
       WHERE record_id = ? AND family = ? AND rectification = ?`,
    );
  }

  /** Prepares a look-up of whole records by a condition on their table. */
  prepareFind<P extends readonly Value[]>(condition: string) {
    const { name, content, identity } = this.#table;
    const members = { ...identity, ...VERSION, ...content };
    return this.#db.prepare<[...P], Current<C> & I>(
      `SELECT id, company_id AS companyId, situacao, ${selectList(members)} FROM ${name} WHERE ${condition}`,
    );
  }

  /** Returns the company's number, and the key of its last record. */
  lastKey(cpfCnpjRaiz: string): { readonly companyId: number; readonly lastId: number } {
    const last = this.#lastSlot.get(cpfCnpjRaiz);
    if (last === undefined) throw new Error('A company without a record has no codes.');
    const { companyId, lastId } = last;
    return { companyId, lastId: lastId ?? companyId * KEYS_OF_COMPANY };
  }

  /** Returns the number of records of a company. */
  countOf(cpfCnpjRaiz: string): number {
    const count = this.#db.prepare<[string], number>(
      `SELECT count(*) FROM company c JOIN ${this.#table.name} r
         ON r.id > c.id * ${KEYS_OF_COMPANY} AND r.id < (c.id + 1) * ${KEYS_OF_COMPANY}
       WHERE c.cpf_cnpj_raiz = ?`,
    );
    return count.pluck().get(cpfCnpjRaiz) ?? 0;
  }

  /** Inserts a new record. */
  insert(key: ReservedKey, identity: I, version: Version<C>, now: EpochMs): void {
    const derived = this.#table.derive(version);
    const row: Value[] = [key.id, key.companyId, now, now, situacaoOf(version)];
    addValues(row, identity, this.#identityMembers);
    this.#addCurrent(row, version, derived);
    this.#insert.run(...row);
    this.#table.writeAlso?.(key, version, derived);
  }

  /** Replaces the current version, which becomes a past one in force before `untilDay`; `null`: never. */
  supersede(record: Current<C>, version: Version<C>, untilDay: Day | null, now: EpochMs): void {
    this.#copyToPast.run(untilDay, record.id);
    this.replace(record, version, now);
  }

  /** Rewrites the current version: a draft is edited in place, and a deactivation sets its marks. */
  replace(record: Current<C>, version: Version<C>, now: EpochMs): void {
    const derived = this.#table.derive(version);
    const row: Value[] = [now, situacaoOf(version)];
    this.#addCurrent(row, version, derived);
    this.#update.run(...row, record.id);
    this.#table.writeAlso?.(record, version, derived, record);
  }

  /** Records that something of the record changed, but not its current version. */
  touch(id: number, now: EpochMs): void {
    this.#touch.run(now, id);
  }

  insertPast(id: number, version: Version<C>, untilDay: Day | null): void {
    const row: Value[] = [id, untilDay];
    addValues(row, version, this.#versionMembers);
    this.#insertPast.run(...row);
  }

  /** Returns a version that is not the current one. */
  findPast(id: number, { family, rectification }: VersionNumber): Version<C> | undefined {
    return this.#findPast.get(id, family, rectification);
  }

  /** Returns the latest rectification of a family other than that of the current version. */
  findLatestPast(id: number, family: number): Version<C> | undefined {
    return this.#latestOfFamily.get(id, family);
  }

  latestFamily({ id, family }: Current<C>): number {
    return Math.max(family, this.#latestFamily.get(id) ?? 0);
  }

  /** Returns the past versions that are in force at the end of some day. */
  listInForce(id: number): PastVersion[] {
    return this.#inForce.all(id);
  }

  /** Returns all past versions of a record, without content. */
  listPast(id: number): PastHead[] {
    return this.#heads.all(id);
  }

  setUntil(rowId: number, untilDay: Day | null): void {
    this.#setUntil.run(untilDay, rowId);
  }

  deactivatePast(id: number, { family, rectification }: VersionNumber, at: EpochMs, by: string): void {
    this.#deactivatePast.run(at, by, id, family, rectification);
  }

  #addCurrent(row: Value[], version: Version<C>, derived: D): void {
    addValues(row, derived, this.#derivedMembers);
    addValues(row, version, this.#versionMembers);
  }
}

function addValues(row: Value[], values: object, members: readonly string[]): void {
  for (const member of members) row.push((values as Readonly<Record<string, Value>>)[member] as Value);
}

/** Methods that changes need, independent of the record's other columns. */
export type VersionRows<C extends object> = Omit<
  VersionedStore<C, object, object>,
  'prepareFind' | 'lastSlot' | 'insert'
>;
