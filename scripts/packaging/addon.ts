/**
 * SQLite's addon for Linux, built from the source in its package by `zig c++`: the prebuilt one requires
 * glibc 2.34 and a libstdc++ of that age, this one requires glibc 2.17 and no libstdc++. Same SQLite, same
 * options, and `fdatasync`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { $ } from 'bun';
import { version } from 'better-sqlite3/package.json';

const ZIG = '.tools/zig/bin/python';
const BUILT = '.tools/addon';
const PACKAGE = 'node_modules/better-sqlite3';
const SQLITE = `${PACKAGE}/deps/sqlite3`;
const HOSTS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-linux-gnu.2.17',
  'linux-arm64': 'aarch64-linux-gnu.2.17',
};
/** The options of the package's own `binding.gyp` and `deps/*.gypi`. */
const BOTH = ['-O3', '-DNDEBUG', '-fPIC', '-w', `-I${SQLITE}`];
const OF_C = ['-std=c99', '-DHAVE_FDATASYNC=1'];
const OF_CPP = [
  ...['-Inode_modules/node-api-headers/include', '-Inode_modules/node-addon-api'],
  ...['-std=c++20', '-fvisibility=hidden', '-fvisibility-inlines-hidden', '-shared', '-s', '-Wl,-Bsymbolic'],
  ...['-DNAPI_VERSION=10', '-DNAPI_DISABLE_CPP_EXCEPTIONS', '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
];

/** Returns the path of the addon for a target of `scripts/package`: built, or that of the package. */
export const addonFor = async (target: string): Promise<string> =>
  (await builtAddon(target)) ?? join(PACKAGE, 'prebuilds', `${target.replace('windows', 'win32')}.node`);

/**
 * Returns the path of the addon for `target`, built when it is missing; `undefined` when the package's own is
 * used. Throws when zig is missing.
 */
export async function builtAddon(target: string): Promise<string | undefined> {
  const host = HOSTS[target];
  if (host === undefined) return undefined;
  if (!existsSync(ZIG))
    throw new Error(`falta ${ZIG}: scripts/package o instala (pede Python 3 com venv e pip).`);
  const options = sqliteOptions();
  const zig = (await $`${ZIG} -m ziglang version`.text()).trim();
  const digest = createHash('sha256')
    .update(JSON.stringify([version, zig, host, BOTH, OF_C, OF_CPP, options]))
    .digest('hex')
    .slice(0, 16);
  const file = join(BUILT, digest, `${target}.node`);
  if (!existsSync(file)) await build(host, options, file);
  return file;
}

/** Returns the compile-time options of the package's SQLite. */
function sqliteOptions(): readonly string[] {
  const text = readFileSync(`${PACKAGE}/deps/defines.gypi`, 'utf8');
  return [...text.matchAll(/^ {4}'([\w=-]+)',$/gm)].map(([, option]) => `-D${option}`);
}

/** Builds next to the final path and renames: no process sees a partial file. */
async function build(host: string, options: readonly string[], file: string): Promise<void> {
  const folder = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  const object = join(folder, 'sqlite3.o');
  const addon = join(folder, 'addon.node');
  const cache = { ...process.env, ZIG_GLOBAL_CACHE_DIR: join(folder, 'cache') };
  try {
    await $`${ZIG} -m ziglang cc -target ${host} ${BOTH} ${OF_C} ${options} -c ${SQLITE}/sqlite3.c -o ${object}`
      .env(cache)
      .quiet();
    await $`${ZIG} -m ziglang c++ -target ${host} ${BOTH} ${OF_CPP} ${PACKAGE}/src/better_sqlite3.cpp ${object} -o ${addon}`
      .env(cache)
      .quiet();
    renameSync(addon, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
