/** The product's source files as text, for tests that read them instead of running them. */
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

export const ROOT = dirname(dirname(import.meta.dir));

export interface Source {
  /** `src/db/open.ts` */
  readonly path: string;
  readonly text: string;
  /** The text with comments blanked; line numbers are kept. */
  readonly code: string;
  /** Paths of our files that it imports, including types. */
  readonly imports: readonly string[];
}

export async function sourcesUnder(folder: string): Promise<readonly Source[]> {
  const paths = [...new Glob(`${folder}/**/*.{ts,tsx}`).scanSync({ cwd: ROOT })].sort();
  return Promise.all(paths.map(source));
}

async function source(path: string): Promise<Source> {
  const text = await Bun.file(join(ROOT, path)).text();
  const code = withoutComments(text);
  return { path, text, code, imports: importsOf(path, code) };
}

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.{1,2}\/[^']+)'/g;

function importsOf(path: string, code: string): readonly string[] {
  return [...code.matchAll(IMPORT)].map(([, target]) => normalize(join(dirname(path), target ?? '')));
}

/** Strings are skipped, so that `'https://…'` is no comment. */
const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

export function withoutComments(text: string): string {
  return text.replaceAll(COMMENT_OR_STRING, (match) =>
    match.startsWith('/') ? match.replaceAll(/[^\n]/g, ' ') : match,
  );
}
