/** Finds products with a rare text before the list is built: their signatures select the candidates. */
import type { Db } from '../../db/open.ts';
import { folded } from '../../validation/text.ts';
import type { Signature } from '../../validation/trigrams.ts';
import { Conditions, NO_COMPANY, companyIdOf } from '../list-query.ts';
import { maskOf, signedProducts, signedStretches } from '../signed-list-query.ts';
import { type KeyRange, keysOf, numberInCompany } from '../versioned/model.ts';
import { searchWords, unchangedWords } from '../word-list-query.ts';
import { addConditions } from './filter-list-query.ts';
import type { ProductFilter } from './filter.ts';
import { readsAll } from './list-query.ts';

/** A text in more products is not rare: the list finds them soon, in any order. */
const RARE_MAX = 1000;

/**
 * Returns a filter by the codes of the matches if the text is rare; else the same filter. Yields `''` to let
 * other reads run.
 */
export function* resolvedByText(db: Db, filter: ProductFilter): Generator<string, ProductFilter> {
  const mask = maskOfText(filter);
  if (mask === undefined || filter.dataReferencia !== undefined || !readsAll(filter)) return filter;
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const rareIds: number[] = [];
  for (const keys of signedStretches(db, keysOf(companyId))) {
    const { sql, parameters } = rareQuery(filter, mask, companyId, keys);
    const ids = db.prepare<unknown[], number>(sql).pluck();
    rareIds.push(...ids.all(...parameters, RARE_MAX + 1 - rareIds.length));
    if (rareIds.length > RARE_MAX) return filter;
    yield '';
  }
  return { cpfCnpjRaiz: filter.cpfCnpjRaiz, among: rareIds.map(numberInCompany) };
}

/** A description has too many trigrams for so few bits: its signature would exclude nothing. */
const maskOfText = ({ denominacao, text }: ProductFilter): Signature | undefined =>
  maskOf([
    ...(denominacao === undefined ? [] : [folded(denominacao)]),
    ...(text === undefined ? [] : unchangedWords(searchWords(text))),
  ]);

/** Selects the keys of all matches, in order; the limit is the last parameter. */
export function rareQuery(
  filter: ProductFilter,
  { low, high }: Signature,
  companyId: number,
  { after, upTo }: KeyRange,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const conditions = new Conditions();
  addConditions(conditions, filter, { t: 'p', companyId });
  return {
    sql: `SELECT p.id FROM ${signedProducts()} AND ${conditions.sql} ORDER BY s.product_id LIMIT ?`,
    parameters: [after, upTo, low, low, high, high, ...conditions.parameters],
  };
}
