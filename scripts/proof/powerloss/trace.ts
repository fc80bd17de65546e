/** Reads the file operations of a process from the output of strace, in order, with every byte. */

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

/** Path of a file in memory. The SQLite addon is loaded from one. */
const IN_MEMORY = '/memfd:';
const UNFINISHED = ' <unfinished ...>';
const RESUMED = /^<\.\.\. \w+ resumed>(.*)$/;

/** Reads the calls that succeeded, in the order in which they ended. Throws on an unknown form. */
export function* readTrace(text: string): Generator<TracedCall> {
  const unfinished = new Map<string, { readonly line: string; readonly at: number }>();
  let at = 0;
  for (const line of lines(text)) {
    const space = line.indexOf(' ');
    const thread = line.slice(0, space);
    const call = line.slice(space).trimStart();
    at += 1;
    if (call.endsWith(UNFINISHED)) {
      unfinished.set(thread, { line: call.slice(0, -UNFINISHED.length), at });
      continue;
    }
    const rest = call.startsWith('<... ') ? RESUMED.exec(call)?.[1] : undefined;
    const before = rest === undefined ? undefined : unfinished.get(thread);
    unfinished.delete(thread);
    const parsed = parseCall(before === undefined ? call : before.line + rest);
    if (parsed !== undefined) yield { ...parsed, began: before?.at ?? at, ended: at };
  }
}

/** Yields the lines one by one, because `split` would hold hundreds of megabytes twice. */
function* lines(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    yield text.slice(from, end === -1 ? text.length : end);
    from = end === -1 ? text.length : end + 1;
  }
}

function parseCall(call: string): Call | undefined {
  const open = call.indexOf('(');
  const equals = call.lastIndexOf(' = ');
  const result = Number.parseInt(call.slice(equals + 3), 10);
  if (open === -1 || equals === -1 || !(result >= 0)) return undefined;
  const name = call.slice(0, open);
  // strace aligns results: `fsync(3</f>)      = 0`.
  const parameters = call
    .slice(open + 1, equals)
    .trimEnd()
    .slice(0, -1);
  switch (name) {
    case 'openat':
      return parameters.includes('O_CREAT') ? { kind: 'create', path: quoted(parameters, 0) } : undefined;
    case 'mkdir':
    case 'mkdirat':
      return { kind: 'makeFolder', path: quoted(parameters, 0) };
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return { kind: 'rename', from: quoted(parameters, 0), to: quoted(parameters, 1) };
    case 'unlink':
    case 'unlinkat':
      return { kind: 'remove', path: quoted(parameters, 0) };
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', path: fileOf(parameters) };
    case 'ftruncate':
      return { kind: 'truncate', path: fileOf(parameters), size: numbersAtEnd(parameters)[0] ?? 0 };
    default:
      return parseSend(name, parameters, result);
  }
}

function parseSend(name: string, parameters: string, result: number): Call | undefined {
  const path = fileOf(parameters);
  if (path.startsWith(IN_MEMORY)) return undefined;
  const bytes = Buffer.concat(strings(parameters)).subarray(0, result);
  if (path.startsWith('socket:') || path.startsWith('TCP'))
    return { kind: 'send', text: bytes.toString('latin1') };
  if (bytes.length !== result) throw new Error(`${name} of ${result} bytes shows ${bytes.length}`);
  const offset = name.startsWith('pwrite') ? (numbersAtEnd(parameters).at(-1) ?? 0) : 'end';
  return { kind: 'write', path, offset, bytes };
}

/** Returns the path that `-y` prints after the first descriptor. */
function fileOf(parameters: string): string {
  const from = parameters.indexOf('<');
  return decoded(parameters.slice(from + 1, parameters.indexOf('>', from)));
}

const quoted = (parameters: string, index: number): string =>
  strings(parameters)[index]?.toString('utf8') ?? '';

function strings(parameters: string): Buffer[] {
  return [...parameters.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => fromHex(hex));
}

const fromHex = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

const decoded = (text: string): string => (text.startsWith('\\x') ? fromHex(text).toString('utf8') : text);

/** Returns the numbers after the last string or path: `…, 4096, 0`. */
function numbersAtEnd(parameters: string): number[] {
  const tail = parameters.slice(
    Math.max(parameters.lastIndexOf('"'), parameters.lastIndexOf('>'), parameters.lastIndexOf(']')) + 1,
  );
  return tail
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^-?\d+$/.test(part))
    .map(Number);
}
