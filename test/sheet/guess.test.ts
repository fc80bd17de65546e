/** Guesses of many columns: the work grows with their number, not with its square (contract section 16). */
import { describe, expect, test } from 'bun:test';
import type { HeadedColumn, SheetKind } from '../../src/sheet/column.ts';
import { Guessing } from '../../src/sheet/guess.ts';
import { headerRowOf } from '../../src/sheet/header.ts';
import { sheetKind } from '../../src/catalogue/sheet/kinds.ts';
import {
  guessAttributeNames,
  guessDescriptions,
  guessPairs,
} from '../../src/catalogue/sheet/product-guess.ts';

const PRODUCTS = sheetKind('produto');

/**
 * Returns a kind and columns that count each step of a guess: each heading read, name searched, and value
 * tested.
 */
function counted(count: number, headingAt: (place: number) => string, values: readonly string[]) {
  let steps = 0;
  const step = <T>(value: T): T => {
    steps += 1;
    return value;
  };
  const kind: SheetKind = {
    ...PRODUCTS,
    targetNamedIn: (heading) => step(PRODUCTS.targetNamedIn?.(heading)),
    columns: PRODUCTS.columns.map((column) => ({
      ...column,
      ...(column.fits && { fits: (text: string) => step(column.fits?.(text) === true) }),
      ...(column.byValue && { byValue: (text: string) => step(column.byValue?.(text) === true) }),
    })),
  };
  const headed = Array.from({ length: count }, (_, place): HeadedColumn => {
    const heading = headingAt(place);
    return {
      values,
      get heading() {
        return step(heading);
      },
    };
  });
  return { kind, headed, steps: () => steps };
}

function stepsOf(count: number, headingAt: (place: number) => string, values: readonly string[]): number {
  const { kind, headed, steps } = counted(count, headingAt, values);
  const choices = new Map([['ncm', 'ncm']]);
  const guessing = new Guessing(headed, kind, { choices, isNumbered: () => true });
  guessing.byName();
  guessing.byWords();
  guessDescriptions(guessing);
  guessPairs(guessing);
  guessAttributeNames(guessing, []);
  guessing.byParts();
  guessing.byValues();
  guessing.result();
  return steps();
}

describe('a guess takes the same steps for each column, for any number of columns', () => {
  test.each<readonly [string, (place: number) => string, readonly string[]]>([
    ['headings that mean nothing', (place) => `C${place}`, ['x', 'y']],
    ['headings that resemble a member', (place) => `NCM ${place}`, ['39269090', '73181500']],
    ['headings that all name one member', () => 'NCM', ['x', 'y']],
    ['headings that all are chosen for one member', () => 'ncm', ['39269090', '73181500']],
    ['headings that all name a member that many columns may have', () => 'Material', ['A1', 'A2']],
    ['codes of attributes', (place) => `ATT_${place}`, ['x', 'y']],
    ['bare codes', () => 'Código', ['1', '2']],
    ['descriptions', (place) => `Descrição produto ${place}`, ['a', 'b']],
    ['values that only one member has', (place) => `C${place}`, ['IMP', 'EXP']],
  ])('%s', (_, headingAt, values) => {
    const few = stepsOf(500, headingAt, values);
    expect(few).toBeGreaterThan(0);
    expect(stepsOf(2000, headingAt, values)).toBeLessThanOrEqual(4.5 * few);
    expect(few).toBeLessThanOrEqual(500 * 40);
  });
});

test('a long text in the first rows is not compared with each name', () => {
  let steps = 0;
  const kind: SheetKind = {
    ...PRODUCTS,
    columns: PRODUCTS.columns.map((column) => ({
      ...column,
      get words() {
        steps += 1;
        return column.words;
      },
    })),
  };
  const rows = Array.from({ length: 30 }, (_, at) => ({
    row: at + 1,
    isHidden: false,
    cells: new Map(
      Array.from({ length: 100 }, (__, place) => [
        place,
        { from: 'text' as const, text: `${'palavra '.repeat(30)}${at} ${place}` },
      ]),
    ),
  }));
  expect(headerRowOf(rows, kind)).toBe(1);
  expect(steps).toBeLessThanOrEqual(10 * PRODUCTS.columns.length);
});

describe('a heading that begins with a name', () => {
  const targetOf = (heading: string, values: readonly string[]) => {
    const guessing = new Guessing([{ heading, values }], PRODUCTS);
    guessing.byParts();
    return guessing.at(0).target;
  };
  test.each([
    ['NCM do produto', ['39269090'], 'ncm'],
    ['Nome comercial completo', ['Caixa'], 'denominacao'],
    ['NCM 7', ['39269090'], null],
    ['NCM do produto', ['x'], null],
    ['', ['x'], null],
  ])('%s with %p is %p', (heading, values, target) => {
    expect(targetOf(heading, values)).toBe(target);
  });
});
