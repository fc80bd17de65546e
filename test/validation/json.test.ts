/** JSON of bodies and files: the digits as sent, no repeated member (contract sections 3, 4 and 10). */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { JSON_MAX_DEPTH, overview, readJsonText } from '../../src/validation/json.ts';
import { integerOf, scalarText } from '../../src/validation/json-number.ts';

const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));

/** Every form of a number in RFC 8259. */
const numberText = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.integer({ min: 1, max: 9 }), digits(0, 25)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 25).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E', 'e+', 'E-'), digits(1, 4)).map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''));

interface GeneratedText {
  readonly text: string;
  /** Pointers of repeated members. */
  readonly repeated: readonly string[];
}

const leaf: fc.Arbitrary<GeneratedText> = fc
  .oneof(
    numberText,
    fc.constantFrom('true', 'false', 'null', '""', '"{\\"a\\":1,"', '"\\\\"', '"1.10"', '"é😀"'),
  )
  .map((text) => ({ text, repeated: [] }));
/** Some names are equal and differ only in their escapes. */
const name = fc.constantFrom(
  '"a"',
  '"\\u0061"',
  '"b"',
  '"valor"',
  '"__proto__"',
  '"1"',
  '"a/b"',
  '"\\""',
  '""',
);
const space = fc.constantFrom('', '', ' ', '\n\t');

const { value: document } = fc.letrec<{ value: GeneratedText; list: GeneratedText; object: GeneratedText }>(
  (tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, tie('list'), tie('object')),
    list: fc.tuple(fc.array(tie('value'), { maxLength: 4 }), space).map(([items, gap]) => ({
      text: `[${items.map(({ text }) => gap + text + gap).join(',')}]`,
      repeated: items.flatMap(({ repeated }, index) => repeated.map((path) => `/${index}${path}`)),
    })),
    object: fc
      .tuple(fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }), space)
      .map(([members, gap]) => {
        const names = members.map(([quoted]) => JSON.parse(quoted) as string);
        return {
          text: `{${members.map(([quoted, { text }]) => `${gap}${quoted}${gap}:${text}`).join(',')}}`,
          repeated: members.flatMap(([, { repeated }], index) => {
            const at = `/${(names[index] as string).replaceAll('/', '~1')}`;
            const isSecond = names.slice(0, index).filter((one) => one === names[index]).length === 1;
            return [...(isSecond ? [at] : []), ...repeated.map((path) => at + path)];
          }),
        };
      }),
  }),
);

const compact = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => (part.startsWith('"') ? part : ''));

describe('a JSON text', () => {
  test('has the value that JSON.parse returns, with every number as it was written', () => {
    fc.assert(
      fc.property(document, ({ text, repeated }) => {
        const { value } = readJsonText(text);
        expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(text));
        const isWrittenOtherwise = repeated.length > 0 || /\\u0061|"1"\s*:/.test(text);
        if (!isWrittenOtherwise) expect(JSON.stringify(value)).toBe(compact(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('reports the members that occur twice, and no others', () => {
    fc.assert(
      fc.property(document, ({ text, repeated }) => {
        const paths = readJsonText(text).repeated.map(({ path }) => path);
        expect(new Set(paths)).toEqual(new Set(repeated));
      }),
      { numRuns: 3000 },
    );
  });

  test('with a thousand repeated members reports a hundred, with cut names', () => {
    const long = 'x'.repeat(100_000);
    const members = Array.from({ length: 1000 }, (_, index) => `"${index}":1,"${index}":1`);
    const { repeated } = readJsonText(`{"${long}":{${members.join(',')}}}`);
    expect(repeated.length).toBe(100);
    expect(repeated[0]?.path).toBe(`/${'x'.repeat(100)}…/0`);
  });

  test.each([
    ['1.10', '1.10', undefined],
    ['0.0000001', '0.0000001', undefined],
    ['12345678901234567890', '12345678901234567890', undefined],
    ['-0', '-0', 0],
    ['1.0', '1.0', 1],
    ['2E2', '2E2', 200],
    ['1e999', '1e999', undefined],
    ['7', '7', 7],
    ['1.5', '1.5', undefined],
    ['true', 'true', undefined],
    ['"1.10"', undefined, undefined],
    ['"0012"', undefined, 12],
    ['null', undefined, undefined],
    ['[1]', undefined, undefined],
  ])('%s has the text %p and is the integer %p', (text, asText, asInteger) => {
    const { value } = readJsonText(text);
    expect([scalarText(value), integerOf(value)]).toEqual([asText, asInteger]);
  });

  test('is scanned with any content, and its depth is reported', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => overview(text).tooDeepAt === -1));
    const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
    expect(overview(nested(JSON_MAX_DEPTH)).tooDeepAt).toBe(-1);
    expect(overview(`[${nested(JSON_MAX_DEPTH)}]`).tooDeepAt).toBe(1 + '[{"a":'.length * 49 + 1);
    expect(overview(`"${'['.repeat(200)}"`).tooDeepAt).toBe(-1);
  });
});
