/**
 * The SQLite addon inside the executable, loaded from memory: the runtime would unpack it into the temporary folder, which
 * hardened servers mount without the right to execute, or do not have at all. Only the executable comes here; from the
 * sources the package loads its own.
 */
import { closeSync, readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { dlopen, ptr } from 'bun:ffi';
import { UnfitSystem } from './errors.ts';

/** Of Linux: `memfd_create`, which old C libraries have no name for, and its flag: closed in whatever is started. */
const MEMFD_CREATE = { x64: 319, arm64: 279 } as const;
const MFD_CLOEXEC = 1;
const NAME = 'catp-sqlite';
/** Of glibc, then of musl. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/** What the addon in `file` exports; from memory on Linux where the system can, else as the runtime does it. */
export function addonFrom(file: string): object {
  const loaded = { exports: {} };
  const inMemory = process.platform === 'linux' ? memoryFile(file) : undefined;
  try {
    process.dlopen(loaded, inMemory === undefined ? file : `/proc/self/fd/${inMemory}`);
  } catch (error) {
    if (asksForNewer(error)) throw new UnfitSystem(TOO_OLD);
    throw error;
  }
  return loaded.exports;
}

/** As glibc's loader says that it, or the library of C++, is not as new as what was built against it. */
const asksForNewer = (error: unknown): boolean =>
  error instanceof Error && /version `GLIBC|libstdc\+\+\.so\.6: cannot open/.test(error.message);
const TOO_OLD =
  'Este catp foi compilado para um Linux mais novo: pede a glibc 2.34 e a libstdc++. Use o executável dos pacotes (scripts/package), que pede só a glibc 2.28.';

/**
 * One a process, for its workers too: two SQLites in one process would take each other's locks away. A worker begins only
 * when the main thread has it.
 */
function memoryFile(file: string): number | undefined {
  const there = alreadyThere();
  if (there !== undefined) return there;
  const made = memfdCreate();
  if (made === undefined) return undefined;
  try {
    const bytes = readFileSync(file);
    for (let at = 0; at < bytes.length;) at += writeSync(made, bytes, at);
    return made;
  } catch {
    closeSync(made); // too little memory for it there: the runtime's own way says what is wrong
    return undefined;
  }
}

function alreadyThere(): number | undefined {
  try {
    const all = readdirSync('/proc/self/fd');
    const one = all.find((fd) => targetOf(fd)?.startsWith(`/memfd:${NAME}`));
    return one === undefined ? undefined : Number(one);
  } catch {
    return undefined; // no /proc
  }
}

function targetOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined; // the one of the listing itself is closed by now
  }
}

function memfdCreate(): number | undefined {
  const number = MEMFD_CREATE[process.arch as keyof typeof MEMFD_CREATE];
  if (number === undefined) return undefined;
  const name = Buffer.from(`${NAME}\0`);
  for (const library of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { syscall: { args: ['i64', 'ptr', 'u32'], returns: 'i32' } });
      const made = symbols.syscall(BigInt(number), ptr(name), MFD_CLOEXEC);
      return made < 0 ? undefined : made;
    } catch {
      // Another C library.
    }
  }
  return undefined;
}
