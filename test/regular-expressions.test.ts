/**
 * No regular expression of the product takes more than linear time for any text: one request with the wrong
 * text would block all others. recheck analyses each expression in src/ and each pattern of a schema. A file
 * holds the results (`bun test/regular-expressions-main.ts` writes it), and each run analyses a random part
 * of them again.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import written from './regular-expressions.safe.json' with { type: 'json' };
import {
  CHECKER_VERSION,
  type Expression,
  type Verdicts,
  distinct,
  expressionsIn,
  isLinear,
  isProvenSlow,
  patternsOfOperations,
  textOf,
} from './support/expressions.ts';
import { type Source, sourcesUnder } from './support/sources.ts';

/** Enough for a run after an update of the analyser, when all expressions are new. */
setDefaultTimeout(300_000);

/** Expressions that are not literals, each with the reason why it is linear. */
const BUILT: Readonly<Record<string, string>> = {
  'src/validation/company.ts': 'its two patterns are those of a schema, judged below',
  'src/catalogue/attribute/check/value.ts': 'one class or one character for each place: nothing repeats',
  'src/dev/stubs/answer.ts': 'names joined by a bar, of which one ends with anything',
  'src/idempotency/service.ts': 'one class of at most 200 characters, anchored at both ends',
  'src/validation/text-fault.ts': 'the patterns of the schemas, judged below',
};

/** One of this many recorded results is analysed again. */
const JUDGED_AGAIN = 30;

const lineOf = (one: Expression): string => `${one.where} ${textOf(one)}`;
const unsafe = (some: readonly Expression[]): string[] => some.filter((one) => !isLinear(one)).map(lineOf);

/** Returns the expressions that the file records as linear, if this version of the analyser wrote it. */
const knownOf = (all: readonly Expression[], { checker, safe }: Verdicts): readonly Expression[] => {
  const texts = new Set(checker === CHECKER_VERSION ? safe : []);
  return all.filter((one) => texts.has(textOf(one)));
};

describe('takes linear time', () => {
  let sources: readonly Source[];
  let literals: readonly Expression[];
  let all: readonly Expression[];

  beforeAll(async () => {
    sources = await sourcesUnder('src');
    literals = sources.flatMap(expressionsIn);
    const patterns = await patternsOfOperations();
    expect(distinct(literals).length).toBeGreaterThan(50);
    expect(distinct(patterns).length).toBeGreaterThan(10);
    all = distinct([...literals, ...patterns]);
  });

  test('every expression of src/ and every pattern of a schema that was not checked before', () => {
    const provenExpressions = new Set(knownOf(all, written));
    expect(unsafe(all.filter((one) => !provenExpressions.has(one)))).toEqual([]);
  });

  test('and some of the others, chosen at random each time: the file was not written by hand', () => {
    const provenExpressions = [...knownOf(all, written)];
    const some = provenExpressions.filter(() => Math.random() < 1 / JUDGED_AGAIN);
    expect(some.filter(isProvenSlow).map(lineOf)).toEqual([]);
  });

  test('the results of another version of the analyser are ignored', () => {
    const [one] = literals as readonly [Expression];
    const safe = [textOf(one)];
    expect(knownOf([one], { checker: CHECKER_VERSION, safe })).toEqual([one]);
    expect(knownOf([one], { checker: `${CHECKER_VERSION}.1`, safe })).toEqual([]);
    expect(knownOf([{ ...one, source: `${one.source}a` }], { checker: CHECKER_VERSION, safe })).toEqual([]);
  });

  test('none is built from a text, except with a reason in the list', () => {
    const built = sources.filter(({ code }) => /\bRegExp\(/.test(code)).map(({ path }) => path);
    expect(built.sort()).toEqual(Object.keys(BUILT).sort());
  });

  test('and a slow one is detected', () => {
    const source = String.raw`"valor(?:es)?"\s*:\s*\[?[^"{}]*?(?:\d\.\d*0(?!\d)|\d{16}|\d[eE]|-0)`;
    for (const one of [source, '(a+)+$', String.raw`\s+$`, '[^/]*@'])
      expect([one, isLinear({ where: '', source: one, flags: '' })]).toEqual([one, false]);
    const text = 'const x: RegExp = /a+b/u; const y = 4 / 2 / 1;';
    expect(expressionsIn({ path: 'a.ts', text })).toEqual([{ where: 'a.ts', source: 'a+b', flags: 'u' }]);
  });
});
