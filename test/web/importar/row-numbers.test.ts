import { expect, test } from 'bun:test';
import { rowNumbersIn } from '../../../src/web/importar/row-numbers.ts';

test.each([
  ['', []],
  [' 3, 10-12 ;3', [3, 10, 11, 12]],
  ['7-7', [7]],
  ['0', undefined],
  ['12-10', undefined],
  ['três', undefined],
  ['3-', undefined],
] as const)('the rows in %p are %p', (text, rows) => {
  expect(rowNumbersIn(text)).toEqual(rows === undefined ? rows : [...rows]);
});

test('the maximum number of rows of a sheet is read, and one more is not', () => {
  expect(rowNumbersIn('1-200000')).toHaveLength(200_000);
  expect(rowNumbersIn('1-200001')).toBeUndefined();
});
