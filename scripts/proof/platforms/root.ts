/** Root folders for programs that run in their own file system. */
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder of all emulation tools. */
export const TOOLS = join(existsSync('.tools') ? realpathSync('.tools') : resolve('.tools'), 'platforms');

/**
 * Own mounts with `$1` as the root; of this machine only the devices, the temporary folder, catp's folder and
 * our tools are visible.
 */
const ENTER = [
  'root=$1 one=$2 two=$3; shift 3',
  'for place in proc dev tmp; do mount --rbind "/$place" "$root/$place"; done',
  'for place in "$one" "$two"; do mkdir -p "$root$place"; mount --bind "$place" "$root$place"; done',
  'exec unshare --root="$root" --wd="$PWD" -- "$@"',
].join('; ');

const ownMounts = (): string => (process.getuid?.() === 0 ? 'unshare -m' : 'unshare -rm');

/** Returns the sh line that becomes `words` in that root, with `home` visible. */
export const entering = (root: string, home: string, words: readonly string[]): string =>
  `exec ${ownMounts()} sh -e -c '${ENTER}' sh ${[root, home, TOOLS, ...words].map((word) => `'${word}'`).join(' ')} "$@"`;

/** Throws when this system does not permit it. */
export function canEnter(root: string): void {
  for (const place of ['proc', 'dev', 'tmp', 'etc']) mkdirSync(join(root, place), { recursive: true });
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  const tried = Bun.spawnSync(['sh', '-c', `${ownMounts()} mount --rbind /dev '${root}/dev'`]);
  if (tried.exitCode !== 0)
    throw new Error(`este sistema não permite montagens próprias: ${tried.stderr.toString().trim()}`);
}

export function link(place: string, to: string): void {
  if (!existsSync(place)) symlinkSync(to, place);
}
