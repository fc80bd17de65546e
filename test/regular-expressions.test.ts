/**
 * No regular expression of the product takes more than linear time, whatever text it meets: one request with the wrong
 * text would hold the event loop for all. Every one in src/ is judged by recheck, and so is every pattern of a schema.
 */
import type { TSchema } from '@sinclair/typebox';
import { type Token, parse } from 'acorn';
import { describe, expect, test } from 'bun:test';
// Its default entry would start a Java or native helper; this is the same analyser in plain JavaScript.
import { checkSync } from 'recheck/lib/browser.js';
import { openApp } from './support/app.ts';
import { sourcesUnder } from './support/sources.ts';

interface Expression {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Built from a text that is no literal, each with the reason why it is linear. */
const BUILT: Readonly<Record<string, string>> = {
  'src/catalogue/company.ts': 'its two patterns are those of a schema, judged below',
  'src/catalogue/attribute/check/mask.ts': 'one class or one character for each place: nothing repeats',
  'src/validation/text-fault.ts': 'the patterns of the schemas, judged below',
};

/** Most take some ms, the longest a second; what is not settled in this time fails: write it more simply. */
const ANALYSIS_MAX_MS = 20_000;
const TEST_MAX_MS = 60_000;

/** Many are the same: each is judged once. */
const verdicts = new Map<string, boolean>();

function isLinear({ source, flags }: Expression): boolean {
  const text = `/${source}/${flags}`;
  const known = verdicts.get(text);
  if (known !== undefined) return known;
  const verdict = checkSync(source, flags, { timeout: ANALYSIS_MAX_MS }).status === 'safe';
  verdicts.set(text, verdict);
  return verdict;
}

const shown = ({ where, source, flags }: Expression): string => `${where} /${source}/${flags}`;

function expressionsIn(where: string, text: string): Expression[] {
  const found: Expression[] = [];
  const loader = where.endsWith('x') ? 'tsx' : 'ts';
  const onToken = (token: Token): void => {
    const { type, value } = token as Token & { readonly value: unknown };
    if (type.label !== 'regexp') return;
    const { pattern, flags } = value as { readonly pattern: string; readonly flags: string };
    found.push({ where, source: pattern, flags });
  };
  parse(new Bun.Transpiler({ loader }).transformSync(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    onToken,
  });
  return found;
}

function* patternsIn(where: string, schema: unknown): Generator<Expression> {
  if (typeof schema !== 'object' || schema === null) return;
  const { pattern } = schema as TSchema;
  if (typeof pattern === 'string') yield { where, source: pattern, flags: 'u' };
  for (const inner of Object.values(schema)) yield* patternsIn(where, inner);
}

async function patternsOfOperations(perfil: 'especificacao' | 'portal'): Promise<Expression[]> {
  const { app, close } = await openApp({ settings: { perfil } });
  const schemas = app.operations.flatMap(({ id, params, query, body, success }) =>
    [params, query, body, success].flatMap((schema) => [...patternsIn(id, schema)]),
  );
  await close();
  return schemas;
}

describe('takes linear time', async () => {
  const sources = await sourcesUnder('src');
  const literals = sources.flatMap(({ path, text }) => expressionsIn(path, text));

  test(
    'every regular expression of src/',
    () => {
      expect(literals.length).toBeGreaterThan(50);
      expect(literals.filter((one) => !isLinear(one)).map(shown)).toEqual([]);
    },
    TEST_MAX_MS,
  );

  test(
    'every pattern of a schema, in either profile',
    async () => {
      const patterns = [
        ...(await patternsOfOperations('especificacao')),
        ...(await patternsOfOperations('portal')),
      ];
      const distinct = new Map(patterns.map((one) => [one.source, one]));
      expect(distinct.size).toBeGreaterThan(10);
      expect([...distinct.values()].filter((one) => !isLinear(one)).map(shown)).toEqual([]);
    },
    TEST_MAX_MS,
  );

  test('none is built from a text but where it is known why', () => {
    const built = sources.filter(({ code }) => /\bRegExp\(/.test(code)).map(({ path }) => path);
    expect(built.sort()).toEqual(Object.keys(BUILT).sort());
  });

  test('and one that does not is found', () => {
    const source = String.raw`"valor(?:es)?"\s*:\s*\[?[^"{}]*?(?:\d\.\d*0(?!\d)|\d{16}|\d[eE]|-0)`;
    for (const one of [source, '(a+)+$', String.raw`\s+$`, '[^/]*@'])
      expect([one, isLinear({ where: '', source: one, flags: '' })]).toEqual([one, false]);
    expect(expressionsIn('a.ts', 'const x: RegExp = /a+b/u; const y = 4 / 2 / 1;')).toEqual([
      { where: 'a.ts', source: 'a+b', flags: 'u' },
    ]);
  });
});
