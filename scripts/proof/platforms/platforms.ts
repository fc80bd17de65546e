/** Each platform that a Linux x64 can emulate: its requirements, and the script that starts a catp on it. */
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { builtAddon } from '../../packaging/addon.ts';
import { unpack } from './debian.ts';
import { TOOLS, canEmulate, canEnter, emulating, entering, link } from './root.ts';
import { addonForWine, inWine, wineTools } from './wine.ts';

const BUILT = resolve('dist/platforms');
/** A small PyPI package that carries the libstdc++ of its musl, which Debian lacks. */
const MUSL_CARRIER = 'greenlet==3.5.6';
const PYTHON = '.tools/zig/bin/python';

/**
 * Requirements of a story: files written by a relative path; a notification answered within the 3.5 s of the
 * specification.
 */
export type Capability = 'relative paths' | 'deadline';

export interface Platform {
  readonly name: string;
  readonly title: string;
  /** The kind of emulation, for people. */
  readonly way: string;
  /** The target name in scripts/build.ts. */
  readonly target: string;
  /** The factor by which everything takes longer. */
  readonly slowness?: number;
  /** Stories with this requirement are skipped. */
  readonly lacks?: { readonly what: Capability; readonly why: string };
  /** Fetches the tools. Throws a one-line reason when they are unavailable. */
  tools(): Promise<void>;
  /** The stop signal, when it is not SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Prepares a newly built executable. */
  built?(executable: string): void;
  /** Returns the sh line that becomes that catp: signals go to it alone. */
  command(executable: string): string;
}

const QEMU = join(TOOLS, 'qemu');
const EMULATOR = join(QEMU, 'usr/bin/qemu-aarch64');
const BINFMT = join(TOOLS, 'binfmt');
const ARM64 = join(TOOLS, 'arm64');
const GLIBC = join(TOOLS, 'glibc');
const MUSL = join(TOOLS, 'musl');

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'arm64',
    title: 'Linux arm64',
    way: 'qemu-aarch64 10, glibc 2.41 do Debian 13',
    target: 'linux-arm64',
    slowness: 10,
    lacks: {
      what: 'deadline',
      why: 'o receptor fica de fora, pois o processador emulado não responde nos 3,5 s',
    },
    tools: async () => {
      unpack({ folder: QEMU, suite: 'trixie', architecture: 'amd64', packages: ['qemu-user'] });
      unpack({ folder: ARM64, suite: 'trixie', architecture: 'arm64', packages: ['libc6', 'libgcc-s1'] });
      link(join(ARM64, 'lib'), 'usr/lib');
      canEmulate(BINFMT, EMULATOR);
      await builtAddon('linux-arm64');
    },
    command: (executable) => `export QEMU_LD_PREFIX='${ARM64}'; ${emulating(BINFMT, EMULATOR, [executable])}`,
  },
  {
    name: 'glibc',
    title: 'Linux x64, glibc 2.31',
    way: 'raiz própria com a glibc do Debian 11',
    target: 'linux-x64',
    tools: async () => {
      unpack({ folder: GLIBC, suite: 'bullseye', architecture: 'amd64', packages: ['libc6'] });
      canEnter(GLIBC);
      await builtAddon('linux-x64');
    },
    command: (executable) => entering(GLIBC, dirname(executable), [executable]),
  },
  {
    name: 'musl',
    title: 'Linux x64, musl 1.2.5',
    way: 'raiz própria com a musl do Debian 13 e a libstdc++ de um pacote musllinux',
    target: 'linux-x64-musl-baseline',
    tools: async () => {
      unpack({ folder: MUSL, suite: 'trixie', architecture: 'amd64', packages: ['musl'] });
      link(join(MUSL, 'lib'), 'usr/lib');
      const libraries = join(MUSL, 'usr/lib/x86_64-linux-musl');
      link(join(libraries, 'libc.musl-x86_64.so.1'), 'libc.so');
      muslLibraries(libraries);
      canEnter(MUSL);
    },
    command: (executable) => entering(MUSL, dirname(executable), [executable]),
  },
  {
    name: 'windows',
    title: 'Windows x64',
    way: 'Wine 10; Ctrl+C no lugar de SIGTERM',
    target: 'windows-x64-baseline',
    stopSignal: 'SIGINT',
    slowness: 3,
    lacks: {
      what: 'relative paths',
      why: 'as que gravam por um caminho relativo ficam de fora, pois o Wine não os abre',
    },
    tools: async () => wineTools(),
    built: addonForWine,
    command: (executable) => inWine(dirname(executable), executable),
  },
];

/** Builds that catp and writes its launcher. Returns the path of the launcher. */
export async function launcherOf(platform: Platform): Promise<string> {
  mkdirSync(BUILT, { recursive: true });
  // Windows finds only programs whose name ends so.
  const executable = join(
    BUILT,
    `catp-${platform.name}${platform.target.startsWith('windows') ? '.exe' : ''}`,
  );
  const addon = await builtAddon(platform.target);
  const words = [
    '--target',
    platform.target,
    '--outfile',
    executable,
    ...(addon === undefined ? [] : ['--addon', addon]),
  ];
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'run', 'scripts/build.ts', ...words]);
  if (exitCode !== 0) throw new Error(`a compilação terminou com ${exitCode}: ${stderr.toString().trim()}`);
  platform.built?.(executable);
  const launcher = join(BUILT, platform.name);
  writeFileSync(launcher, `#!/bin/sh\n${platform.command(executable)}\n`);
  chmodSync(launcher, 0o755);
  return launcher;
}

/** Unpacks `libstdc++.so.6` and the `libgcc_s` that it requires, which the carrier has renamed. */
function muslLibraries(place: string): void {
  if (existsSync(join(place, 'libstdc++.so.6'))) return;
  if (!existsSync(PYTHON)) throw new Error('falta Python 3 com venv e pip');
  const folder = join(TOOLS, 'carrier');
  rmSync(folder, { recursive: true, force: true });
  const which = [
    '--platform',
    'musllinux_1_2_x86_64',
    '--python-version',
    '3.12',
    '--only-binary=:all:',
    '--no-deps',
  ];
  python('-m', 'pip', 'download', '-q', '--disable-pip-version-check', ...which, '-d', folder, MUSL_CARRIER);
  for (const wheel of readdirSync(folder)) python('-m', 'zipfile', '-e', join(folder, wheel), folder);
  const libraries = join(folder, 'greenlet.libs');
  for (const name of readdirSync(libraries)) {
    cpSync(join(libraries, name), join(place, name));
    link(join(place, `${basename(name).replace(/-.*/, '')}.so.${name.startsWith('libgcc') ? 1 : 6}`), name);
  }
  rmSync(folder, { recursive: true });
}

function python(...words: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([PYTHON, ...words]);
  if (exitCode !== 0) throw new Error(`python ${words[1]}: ${stderr.toString().trim().split('\n')[0]}`);
}
