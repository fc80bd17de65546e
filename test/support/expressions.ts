/** The regular expressions of the product, and the check that each takes at most linear time. */
import type { TSchema } from '@sinclair/typebox';
import { type Token, parse } from 'acorn';
// The default entry would start a Java or native program; this is the same analyser in plain JavaScript.
import { checkSync } from 'recheck/lib/browser.js';
import checker from 'recheck/package.json' with { type: 'json' };
import { openApp } from './app.ts';
import type { Source } from './sources.ts';

export interface Expression {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/**
 * Expressions already proven linear, with the version of the analyser; regular-expressions-main.ts writes it.
 */
export interface Verdicts {
  readonly checker: string;
  readonly safe: readonly string[];
}

export const CHECKER_VERSION: string = checker.version;

/**
 * Time limit of an analysis. Most take some ms, the longest take seconds. An expression without a result in
 * this time counts as unsafe and has to be simplified.
 */
const ANALYSIS_MAX_MS = 20_000;

export const isLinear = ({ source, flags }: Expression): boolean =>
  checkSync(source, flags, { timeout: ANALYSIS_MAX_MS }).status === 'safe';

/**
 * Returns the result of the automaton alone: random search, or a timeout on a busy machine, differs between
 * runs.
 */
export const isProvenSlow = ({ source, flags }: Expression): boolean =>
  checkSync(source, flags, { checker: 'automaton', timeout: ANALYSIS_MAX_MS }).status === 'vulnerable';

/** Returns the expression as it is written in a source. */
export const textOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

/** Returns each expression once. */
export const distinct = (all: readonly Expression[]): readonly Expression[] => [
  ...new Map(all.map((one) => [textOf(one), one])).values(),
];

export function expressionsIn({ path, text }: Pick<Source, 'path' | 'text'>): Expression[] {
  const expressions: Expression[] = [];
  const loader = path.endsWith('x') ? 'tsx' : 'ts';
  const onToken = (token: Token): void => {
    const { type, value } = token as Token & { readonly value: unknown };
    if (type.label !== 'regexp') return;
    const { pattern, flags } = value as { readonly pattern: string; readonly flags: string };
    expressions.push({ where: path, source: pattern, flags });
  };
  parse(new Bun.Transpiler({ loader }).transformSync(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    onToken,
  });
  return expressions;
}

/** Returns the patterns of every schema of an operation, in either profile. */
export async function patternsOfOperations(): Promise<Expression[]> {
  const apps = [
    await openApp({ settings: { perfil: 'especificacao' } }),
    await openApp({ settings: { perfil: 'portal' } }),
  ];
  const operations = await Promise.all(apps.map(({ app }) => app.operations()));
  const patterns = operations.flatMap((all) =>
    all.flatMap(({ id, params, query, body, success }) =>
      [params, query, body, success].flatMap((schema) => [...patternsIn(id, schema)]),
    ),
  );
  for (const { close } of apps) await close();
  return patterns;
}

function* patternsIn(where: string, schema: unknown): Generator<Expression> {
  if (typeof schema !== 'object' || schema === null) return;
  const { pattern } = schema as TSchema;
  if (typeof pattern === 'string') yield { where, source: pattern, flags: 'u' };
  for (const inner of Object.values(schema)) yield* patternsIn(where, inner);
}
