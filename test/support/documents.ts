/** The documents for people: README and the pages that the executable serves at `/ajuda`. */
import { join } from 'node:path';
import { PAGES } from '../../src/docs/contents.ts';
import { ROOT } from './sources.ts';

export interface DocumentText {
  /** Relative to the root of the clone. */
  readonly path: string;
  readonly text: string;
}

export const README = 'README.md';

/** Returns README first, then the pages in reading order. */
export async function documents(): Promise<readonly DocumentText[]> {
  const readme = await Bun.file(join(ROOT, README)).text();
  return [
    { path: README, text: readme },
    ...PAGES.map(({ name, markdown }) => ({ path: `src/docs/pages/${name}.md`, text: markdown })),
  ];
}

export interface Fence {
  readonly path: string;
  /** Taken from the comment before it; '' without one. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** Returns every code block, unchanged. */
export async function fences(): Promise<readonly Fence[]> {
  return (await documents()).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^<!-- ([\w-]+) -->\s*)?^```(\w*)\n([^]*?)^```$/gm)].map(
      ([, name = '', language = '', code = '']) => ({ path, name, language, code }),
    ),
  );
}
