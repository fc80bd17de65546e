/** The permitted characters of a text, and the comparison of two texts. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { codePoints, folded, isStorable, nearest, visible, visibleLines } from '../../src/validation/text.ts';

test('code points are counted as the language counts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const wellFormed = text.toWellFormed();
      expect(codePoints(wellFormed)).toBe(Array.from(wellFormed).length);
    }),
  );
});

test.each(['\0', 'a\0b', '\ud800', '\udc00', 'a\ud800b', '\udc00\ud800'])('%p is not storable', (text) => {
  expect(isStorable(text)).toBe(false);
});

test.each(['', 'á', '𝄞', '\u0001', '\uffff'])('%p is storable', (text) =>
  expect(isStorable(text)).toBe(true),
);

/** All kinds of texts of fast-check: ASCII, combining accents, and unpaired surrogates. */
const UNITS = ['binary', 'binary-ascii', 'grapheme', 'grapheme-ascii', 'grapheme-composite'] as const;

describe('a folded text', () => {
  test.each([
    ['AÇÃO', 'acao'],
    ['Válvula', 'valvula'],
    ['Va\u0301lvula', 'valvula'],
    ['İSTANBUL', 'istanbul'],
    ['ñandú', 'nandu'],
    ['100%', '100%'],
  ])('of %s is %s', (text, expected) => expect(folded(text)).toBe(expected));

  test('is the same with the fast and with the full folding', () => {
    const oneWay = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
    const latin1 = fc.string({ unit: fc.nat(0xff).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.oneof(latin1, ...UNITS.map((unit) => fc.string({ unit }))), (text) => {
        expect(folded(text)).toBe(oneWay(text));
      }),
      { numRuns: 3000 },
    );
    for (let code = 0; code <= 0xff; code += 1) {
      const letter = String.fromCharCode(code);
      expect(folded(`a${letter}${letter}`)).toBe(oneWay(`a${letter}${letter}`));
    }
  });

  test('contains the folded form of each of its parts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
        expect(folded(a + b).includes(folded(b))).toBe(true);
      }),
    );
  });
});

test('the nearest name is returned only if one is near', () => {
  const names = ['denominacao', 'descricao', 'ncm'];
  expect(['denominaçao', 'Descricao', 'nmc', 'ncmm'].map((name) => nearest(name, names))).toEqual([
    'denominacao',
    'descricao',
    'ncm',
    'ncm',
  ]);
  for (const far of ['xyz', '', 'x'.repeat(10_000)]) expect(nearest(far, names)).toBeUndefined();
});

describe('a text of another server', () => {
  test.each([
    ['a\u001b[2Jb', 'a\\u001b[2Jb'],
    ['\u007f\u0080\u009f\u00a0', '\\u007f\\u0080\\u009f\u00a0'],
    ['\u202etxt\u2069\u061c', '\\u202etxt\\u2069\\u061c'],
    ['\u2028\ufeff', '\\u2028\\ufeff'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['São Paulo ½ 𝄞 日本', 'São Paulo ½ 𝄞 日本'],
  ])('%j is shown as %s', (text, expected) => {
    expect([visible(text), visibleLines(text)]).toEqual([expected, expected]);
  });

  test('is on one line, or keeps its lines and tabs and no other control characters', () => {
    const text = 'a\tb\nc\r\nd\re';
    expect(visible(text)).toBe('a\\u0009b\\u000ac\\u000d\\u000ad\\u000de');
    expect(visibleLines(text)).toBe('a\tb\nc\r\nd\\u000de');
  });

  test('that is JSON stays the same JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const output = visible(JSON.stringify([text]));
        expect(JSON.parse(output)).toEqual([text]);
        expect(JSON.parse(visibleLines(JSON.stringify([text], undefined, 2)))).toEqual([text]);
        expect(output).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});
