/**
 * Loads the SQLite addon of the executable from memory. The runtime would unpack it into the temporary
 * folder, which hardened servers mount without execute permission or do not have at all. Only the executable
 * uses this; from the sources, the package loads its own addon.
 */
import { closeSync, readFileSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { dlopen, ptr } from 'bun:ffi';
import { UnfitSystem } from './errors.ts';

/** Linux numbers of `memfd_create`, which old C libraries do not export. The flag closes the file on exec. */
const MEMFD_CREATE = { x64: 319, arm64: 279 } as const;
const MFD_CLOEXEC = 1;
const NAME = 'catp-sqlite';
/** The C libraries of glibc and musl. */
const C_LIBRARIES = ['libc.so.6', 'libc.musl-x86_64.so.1', 'libc.musl-aarch64.so.1'];

/**
 * Returns the exports of the addon in `file`: loaded from memory on Linux when possible, else by the runtime.
 */
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

/** Recognises the loader error of a glibc, or a C++ library, that is older than the addon requires. */
const asksForNewer = (error: unknown): boolean =>
  error instanceof Error && /version `GLIBC|libstdc\+\+\.so\.6: cannot open/.test(error.message);
const TOO_OLD =
  'Este catp foi compilado para um Linux mais novo: pede a glibc 2.34 e a libstdc++. Use o executável dos pacotes (scripts/package), que pede só a glibc 2.28.';

/**
 * Creates one memory file per process, shared with its workers: two SQLite copies in one process would
 * release each other's locks. A worker starts only after the main thread has loaded it.
 */
function memoryFile(file: string): number | undefined {
  const loaded = alreadyThere();
  if (loaded !== undefined) return loaded;
  const handle = memfdCreate();
  if (handle === undefined) return undefined;
  try {
    const bytes = readFileSync(file);
    for (let offset = 0; offset < bytes.length;) offset += writeSync(handle, bytes, offset);
    return handle;
  } catch {
    closeSync(handle); // too little memory: the runtime's own loader reports the cause
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
    return undefined; // the descriptor of the listing itself is already closed
  }
}

function memfdCreate(): number | undefined {
  const number = MEMFD_CREATE[process.arch as keyof typeof MEMFD_CREATE];
  if (number === undefined) return undefined;
  const name = Buffer.from(`${NAME}\0`);
  for (const library of C_LIBRARIES) {
    try {
      const { symbols } = dlopen(library, { syscall: { args: ['i64', 'ptr', 'u32'], returns: 'i32' } });
      const handle = symbols.syscall(BigInt(number), ptr(name), MFD_CLOEXEC);
      return handle < 0 ? undefined : handle;
    } catch {
      // Another C library.
    }
  }
  return undefined;
}
