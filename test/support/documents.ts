/** What people read: README and the pages that the executable serves at `/ajuda`. */
import { join } from 'node:path';
import { PAGES } from '../../src/docs/contents.ts';
import { ROOT } from './sources.ts';

export interface DocumentText {
  /** From the root of the clone. */
  readonly path: string;
  readonly text: string;
}

export const README = 'README.md';

/** README first, then the pages in reading order. */
export async function documents(): Promise<readonly DocumentText[]> {
  const readme = await Bun.file(join(ROOT, README)).text();
  return [
    { path: README, text: readme },
    ...PAGES.map(({ name, markdown }) => ({ path: `src/docs/pages/${name}.md`, text: markdown })),
  ];
}

export interface Fence {
  readonly path: string;
  /** By the comment before it; '' for one without. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

/** Every code block, as they stand. */
export async function fences(): Promise<readonly Fence[]> {
  return (await documents()).flatMap(({ path, text }) =>
    [...text.matchAll(/(?:^<!-- ([\w-]+) -->\s*)?^```(\w*)\n([^]*?)^```$/gm)].map(
      ([, name = '', language = '', code = '']) => ({ path, name, language, code }),
    ),
  );
}
