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

/** Recognises programs for arm64 by their first bytes, and the mask of the bytes that decide. */
const ARM64_BYTES = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const ARM64_MASK = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/**
 * A user namespace of its own, whose kernel starts programs for arm64 with that emulator, as binfmt_misc does
 * for a whole machine. `$1` is a folder for the mount, `$2` the emulator. This machine does not change. A
 * program can start others only in this way: an emulator alone passes them to the kernel, which refuses them.
 */
const EMULATE = [
  'mount -t binfmt_misc binfmt_misc "$1"',
  `printf %s ":arm64:M::${ARM64_BYTES}:${ARM64_MASK}:$2:F" >"$1/register"`,
  'shift 2',
  'exec "$@"',
].join('; ');

/** Returns the sh line that becomes that program for arm64. `folder`: an empty folder. */
export const emulating = (folder: string, emulator: string, words: readonly string[]): string =>
  `exec unshare -rm sh -e -c '${EMULATE}' sh ${[folder, emulator, ...words].map((word) => `'${word}'`).join(' ')} "$@"`;

/** Throws when this system does not permit it. */
export function canEmulate(folder: string, emulator: string): void {
  mkdirSync(folder, { recursive: true });
  const tried = Bun.spawnSync(['sh', '-c', emulating(folder, emulator, ['true'])]);
  if (tried.exitCode !== 0)
    throw new Error(
      `este sistema não permite um binfmt_misc próprio (pede Linux 6.7): ${tried.stderr.toString().trim().split('\n')[0]}`,
    );
}

export function link(place: string, to: string): void {
  if (!existsSync(place)) symlinkSync(to, place);
}
