/** The modules that every start of `catp serve` loads: main.ts and its imports, except late ones. */
import { expect, test } from 'bun:test';
import { dirname, join, normalize } from 'node:path';
import { ROOT } from './support/sources.ts';

/** The build replaces this module by the bundled files. */
const REPLACED = 'src/web/serving/bundled.ts';

const loaded = await loadedFrom('src/main.ts', 'src/cli/serve.ts');

test('a command loads no server before it is chosen', async () => {
  const { files, packages } = await loadedFrom('src/main.ts');
  expect(files).not.toContain('src/cli/serve.ts');
  expect(files.length).toBeLessThan(60);
  expect(packages).not.toContain('elysia');
});

test('a start loads only the packages that every server uses', () => {
  expect(loaded.packages).toEqual([
    ...['@logtape/logtape', '@sinclair/typebox', 'better-sqlite3'],
    'bun:ffi', // built into the runtime: each executable loads its addon with it
    'bun:jsc', // built into the runtime too: measures the headers of each request
    ...['croner', 'fastest-levenshtein', 'lru-cache', 'memoirist', 'prom-client'],
  ]);
});

test('a start loads only cheap parts of the runtime', () => {
  expect(loaded.builtins).toEqual(['bun', 'node:fs', 'node:path']);
});

test('no module of a start reads `promises` of node:fs, which loads two more parts', async () => {
  for (const path of loaded.files)
    expect([path, /\bpromises\b.*from 'node:fs'/.test(await Bun.file(join(ROOT, path)).text())]).toEqual([
      path,
      false,
    ]);
});

test('a start of `catp serve` loads no other command, and no module of `catp dev` only', () => {
  const { files } = loaded;
  expect(files).toContain('src/cli/serve.ts');
  expect(
    files.filter((path) => /^src\/(cli\/(dev|openapi)|dev\/feature|demo\/seed)\.ts$/.test(path)),
  ).toEqual([]);
});

async function loadedFrom(...entries: string[]) {
  const [files, packages, builtins] = [new Set(entries), new Set<string>(), new Set<string>()];
  const transpiler = new Bun.Transpiler({ loader: 'ts' });
  // The iteration of a set includes elements that are added meanwhile.
  for (const path of files) {
    if (!path.endsWith('.ts') || path === REPLACED) continue;
    // The transpiler drops imports of types, which are not loaded.
    for (const { kind, path: target } of transpiler.scanImports(await Bun.file(join(ROOT, path)).text()))
      if (kind !== 'import-statement') continue;
      else if (target.startsWith('.')) files.add(normalize(join(dirname(path), target)));
      else if (/^node:|^bun$/.test(target)) builtins.add(target);
      else packages.add(packageOf(target));
  }
  return { files: [...files], packages: [...packages].sort(), builtins: [...builtins].sort() };
}

function packageOf(target: string): string {
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
