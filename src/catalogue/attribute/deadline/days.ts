/**
 * Counts the products without a value for a future requirement, day by day. Each product counts once. Runs in
 * a reading Worker.
 */
import type { Db } from '../../../db/open.ts';
import type { Day } from '../../../clock.ts';
import { resultText } from '../../../reading/stream.ts';
import { productsWithRequirements } from './deadlines.ts';
import type { DeadlineDays, DeadlineFilter } from './model.ts';

export interface DeadlineDaysRead {
  readonly kind: 'deadlineDays';
  readonly filter: DeadlineFilter;
}

export const deadlineDaysTexts = (db: Db, { filter }: DeadlineDaysRead): Generator<string> =>
  resultText(daysOf(db, filter));

function* daysOf(db: Db, filter: DeadlineFilter): Generator<undefined, DeadlineDays> {
  const products = new Map<Day, number>();
  let [overdue, total] = [0, 0];
  for (const product of productsWithRequirements(db, filter)) {
    if (product === undefined) {
      yield undefined;
      continue;
    }
    const { missing } = product;
    const futureMissing = missing.filter((requirement) => !requirement.overdue);
    for (const on of new Set(futureMissing.map((requirement) => requirement.on)))
      products.set(on, (products.get(on) ?? 0) + 1);
    if (futureMissing.length < missing.length) overdue += 1;
    if (missing.length > 0) total += 1;
  }
  const days = [...products].map(([on, number]) => ({ on, products: number }));
  return { days: days.sort((a, b) => (a.on < b.on ? -1 : 1)), overdue, total };
}
