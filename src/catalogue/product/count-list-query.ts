/** How many products a filter finds (contract section 14, `total`): counted where an index tells, estimated where it takes long. */
import type { Db } from '../../db/open.ts';
import type { Parameter, Query } from '../list-query.ts';
import type { KeyRange, ProductFilter } from './asked-list-query.ts';
import {
  LOOKED_THROUGH,
  currentSource,
  keysOf,
  looksThroughAll,
  productQuery,
  stretches,
} from './list-query.ts';

export interface Count {
  readonly total: number;
  readonly isExact: boolean;
}

/** Stretches of products that are looked through, so that a count takes no longer than a page. */
const COUNTED_STRETCHES = 4;
/** What an index finds is counted up to so many. */
const COUNTED_MAX = 20_000;

export function* countProducts(
  db: Db,
  filter: ProductFilter,
  companyId: number,
): Generator<undefined, Count> {
  const told = toldByIndex(db, filter, companyId);
  if (told !== undefined) return { total: told, isExact: true };
  const query = (keys: KeyRange) => countQuery(filter, companyId, keys);
  const count = db.prepare<Parameter[], number>(query(keysOf(companyId)).sql).pluck();
  const counted = (keys: KeyRange): number => count.get(...query(keys).parameters) ?? 0;
  if (!looksThroughAll(filter)) {
    const found = counted(keysOf(companyId));
    return { total: Math.min(found, COUNTED_MAX), isExact: found <= COUNTED_MAX };
  }
  let [found, looked] = [0, 0];
  for (const keys of stretches(db, companyId)) {
    if (looked === COUNTED_STRETCHES) return estimate(db, companyId, found, looked * LOOKED_THROUGH);
    found += counted(keys);
    looked += 1;
    yield undefined;
  }
  return { total: found, isExact: true };
}

/** As if the rest of the company were like its beginning. */
function estimate(db: Db, companyId: number, found: number, looked: number): Count {
  const all = allOf(db, companyId);
  return { total: Math.max(found, Math.round((found / looked) * all)), isExact: false };
}

const COUNT_ALL = 'SELECT count(*) FROM product INDEXED BY product_by_registration WHERE company_id = ?';
const COUNT_NCM = 'SELECT count(*) FROM product INDEXED BY product_by_ncm WHERE company_id = ? AND ncm = ?';
const COUNT_RARE = `SELECT count(*) FROM product INDEXED BY product_by_situacao
  WHERE company_id = ? AND situacao <> 'ATIVADO' AND situacao >= ? AND situacao <= ?`;
const BEHIND_ALL = '~';

const counted = (db: Db, sql: string, ...parameters: Parameter[]): number =>
  db
    .prepare<Parameter[], number>(sql)
    .pluck()
    .get(...parameters) ?? 0;

const allOf = (db: Db, companyId: number): number => counted(db, COUNT_ALL, companyId);

/** Counts that an index holds by itself; `undefined` for any other filter. */
function toldByIndex(db: Db, filter: ProductFilter, companyId: number): number | undefined {
  const { cpfCnpjRaiz: _, ncm, situacao, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  if (ncm !== undefined) return situacao === undefined ? counted(db, COUNT_NCM, companyId, ncm) : undefined;
  if (situacao === undefined) return allOf(db, companyId);
  if (situacao !== 'ATIVADO') return counted(db, COUNT_RARE, companyId, situacao, situacao);
  return allOf(db, companyId) - counted(db, COUNT_RARE, companyId, '', BEHIND_ALL);
}

function countQuery(filter: ProductFilter, companyId: number, keys: KeyRange): Query {
  if (filter.asOf !== undefined) {
    const { sql, parameters } = productQuery(filter, companyId, keys);
    return { sql: `SELECT count(*) FROM (${sql})`, parameters };
  }
  const { source, where } = currentSource(filter, companyId, keys);
  const sql = `SELECT count(*) FROM (SELECT 1 FROM ${source} WHERE ${where.sql} LIMIT ${COUNTED_MAX + 1})`;
  return { sql, parameters: where.parameters };
}
