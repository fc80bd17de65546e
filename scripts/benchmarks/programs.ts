/** The measured programs: dist/catp and the bare servers, each in its own process. */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { startProcess } from '../starter.ts';
import { openAuthenticated, type Tokens } from './session.ts';

export const ROOT = dirname(dirname(import.meta.dir));
const BASELINES = join(import.meta.dir, 'baselines');
/** Number of characters kept of the output. A server may log for hours, and the end explains its failure. */
const KEPT_CHARACTERS = 64 * 1024;
const READY = /pronto em (https?:\/\/\S+)/;

export interface Program {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server with the users of `catp dev`. */
export interface Catp extends Program {
  signIn(user: string): Promise<Tokens>;
}

/**
 * A copy of the executable from the start of the bench: a build during the run does not change the measured
 * program.
 */
let frozen: string | undefined;

export function executable(): string {
  if (frozen !== undefined) return frozen;
  const folder = join(tmpdir(), 'catp-bench', 'bin');
  mkdirSync(folder, { recursive: true });
  frozen = join(folder, `catp-${process.pid}`);
  copyFileSync(join(ROOT, 'dist', 'catp'), frozen);
  return frozen;
}

/**
 * Returns the command of a production instance: a development instance keeps a journal and writes a line for
 * each request.
 */
export const serveCommand = (data: string, port: number): string[] => [
  ...[executable(), 'serve', '--port', String(port), '--data', data, '--set', 'log.nivel=warning'],
];

/** Starts a server on `data`, which is created when it is missing. */
export async function startCatp(data: string, more: readonly string[] = []): Promise<Catp> {
  if (!existsSync(data)) await makeFolder(data);
  const program = await start([...serveCommand(data, 0), ...more]);
  return { ...program, signIn: (user) => openAuthenticated(program.url, user) };
}

/** Creates a folder with the users of `catp dev` and `products` products, or that number for each client. */
export async function makeFolder(folder: string, products = 0, clients = 0): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, 'run', join(import.meta.dir, 'seed.ts'), folder, String(products), String(clients)],
    { stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
  );
  if ((await child.exited) !== 0) throw new Error('seed.ts failed');
}

/** Runs `baselines/NAME.ts`. */
export const baselineCommand = (name: string, args: readonly string[] = []): string[] => [
  ...[process.execPath, 'run', join(BASELINES, `${name}.ts`), ...args],
];

export const startBaseline = (
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> => start(baselineCommand(name, args), env);

export const startExecutable = (
  file: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> => start([file, ...args], env);

/** Returns a port that is free now. */
export function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

/** Compiles `baselines/NAME.ts` to an executable in the same way as catp. */
export async function compileBaseline(name: string, folder: string): Promise<string> {
  const outfile = join(folder, name);
  const { success, logs } = await Bun.build({
    entrypoints: [join(BASELINES, `${name}.ts`)],
    target: 'bun',
    format: 'esm',
    bytecode: true,
    compile: { outfile },
  });
  if (!success) throw new Error(`${name}: ${logs.map(({ message }) => message).join('\n')}`);
  return outfile;
}

async function start(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Program> {
  const {
    process: child,
    ready,
    stop,
  } = startProcess(command, {
    ready: READY,
    keptCharacters: KEPT_CHARACTERS,
    env: { ...process.env, ...env },
  });
  return { url: await ready, pid: child.pid, stop: async () => void (await stop()) };
}
