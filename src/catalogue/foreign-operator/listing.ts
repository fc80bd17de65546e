/** Operators of a listing, one text each. */
import type { Db } from '../../db/open.ts';
import { prettyRecord } from '../pretty.ts';
import type { OperatorFilter } from './filter.ts';
import { iterateOperators } from './list-query.ts';
import { exportRecord, listItemText } from './record.ts';
import type { Listing } from '../listing/service.ts';

export type OperatorListing = Listing<'operators', OperatorFilter>;

export function* operatorTexts(db: Db, filter: OperatorFilter, form: 'list' | 'export'): Generator<string> {
  let seq = 0;
  for (const operator of iterateOperators(db, filter)) {
    seq += 1;
    yield form === 'list'
      ? listItemText(filter.cpfCnpjRaiz, seq, operator)
      : prettyRecord(exportRecord(filter.cpfCnpjRaiz, seq, operator));
  }
}
