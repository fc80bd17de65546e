/**
 * Windows through Wine: this machine's own when it is new enough, otherwise one unpacked into its own root.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unpack } from './debian.ts';
import { TOOLS, canEnter, entering, link } from './root.ts';

const UNPACKED = join(TOOLS, 'wine');
/** Wine's prefix: the folder of its simulated computer. */
const PREFIX = join(TOOLS, 'prefix');
const DLLS = 'usr/lib/x86_64-linux-gnu/wine/x86_64-windows';
const OF_WINE = 'Wine builtin DLL'.padEnd(32, '\0');
/** Position of Wine's mark: after the DOS header, in place of the DOS program, which never runs. */
const AFTER_HEADER = 64;
const BOOTED_WITHIN_MS = 180_000;
/**
 * Oldest usable version of Wine: older ones lack a library that the runtime imports (bcryptprimitives.dll).
 */
const OLDEST = 10;

/** Lines of sh that start the programs of Wine with their arguments. */
interface Wine {
  readonly wine: string;
  readonly wineserver: string;
}

/**
 * Returns the available Wine with that prefix; it can read `home`. Throws a one-line reason when Wine is
 * missing.
 */
export function findWine(home: string, prefix: string): Wine {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('it takes Linux on x64');
  // Suppresses offers to download a browser and .NET.
  const quiet = "WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='";
  const computer = `export ${quiet} WINEPREFIX='${prefix}' HOME='${prefix}' XDG_RUNTIME_DIR='${prefix}' USER=catp; `;
  if (versionInPath() >= OLDEST)
    return { wine: `${computer}exec wine "$@"`, wineserver: `${computer}exec wineserver "$@"` };
  if (!existsSync(join(UNPACKED, '.unpacked')))
    throw new Error(`it takes Wine ${OLDEST} or newer, in PATH or brought by scripts/platforms --tools`);
  canEnter(UNPACKED);
  const line = (program: string): string =>
    `${computer}export WINESERVER=/usr/lib/wine/wineserver64; ${entering(UNPACKED, home, [`/usr/lib/wine/${program}`])}`;
  return { wine: line('wine64'), wineserver: line('wineserver64') };
}

function versionInPath(): number {
  if (Bun.which('wine') === null) return 0;
  const output = Bun.spawnSync(['wine', '--version'], { stderr: 'ignore' }).stdout.toString();
  return Number(/^wine-(\d+)/.exec(output)?.[1] ?? 0);
}

/**
 * Unpacks Wine when it is missing, completely or not at all. Without all of its libraries it restarts its
 * desktop again and again.
 */
export function wineTools(): void {
  if (versionInPath() < OLDEST) {
    unpack({ folder: UNPACKED, suite: 'trixie', architecture: 'amd64', packages: ['wine64'], whole: true });
    for (const name of ['lib', 'lib64']) link(join(UNPACKED, name), `usr/${name}`);
    asItsOwn('usr/x86_64-w64-mingw32/lib/zlib1.dll');
  }
  const mark = join(PREFIX, '.made');
  if (existsSync(mark)) return;
  rmSync(PREFIX, { recursive: true, force: true });
  makePrefix(findWine(TOOLS, PREFIX), PREFIX);
  writeFileSync(mark, '');
}

/** Marks a library of another package as Wine's own: Wine loads only marked ones from its own folder. */
function asItsOwn(library: string): void {
  const bytes = readFileSync(join(UNPACKED, library));
  bytes.write(OF_WINE, AFTER_HEADER, 'latin1');
  writeFileSync(join(UNPACKED, DLLS, basename(library)), bytes);
}

export function makePrefix({ wine }: Wine, prefix: string): void {
  mkdirSync(prefix, { recursive: true });
  const { exitCode } = Bun.spawnSync(['sh', '-c', wine, 'sh', 'wineboot', '--init'], {
    cwd: prefix, // its own root has this folder, and not the one of this process where .tools is a link
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: BOOTED_WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  if (exitCode !== 0)
    throw new Error(`o Wine não pôde fazer seu ambiente (wineboot terminou com ${exitCode})`);
}

/** Returns the sh line that becomes that Windows program. */
export const inWine = (home: string, program: string): string =>
  `set -- '${program}' "$@"; ${findWine(home, PREFIX).wine}`;

/**
 * Puts the addon where the runtime looks first: otherwise it would unpack it with a rename that Wine does not
 * support.
 */
export function addonForWine(executable: string, prefix = PREFIX): void {
  const [name] = /sqlite-\w+\.node/.exec(readFileSync(executable, 'latin1')) ?? [];
  if (name === undefined) throw new Error(`${executable} não tem o SQLite dentro`);
  const drive = join(prefix, 'drive_b');
  mkdirSync(join(drive, '~BUN/root'), { recursive: true });
  link(join(prefix, 'dosdevices/b:'), '../drive_b');
  cpSync('node_modules/better-sqlite3/prebuilds/win32-x64.node', join(drive, '~BUN/root', name));
}
