/** The file operations of a process in order, from strace, with every byte. */

/** The recorded system calls: all that change files or names, and all that send answers. */
const TRACED = [
  'openat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat',
  'pwrite64,pwritev,pwritev2,write,writev,sendto,sendmsg,ftruncate,fsync,fdatasync',
].join(',');
const LONGEST_WRITE_BYTES = 8 * 1024 * 1024;

/** Returns the strace prefix of a command: the command stays our child, and the tracer runs next to it. */
export const straceTo = (file: string): readonly string[] => [
  'strace',
  ...['-D', '-f', '--seccomp-bpf', '-y', '-xx', '-qq'],
  ...['-s', String(LONGEST_WRITE_BYTES), '-e', `trace=${TRACED}`, '-e', 'signal=none', '-o', file],
];

export type Call =
  | { readonly kind: 'write'; readonly path: string; readonly offset: number | 'end'; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'makeFolder'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly path: string }
  /** Bytes sent to a socket. */
  | { readonly kind: 'send'; readonly text: string };

/**
 * `began`, `ended`: positions in the order of all calls; equal unless a call of another thread came in
 * between.
 */
export type TracedCall = Call & { readonly began: number; readonly ended: number };

/** Not a file on a disk: the SQLite addon is loaded from one. */
const IN_MEMORY = '/memfd:';
const UNFINISHED = ' <unfinished ...>';
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/;

/** Reads the calls that succeeded, in the order in which they ended. Throws on an unknown form. */
export function* readTrace(text: string): Generator<TracedCall> {
  const begun = new Map<string, { readonly line: string; readonly at: number }>();
  let at = 0;
  for (const line of lines(text)) {
    const space = line.indexOf(' ');
    const thread = line.slice(0, space);
    const said = line.slice(space).trimStart();
    at += 1;
    if (said.endsWith(UNFINISHED)) {
      begun.set(thread, { line: said.slice(0, -UNFINISHED.length), at });
      continue;
    }
    const rest = said.startsWith('<... ') ? RESUMED.exec(said)?.[1] : undefined;
    const before = rest === undefined ? undefined : begun.get(thread);
    begun.delete(thread);
    const call = parseCall(before === undefined ? said : before.line + rest);
    if (call !== undefined) yield { ...call, began: before?.at ?? at, ended: at };
  }
}

/** `split` would hold hundreds of megabytes twice. */
function* lines(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
  }
}

function parseCall(said: string): Call | undefined {
  const open = said.indexOf('(');
  const equals = said.lastIndexOf(' = ');
  const result = Number.parseInt(said.slice(equals + 3), 10);
  if (open === -1 || equals === -1 || !(result >= 0)) return undefined;
  const name = said.slice(0, open);
  // strace aligns results: `fsync(3</f>)      = 0`.
  const given = said
    .slice(open + 1, equals)
    .trimEnd()
    .slice(0, -1);
  switch (name) {
    case 'openat':
      return given.includes('O_CREAT') ? { kind: 'create', path: quoted(given, 0) } : undefined;
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'makeFolder', path: quoted(given, 0) };
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { kind: 'rename', from: quoted(given, 0), to: quoted(given, 1) };
    case 'unlink':
    case 'unlinkat':
      return { kind: 'remove', path: quoted(given, 0) };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: fileOf(given) };
    case 'ftruncate':
      return { kind: 'truncate', path: fileOf(given), size: numbersAtEnd(given)[0] ?? 0 };
    default:
      return parseSend(name, given, result);
  }
}

function parseSend(name: string, given: string, result: number): Call | undefined {
  const path = fileOf(given);
  if (path.startsWith(IN_MEMORY)) return undefined;
  const bytes = Buffer.concat(strings(given)).subarray(0, result);
  if (path.startsWith('socket:') || path.startsWith('TCP'))
    return { kind: 'send', text: bytes.toString('latin1') };
  if (bytes.length !== result) throw new Error(`${name} of ${result} bytes shows ${bytes.length}`);
  const offset = name.startsWith('pwrite') ? (numbersAtEnd(given).at(-1) ?? 0) : 'end';
  return { kind: 'write', path, offset, bytes };
}

/** Returns the path that `-y` prints after the first descriptor. */
function fileOf(given: string): string {
  const from = given.indexOf('<');
  return decoded(given.slice(from + 1, given.indexOf('>', from)));
}

const quoted = (given: string, index: number): string => strings(given)[index]?.toString('utf8') ?? '';

function strings(given: string): Buffer[] {
  return [...given.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => fromHex(hex));
}

const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

const decoded = (text: string): string => (text.startsWith('\\x') ? fromHex(text).toString('utf8') : text);

/** Returns the numbers after the last string or path: `…, 4096, 0`. */
function numbersAtEnd(given: string): number[] {
  const tail = given.slice(
    Math.max(given.lastIndexOf('"'), given.lastIndexOf('>'), given.lastIndexOf(']')) + 1,
  );
  return tail
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^-?\d+$/.test(part))
    .map(Number);
}
