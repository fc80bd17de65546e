/** Versions of records (contract section 6). */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type Validity, takesOver, validities } from '../../src/catalogue/versioned/validity.ts';
import { isLater, parseVersion, versionText } from '../../src/catalogue/version.ts';

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
  ])('%p is invalid', (text) => expect(parseVersion(text)).toBeUndefined());

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
      for (const [referenceIndex, reference] of ordered.entries())
        expect(isLater(version, reference)).toBe(index > referenceIndex);
  });
});

const version = (text: string, startsOn: string) => ({
  startsOn,
  ...(parseVersion(text) ?? { family: 0, rectification: 0 }),
});

type Drawn = ReturnType<typeof version>;

/** Finds the version in force on a day as the contract defines it, without the periods of `validities`. */
function inForce(versions: readonly Drawn[], day: string): Drawn | undefined {
  const started = versions.filter(({ startsOn }) => startsOn <= day);
  const latestStart = started.reduce((latest, { startsOn }) => (startsOn > latest ? startsOn : latest), '');
  const candidates = started.filter(({ startsOn }) => startsOn === latestStart);
  const family = Math.max(...candidates.map((one) => one.family));
  return candidates
    .filter((one) => one.family === family)
    .toSorted((a, b) => b.rectification - a.rectification)[0];
}

const at = (periods: readonly Validity<Drawn>[], day: string): Drawn[] =>
  periods
    .filter(({ version, untilDay }) => version.startsOn <= day && (untilDay === undefined || day < untilDay))
    .map((period) => period.version);

describe('validities', () => {
  test('of a superseded version end where the next one starts', () => {
    const [one, two] = [version('1', '2026-01-01'), version('2', '2026-01-10')];
    expect(validities([one, two])).toEqual([
      { version: one, untilDay: '2026-01-10' },
      { version: two, untilDay: undefined },
    ]);
  });

  test('leave out a family that was superseded on the day it started', () => {
    const two = version('2', '2026-01-01');
    expect(validities([version('1', '2026-01-01'), two])).toEqual([{ version: two, untilDay: undefined }]);
  });

  test('place a retroactive family at its start', () => {
    const periods = validities([version('1', '2026-01-10'), version('2', '2026-01-05')]);
    expect(periods.map((period) => period.version.family)).toEqual([2, 1]);
  });

  const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
  const families = fc
    .array(fc.record({ start: fc.constantFrom(...days), rectifications: fc.nat(2) }), {
      minLength: 1,
      maxLength: 6,
    })
    .map((drawn) =>
      drawn.flatMap(({ start, rectifications }, index) =>
        Array.from({ length: rectifications + 1 }, (_, rectification) => ({
          family: index + 1,
          rectification,
          startsOn: start,
        })),
      ),
    );

  test('match the contract for every day, without a contradiction', () => {
    fc.assert(
      fc.property(families, (versions) => {
        const periods = validities(versions);
        for (const day of ['2025-12-31', ...days, '2030-01-01']) {
          const expected = inForce(versions, day);
          expect(at(periods, day)).toEqual(expected === undefined ? [] : [expected]);
        }
        expect(periods.at(-1)?.untilDay).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('end with the version that replaces them, one after the other', () => {
    fc.assert(
      fc.property(families, ([first, ...later]) => {
        let current = first as Drawn;
        const versions = [current];
        for (const next of later) {
          versions.push(next);
          if (takesOver(next, current)) current = next;
          expect(validities(versions).at(-1)?.version).toEqual(current);
        }
      }),
      { numRuns: 300 },
    );
  });
});
