/** Yields the concession acts of a list, one text each. */
import type { Db } from '../../db/open.ts';
import { type ConcessionActFilter, iterateConcessionActs } from './list-query.ts';
import type { Listing } from '../listed.ts';

export type ConcessionActListing = Listing<'concessionActs', ConcessionActFilter>;

export function* concessionActTexts(db: Db, filter: ConcessionActFilter): Generator<string> {
  const { cpfCnpjRaiz } = filter;
  for (const { codigoProduto, numeroAto, numeroItem } of iterateConcessionActs(db, filter))
    yield JSON.stringify({ codigoProduto, cpfCnpjRaiz, numeroAto, numeroItem });
}
