/** Holds architecture.md and decisions.md to their sizes, and the architecture to the folders and files that exist. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

const FOLDER = 'src/docs/maintainers';
const KIB = 1024;
const SIZE_LIMITS = [
  ['architecture.md', 12 * KIB],
  ['decisions.md', 25 * KIB],
] as const;

test.each(SIZE_LIMITS)('%s is at most %d bytes long', async (name, limit) => {
  const size = Buffer.byteLength(await Bun.file(join(ROOT, FOLDER, name)).text());
  expect(size).toBeGreaterThan(0);
  expect(size).toBeLessThanOrEqual(limit);
});

test('the architecture names only folders and files that exist, and every folder of src', async () => {
  const text = await Bun.file(join(ROOT, FOLDER, 'architecture.md')).text();
  const [, tree = ''] = /```\n(src\/\n[^]*?)```/.exec(text) ?? [];
  const paths = (await Promise.all(['src', 'test', 'migrations', 'scripts'].map(filesUnder))).flat();
  const folders = new Set(paths.flatMap((path) => path.split('/').slice(0, -1)));
  const names = new Set(paths.map((path) => path.split('/').at(-1)));
  const rooms = [...tree.matchAll(/(?<![\w/])([\w-]+)\/(?=\s)/g)].map(([, room = '']) => room);
  const files = [...tree.matchAll(/[\w-]+\.ts\b/g)].map(([file]) => file);
  expect([rooms.length > 20, files.length > 5]).toEqual([true, true]);
  expect(rooms.filter((room) => !folders.has(room))).toEqual([]);
  expect(files.filter((file) => !names.has(file))).toEqual([]);
  const citedFiles = [...text.matchAll(/`(src\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  expect(citedFiles.length).toBeGreaterThan(8);
  expect(citedFiles.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  // The tree lists every file and folder of `src` itself, and every folder of the two large ones.
  const steps = paths.filter((path) => path.startsWith('src/')).map((path) => path.split('/'));
  const first = steps.map(([, name = '']) => name);
  const second = steps
    .filter(([, name = '', , file]) => ['catalogue', 'notification'].includes(name) && file !== undefined)
    .map(([, , room = '']) => `${room}/`);
  expect(new Set(second).size).toBeGreaterThan(10);
  expect([...new Set([...first, ...second])].filter((name) => !tree.includes(name))).toEqual([]);
});

async function filesUnder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of new Bun.Glob(`${folder}/**/*`).scan({ cwd: ROOT })) paths.push(path);
  return paths;
}
