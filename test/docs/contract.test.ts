/** The contract is in the repository: every citation in code and tests has its target. */
import { expect, test } from 'bun:test';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

const CONTRACT = join(ROOT, 'src', 'docs', 'maintainers', 'contract');
const FOLDERS = ['src', 'test', 'scripts', 'migrations'] as const;
const CITATION = /contract,? sections? (\d+)(?: (?:and|to|or) (\d+))?/gi;

const sections = new Set(
  readdirSync(CONTRACT)
    .filter((file) => file !== 'README.md')
    .map((file) => Number(file.slice(0, 2))),
);

function citations(): { readonly file: string; readonly section: number }[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(tsx?|sql|css|md)$/.test(file) && !file.startsWith('docs/maintainers/contract'))
      .flatMap((file) =>
        [...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(CITATION)].flatMap(([, ...numbers]) =>
          numbers
            .filter((number) => number !== undefined)
            .map((number) => ({ file: `${folder}/${file}`, section: Number(number) })),
        ),
      ),
  );
}

test('every cited section has its file', () => {
  const all = citations();
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter(({ section }) => !sections.has(section))).toEqual([]);
});

test('sections are numbered without a gap, each file by its own heading', () => {
  expect([...sections].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: sections.size }, (_, at) => at + 1),
  );
  for (const file of readdirSync(CONTRACT).filter((name) => name !== 'README.md'))
    expect(readFileSync(join(CONTRACT, file), 'utf8')).toStartWith(`# ${Number(file.slice(0, 2))}. `);
});

test('internal links have a target, and the table of contents has every section', () => {
  const index = readFileSync(join(CONTRACT, 'README.md'), 'utf8');
  const linked = [...index.matchAll(/\]\((\d\d-[^)]+)\)/g)].map(([, file = '']) => file);
  expect([...new Set(linked)].toSorted()).toEqual(
    readdirSync(CONTRACT)
      .filter((file) => file !== 'README.md')
      .toSorted(),
  );
});
