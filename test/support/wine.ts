/** The executable for Windows, run by Wine: a separate Windows in a folder, which runs until it is closed. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addonForWine, findWine, makePrefix } from '../../scripts/proof/platforms/wine.ts';
import { ROOT } from './sources.ts';

const EXECUTABLE = join(ROOT, 'dist', 'catp-windows-x64.exe');
const CONTROL_KEY = 'HKLM\\System\\CurrentControlSet\\Control';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Wine {
  /** A folder of this test, and its Windows path. */
  readonly folder: string;
  windowsPath(path: string): string;
  /** Runs `catp …words` in it to its end. */
  run(words: readonly string[]): Promise<Ran>;
  /** Runs a local file with its imports in the executable's runtime. */
  script(file: string, words?: readonly string[]): Promise<Ran>;
  close(): Promise<void>;
}

/** The reason for which the executable cannot run; `undefined` when it can. */
export const noWine: string | undefined = whyNot();

function whyNot(): string | undefined {
  try {
    findWine(ROOT, tmpdir());
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

export async function openWine(): Promise<Wine> {
  await built();
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'catp-wine-')));
  const prefix = join(folder, 'prefix');
  const wineInstallation = findWine(ROOT, prefix);
  const wine = ['sh', '-c', wineInstallation.wine, 'sh'];
  const wineserver = ['sh', '-c', wineInstallation.wineserver, 'sh'];
  const env = { PATH: process.env['PATH'] ?? '' };
  let runs = 0;
  // Output goes to files: other processes that Wine starts would keep a pipe open.
  const ran = async (words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Ran> => {
    const [out, err] = ['out', 'err'].map((name) => join(folder, `${(runs += 1)}.${name}`)) as [
      string,
      string,
    ];
    const code = await Bun.spawn([...wine, ...words], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', Bun.file(out), Bun.file(err)],
    }).exited;
    const read = async (path: string): Promise<string> =>
      (await Bun.file(path).text()).replaceAll('\r\n', '\n');
    return { code, stdout: await read(out), stderr: await read(err) };
  };
  const quietly = async (...words: readonly string[]): Promise<void> => {
    const { exited } = Bun.spawn([...words], { cwd: folder, env, stdio: ['ignore', 'ignore', 'ignore'] });
    if ((await exited) !== 0) throw new Error(`${words.slice(4).join(' ')} failed`);
  };
  makePrefix(wineInstallation, prefix);
  // Wine gives a service 10 s to answer, Windows 30; a busy machine needs more. Wine reads it at its next
  // start.
  await quietly(...wine, 'reg', 'add', CONTROL_KEY, '/v', 'ServicesPipeTimeout', '/d', '120000', '/f');
  await quietly(...wineserver, '--kill');
  await quietly(...wineserver, '--wait');
  addonForWine(EXECUTABLE, prefix);
  // Wine ends the services with the last program of a user, so this program waits for input that never
  // arrives.
  const awake = Bun.spawn([...wine, 'cmd'], { cwd: folder, env, stdio: ['pipe', 'ignore', 'ignore'] });
  return {
    folder,
    windowsPath: (path) => `Z:${path.replaceAll('/', '\\')}`,
    run: (words) => ran([EXECUTABLE, ...words]),
    script: (file, words = []) => ran([EXECUTABLE, file, ...words], { BUN_BE_BUN: '1' }),
    close: async () => {
      await awake.stdin.end();
      await awake.exited;
      await Bun.spawn([...wineserver, '--kill', '--wait'], { env, stdio: ['ignore', 'ignore', 'ignore'] })
        .exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function built(): Promise<void> {
  const build = Bun.spawn([join(ROOT, 'scripts/build'), '--target', 'windows-x64'], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  if ((await build.exited) !== 0) throw new Error('scripts/build --target windows-x64 failed');
}
