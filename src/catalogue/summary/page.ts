/** Reads a summary in a Worker: it takes long, because it reads all NCMs and all inactive products. */
import type { Db } from '../../db/open.ts';
import { resultText } from '../../reading/stream.ts';
import { summaryOf } from './summary-list-query.ts';

export interface SummaryRead {
  readonly kind: 'summary';
  readonly cpfCnpjRaiz: string;
}

export const summaryTexts = (db: Db, { cpfCnpjRaiz }: SummaryRead): Generator<string> =>
  resultText(summaryOf(db, cpfCnpjRaiz));
