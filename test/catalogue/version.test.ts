/** Versions of records (contract section 6). */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type DatedVersion,
  FOREVER,
  type Validity,
  isLater,
  parseVersion,
  validities,
  versionText,
} from '../../src/catalogue/version.ts';

describe('the text of a version', () => {
  test.each([
    '',
    '0',
    '01',
    '1.0',
    '1.01',
    '1.',
    '.1',
    '1.1.1',
    '-1',
    '+1',
    ' 1',
    '1 ',
    '1e1',
    '１',
    '123456789',
    '1234.5678',
    '1\n',
  ])('%p is none', (text) => expect(parseVersion(text)).toBeUndefined());

  test.each([
    ['1', 1, 0],
    ['12345678', 12345678, 0],
    ['1.1', 1, 1],
    ['10.20', 10, 20],
    ['123.4567', 123, 4567],
  ])('%s is family %i, rectification %i', (text, family, rectification) => {
    expect(parseVersion(text)).toEqual({ family, rectification });
    expect(versionText({ family, rectification })).toBe(text);
  });

  test('orders by family, then by rectification', () => {
    const parsed = (text: string) => parseVersion(text) ?? { family: 0, rectification: 0 };
    const ordered = ['1', '1.1', '1.2', '1.10', '2', '10', '10.1'].map(parsed);
    for (const [index, version] of ordered.entries())
      for (const [other, than] of ordered.entries()) expect(isLater(version, than)).toBe(index > other);
  });
});

const version = (text: string, startsOn: string, id = 0): DatedVersion => ({
  id,
  startsOn,
  ...(parseVersion(text) ?? { family: 0, rectification: 0 }),
});

/** The contract's words, day by day: what `validities` says in periods. */
function inForce(versions: readonly DatedVersion[], day: string): number | undefined {
  const started = versions.filter(({ startsOn }) => startsOn <= day);
  const latestStart = started.reduce((latest, { startsOn }) => (startsOn > latest ? startsOn : latest), '');
  const candidates = started.filter(({ startsOn }) => startsOn === latestStart);
  const family = Math.max(...candidates.map((one) => one.family));
  return candidates
    .filter((one) => one.family === family)
    .toSorted((a, b) => b.rectification - a.rectification)[0]?.id;
}

const at = (periods: readonly Validity[], day: string): number[] =>
  periods
    .filter(({ fromDay, untilDay }) => fromDay <= day && day < untilDay)
    .map(({ versionId }) => versionId);

describe('validities', () => {
  test('of a superseded version end where the next one starts', () => {
    expect(validities([version('1', '2026-01-01', 1), version('2', '2026-01-10', 2)])).toEqual([
      { versionId: 1, fromDay: '2026-01-01', untilDay: '2026-01-10' },
      { versionId: 2, fromDay: '2026-01-10', untilDay: FOREVER },
    ]);
  });

  test('leave out a family that was superseded on the day it started', () => {
    expect(validities([version('1', '2026-01-01', 1), version('2', '2026-01-01', 2)])).toEqual([
      { versionId: 2, fromDay: '2026-01-01', untilDay: FOREVER },
    ]);
  });

  test('put a retroactive family where it starts', () => {
    const ids = validities([version('1', '2026-01-10', 1), version('2', '2026-01-05', 2)]).map(
      ({ versionId }) => versionId,
    );
    expect(ids).toEqual([2, 1]);
  });

  test('say of every day what the contract says, and of none two things', () => {
    const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
    const families = fc.array(fc.record({ start: fc.constantFrom(...days), rectifications: fc.nat(2) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(families, (drawn) => {
        let id = 0;
        const versions = drawn.flatMap(({ start, rectifications }, index) =>
          Array.from({ length: rectifications + 1 }, (_, rectification) => ({
            id: (id += 1),
            family: index + 1,
            rectification,
            startsOn: start,
          })),
        );
        const periods = validities(versions);
        for (const day of ['2025-12-31', ...days, '2030-01-01']) {
          const expected = inForce(versions, day);
          expect(at(periods, day)).toEqual(expected === undefined ? [] : [expected]);
        }
        expect(periods.at(-1)?.untilDay).toBe(FOREVER);
      }),
      { numRuns: 300 },
    );
  });
});
