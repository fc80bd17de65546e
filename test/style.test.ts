/** Holds the language of the sources to the rules of CONTRIBUTING ("How we write"), as far as a program can. */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { README, documents } from './support/documents.ts';
import { ROOT, sourcesUnder } from './support/sources.ts';

const sources = await sourcesUnder('src');
const code = [...sources, ...(await sourcesUnder('scripts')), ...(await sourcesUnder('test'))];

/** Returns the matching lines of some files as `file:line`. */
const linesOf = (files: readonly { readonly path: string }[], pattern: RegExp): string[] =>
  files.flatMap(({ path }) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
  );

const OPENING =
  /^\s*\/\*\* (Of|By|What|Whatever|Whether|Who|Whoever|Whose|Where|That|As|How|In whose|Nobody|Somebody)\b/;

test('a doc comment starts with a verb or with the noun that it defines', () => {
  expect(linesOf(code, OPENING)).toEqual([]);
});

const LINE_OPENING = /^\s*\/\/ (Of|By|What|Whatever|Whether|Who|Whoever|Where|That|As|How|In whose)\b/;

test('no comment of a line starts with a word that opens a fragment', () => {
  expect(linesOf(code, LINE_OPENING)).toEqual([]);
});

test('an object literal is written out, not spread to keep lines together', () => {
  const spread = linesOf(code, /^\s*\.\.\.\{ \w+[:,]/);
  expect(spread.filter((place) => !NEEDED_SPREADS.some((file) => place.startsWith(file)))).toEqual([]);
});

/** Files whose spreads the types need, or that are at the limit of lines. */
const NEEDED_SPREADS = [
  'test/catalogue/import/requests.test.ts',
  'test/dev/fault/rules.test.ts',
  'test/permissions/right-ended.test.ts',
  'test/remote/remotes.test.ts',
  'test/remote/wire.test.ts',
];

/** Files whose class, with a field for each of its many collaborators, would exceed the limit of lines. */
const WITH_PARTS = ['src/catalogue/import/runner.ts', 'src/catalogue/import/service.ts'];

test('no class keeps an argument of parts: it holds what it uses, or is a function', () => {
  const holders = linesOf(sources, /^\s*(readonly )?#\w+: \w*Parts(<.*>)?;$/);
  expect(holders.filter((place) => !WITH_PARTS.some((file) => place.startsWith(`${file}:`)))).toEqual([]);
});

/** Unidiomatic Portuguese: calques of English, and phrases of earlier texts. */
const ODD_PORTUGUESE =
  /mal[ \n]escrit|acreditad[oa]s?\b|se vai com el|serve à mão|só quem opera sabe|conta o que houve|(é|são) dit[oa]s? (ali|pelo nome|por nome)/;

test('no text for users has an odd phrase that a person would not say', async () => {
  const pages = (await documents()).filter(({ path }) => path !== README);
  expect(linesOf([...sources, ...pages], ODD_PORTUGUESE)).toEqual([]);
});

const BARE_NAME =
  /\b(const|let|function) (found|known|asked|told|made|shown|said|met|meant|there|here|left|since|gone|kept|given|taken|heard|seen|meanwhile|beside)\b/;

test('no declaration has a bare participle or adverb for a name', () => {
  expect(linesOf(code, BARE_NAME)).toEqual([]);
});

/** Files that read messages of a library, of the system's loader, and of the public service, which have no codes. */
const FOREIGN_MESSAGES = ['src/files/zip-members.ts', 'src/system/addon.ts', 'src/remote/run/wire-words.ts'];

test('no sentence is parsed: a problem has its label, its code and its subject as members', () => {
  const ours = code.filter(({ path }) => path.startsWith('src/') && !FOREIGN_MESSAGES.includes(path));
  const parsed =
    /\b(message|sentence|reason)\??\.(startsWith|endsWith|includes|indexOf|split|match)\(|\.(test|exec)\((\w+\.)*(message|sentence)\)/;
  expect(linesOf(ours, parsed)).toEqual([]);
});

const MAX_SUBJECT = 72;
const JUDGED_COMMITS = 50;

test('the subjects of the last commits have 72 characters at most, and none is a merge', () => {
  const log = Bun.spawnSync(['git', 'log', `-${JUDGED_COMMITS}`, '--format=%P|%s'], { cwd: ROOT });
  if (log.exitCode !== 0) return console.warn('SKIPPED: no history of git here');
  const commits = log.stdout.toString().trim().split('\n');
  expect(commits.filter((line) => line.slice(line.indexOf('|') + 1).length > MAX_SUBJECT)).toEqual([]);
  expect(commits.filter((line) => line.slice(0, line.indexOf('|')).includes(' '))).toEqual([]);
});
