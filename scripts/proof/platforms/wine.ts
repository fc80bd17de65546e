/** Windows by Wine: its root with all that it depends on, and a prefix, which is its idea of a computer. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpack } from './debian.ts';
import { TOOLS, canEnter, entering, link } from './root.ts';

const WINE = join(TOOLS, 'wine');
const PREFIX = join(TOOLS, 'prefix');
const DLLS = 'usr/lib/x86_64-linux-gnu/wine/x86_64-windows';
const BOOTED_WITHIN_MS = 180_000;
const ENVIRONMENT = [
  `WINEPREFIX='${PREFIX}' WINESERVER=/usr/lib/wine/wineserver64 WINEDEBUG=-all`,
  `HOME='${PREFIX}' USER=catp XDG_RUNTIME_DIR='${PREFIX}'`,
].join(' ');

/** One without all of its libraries starts its desktop again and again: whole, or not at all. */
export function wineTools(): void {
  unpack({ folder: WINE, suite: 'trixie', architecture: 'amd64', packages: ['wine64'], whole: true });
  for (const name of ['lib', 'lib64']) link(join(WINE, name), `usr/${name}`);
  // Debian leaves the link to it to a script of its package.
  cpSync(join(WINE, 'usr/x86_64-w64-mingw32/lib/zlib1.dll'), join(WINE, DLLS, 'zlib1.dll'));
  canEnter(WINE);
  const mark = join(PREFIX, '.made');
  if (existsSync(mark)) return;
  rmSync(PREFIX, { recursive: true, force: true });
  mkdirSync(PREFIX, { recursive: true });
  const { exitCode } = Bun.spawnSync(['sh', '-c', inWine(TOOLS, 'wineboot'), 'sh', '--init'], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
    timeout: BOOTED_WITHIN_MS,
    killSignal: 'SIGKILL',
  });
  // It ends badly for want of its 32 bits, which nobody asks for.
  if (!existsSync(join(PREFIX, 'drive_c/windows/system32/kernel32.dll')))
    throw new Error(`o Wine não pôde fazer seu ambiente (wineboot terminou com ${exitCode})`);
  writeFileSync(mark, '');
}

/** The line of sh that becomes that program of Windows. */
export const inWine = (home: string, program: string): string =>
  `export ${ENVIRONMENT}; ${entering(WINE, home, ['/usr/lib/wine/wine64', program])}`;

/** Where the runtime looks for the addon first: it would unpack it by a rename that Wine has none of. */
export function addonForWine(executable: string): void {
  const [name] = /win32-x64-\w+\.node/.exec(readFileSync(executable, 'latin1')) ?? [];
  if (name === undefined) throw new Error(`${executable} não tem o SQLite dentro`);
  const drive = join(PREFIX, 'drive_b');
  mkdirSync(join(drive, '~BUN/root'), { recursive: true });
  link(join(PREFIX, 'dosdevices/b:'), '../drive_b');
  cpSync('node_modules/better-sqlite3/prebuilds/win32-x64.node', join(drive, '~BUN/root', name));
}
