/** Reads a summary in a Worker: it takes long, because it reads all NCMs and all inactive products. */
import type { Db } from '../../db/open.ts';
import { summaryOf } from './summary-list-query.ts';

export interface SummaryRead {
  readonly kind: 'summary';
  readonly cpfCnpjRaiz: string;
}

export function* summaryTexts(db: Db, { cpfCnpjRaiz }: SummaryRead): Generator<string> {
  const reading = summaryOf(db, cpfCnpjRaiz);
  for (let step = reading.next(); ; step = reading.next()) {
    if (step.done === true) {
      yield JSON.stringify(step.value);
      return;
    }
    yield '';
  }
}
