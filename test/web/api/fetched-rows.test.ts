/** The pages of a list that its table requests, in order or by position (contract section 25). */
import { describe, expect, test } from 'bun:test';
import { type FetchedRows, IN_ORDER, byPosition, emptyRows } from '../../../src/web/api/fetched-rows.ts';

const SIZE = 3;

describe('in order', () => {
  const { missingPage, queryOf, withPage } = IN_ORDER;
  const first = withPage(emptyRows<string>('q'), 0, { items: ['a', 'b'], next: 'B', total: 5 });

  test('a page with fewer rows than requested is followed by the next one', () => {
    expect(missingPage(emptyRows('q'), 0, 1)).toBe(0);
    expect([missingPage(first, 0, 2), missingPage(first, 2, 3)]).toEqual([undefined, 1]);
    expect([queryOf(first, 0), queryOf(first, 1)]).toEqual([{ after: undefined }, { after: 'B' }]);
    const second = withPage(first, 1, { items: ['c'], next: 'C', total: 5 });
    expect(second.rows).toEqual(['a', 'b', 'c']);
    expect(missingPage(second, 3, 4)).toBe(2);
  });

  test('rows that were removed meanwhile lower the exact total', () => {
    const last = withPage(first, 1, { items: [], next: null, total: 2 });
    expect([last.rows, last.total, last.totalIsExact]).toEqual([['a', 'b'], 2, true]);
    expect(missingPage(last, 0, Infinity)).toBeUndefined();
  });

  test('rows that were added meanwhile raise the total', () => {
    const largerList = withPage(first, 1, { items: ['c', 'd', 'e', 'f'], next: 'F', total: 5 });
    expect(largerList.total).toBe(7);
    expect(missingPage(largerList, 6, 7)).toBe(2);
  });
});

describe('by position', () => {
  const { missingPage, queryOf, withPage } = byPosition(SIZE);
  const first = withPage(emptyRows<string>('q'), 0, { items: ['a', 'b', 'c'], next: 'C', total: 9 });

  test('only the page of the visible rows is requested, also far below', () => {
    expect([missingPage(first, 0, 3), missingPage(first, 6, 9), missingPage(first, 3, 9)]).toEqual([
      undefined,
      2,
      1,
    ]);
    expect(queryOf(first, 2)).toEqual({ from: 6 });
    const third = withPage(first, 2, { items: ['g', 'h'], next: null });
    expect([third.rows[5], third.rows[6], third.total]).toEqual([undefined, 'g', 8]);
  });

  test('beyond the highest position, pages are requested one after the other by their cursor', () => {
    const total = 200_000;
    const limit = Math.ceil(100_001 / SIZE);
    let rows: FetchedRows<string> = { ...first, total };
    expect(missingPage(rows, total - 1, total)).toBe(limit - 1);
    rows = withPage(rows, limit - 1, { items: ['x', 'y', 'z'], next: 'Z', total });
    expect(missingPage(rows, total - 1, total)).toBe(limit);
    expect(queryOf(rows, limit)).toEqual({ after: 'Z' });
  });
});
