/** Operators of a listing, one text each. */
import type { Db } from '../../db/open.ts';
import { type Listing, listTexts } from '../listed.ts';
import type { OperatorFilter } from './filter.ts';
import { iterateOperators } from './list-query.ts';
import { printRecord } from './record.ts';

export type OperatorListing = Listing<'operators', OperatorFilter>;

export const operatorTexts = (db: Db, filter: OperatorFilter, form: Listing['form']): Generator<string> =>
  listTexts(iterateOperators(db, filter), printRecord, filter.cpfCnpjRaiz, form);
