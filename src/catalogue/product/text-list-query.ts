/** Products that hold a rare text are found out before the list is made: their signatures tell which to look at. */
import type { Db } from '../../db/open.ts';
import { folded } from '../../validation/text.ts';
import type { Signature } from '../../validation/trigrams.ts';
import { Conditions, NO_COMPANY, companyIdOf } from '../list-query.ts';
import { maskOf, signedProducts, signedStretches } from '../signed-list-query.ts';
import { type KeyRange, keysOf, placeOf } from '../versioned/model.ts';
import { askedWords, wordsAsTheyAre } from '../word-list-query.ts';
import { addAsked } from './asked-list-query.ts';
import type { ProductFilter } from './filter.ts';
import { looksThroughAll } from './list-query.ts';

/** A text that more products hold is not rare: the list meets them soon, in whatever order. */
const RARE_MAX = 1000;

/** The same filter with its products found out, where a text leaves few of them; `''` where others may have their turn. */
export function* foundByText(db: Db, filter: ProductFilter): Generator<string, ProductFilter> {
  const mask = maskOfText(filter);
  if (mask === undefined || filter.dataReferencia !== undefined || !looksThroughAll(filter)) return filter;
  const companyId = companyIdOf(db, filter.cpfCnpjRaiz) ?? NO_COMPANY;
  const found: number[] = [];
  for (const keys of signedStretches(db, keysOf(companyId))) {
    const { sql, parameters } = rareQuery(filter, mask, companyId, keys);
    const ids = db.prepare<unknown[], number>(sql).pluck();
    found.push(...ids.all(...parameters, RARE_MAX + 1 - found.length));
    if (found.length > RARE_MAX) return filter;
    yield '';
  }
  return { cpfCnpjRaiz: filter.cpfCnpjRaiz, among: found.map(placeOf) };
}

/** Of a description too many trigrams are there for so few bits: its signature would tell nothing. */
const maskOfText = ({ denominacao, text }: ProductFilter): Signature | undefined =>
  maskOf([
    ...(denominacao === undefined ? [] : [folded(denominacao)]),
    ...(text === undefined ? [] : wordsAsTheyAre(askedWords(text))),
  ]);

/** Keys of all that is asked, in their order; how many is the last parameter. */
export function rareQuery(
  filter: ProductFilter,
  { low, high }: Signature,
  companyId: number,
  { after, upTo }: KeyRange,
): { readonly sql: string; readonly parameters: readonly unknown[] } {
  const asked = new Conditions();
  addAsked(asked, filter, { t: 'p', companyId });
  return {
    sql: `SELECT p.id FROM ${signedProducts()} AND ${asked.sql} ORDER BY s.product_id LIMIT ?`,
    parameters: [after, upTo, low, low, high, high, ...asked.parameters],
  };
}
