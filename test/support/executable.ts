/** dist/catp as its own process, as people run it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { STOP_SIGNAL } from '../../scripts/proof/server.ts';
import { SLOWNESS } from '../../scripts/proof/slowness.ts';
import { ROOT } from './sources.ts';
import { type Scheme, certificateFiles } from './tls.ts';

/**
 * An executable to test instead of dist/catp: one of another platform, in its emulator (`scripts/platforms`).
 */
const TRIED = process.env['EXECUTABLE_TO_TEST'];
const EXECUTABLE = TRIED ?? join(ROOT, 'dist', process.platform === 'win32' ? 'catp.exe' : 'catp');

/** The promised ready line (contract section 13). */
const READY = /^catp: pronto em (http:\/\/(?:[\w.]+|\[[\da-f:]+\]):\d+)$/m;
const TLS_READY = /^catp: pronto em http:.*\ncatp: TLS em (https:\/\/[\w.]+:\d+)$/m;
/** The ready line of `catp receiver`. */
const RECEIVER_READY = /pronto em (https:\/\/127\.0\.0\.1:\d+)$/m;
const READY_WITHIN_MS = 60_000 * SLOWNESS;

export interface RunningCatp {
  /** `http://127.0.0.1:PORT`, or the TLS address with `over: 'https'`. */
  readonly url: string;
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  /** Sends SIGTERM. Returns the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL, as in a power cut. */
  kill9(): Promise<void>;
  /** Its standard output until now. */
  readonly stdout: string;
  readonly stderr: string;
  /** Returns all of standard error, once the process has ended. */
  allStderr(): Promise<string>;
}

export interface RunOptions {
  /** The working folder; `./catp-dev` is created in it. */
  readonly cwd: string;
  /** The whole environment; empty by default. */
  readonly env?: Readonly<Record<string, string>>;
  /** A copy at another path; dist/catp by default. */
  readonly executable?: string;
  /** `https`: adds a TLS listener, whose address is `url`; `trusting` connects to it. */
  readonly over?: Scheme;
}

/** Returns the flags of a TLS listener on a free port. */
async function tlsFlags(): Promise<readonly string[]> {
  const { cert, key, ca } = await certificateFiles();
  return ['--tls-port', '0', '--tls-cert', cert, '--tls-key', key, '--tls-client-ca', ca];
}

/** Builds dist/catp when it is missing; scripts/test --all has built it before. */
export async function builtExecutable(): Promise<string> {
  if (!existsSync(EXECUTABLE)) {
    const build = Bun.spawn([join(ROOT, 'scripts/build')], { stdout: 'inherit', stderr: 'inherit' });
    if ((await build.exited) !== 0) throw new Error('scripts/build failed');
  }
  return EXECUTABLE;
}

/** Starts `catp …args` and waits for its ready line. */
export async function startCatp(
  args: readonly string[],
  { cwd, env = {}, executable, over = 'http' }: RunOptions,
): Promise<RunningCatp> {
  const hasTls = over === 'https' || args.includes('--tls-port') || args.includes('--tls');
  const isReceiver = args[0] === 'receiver';
  const ready = isReceiver ? RECEIVER_READY : hasTls ? TLS_READY : READY;
  const tls = over === 'https' && !isReceiver ? await tlsFlags() : [];
  const child = Bun.spawn([executable ?? (await builtExecutable()), ...args, ...tls], {
    cwd,
    env: { ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const written = { stdout: '', stderr: '' };
  const said = Promise.withResolvers<string>();
  const exited = child.exited.then((code) => {
    said.reject(new Error(`catp ${args.join(' ')} ended with ${code}\n${written.stdout}${written.stderr}`));
    return code;
  });
  const stderrEnded = keep(child.stderr, (text) => (written.stderr += text));
  void keep(child.stdout, (text) => {
    written.stdout += text;
    const [, url] = ready.exec(written.stdout) ?? [];
    if (url !== undefined) said.resolve(url);
  });
  const late = setTimeout(() => {
    child.kill('SIGKILL');
    said.reject(new Error(`catp ${args.join(' ')} did not say that it is ready\n${written.stderr}`));
  }, READY_WITHIN_MS);
  const url = await said.promise.finally(() => clearTimeout(late));
  return {
    url,
    process: child,
    stop: () => {
      child.kill(STOP_SIGNAL);
      return exited;
    },
    kill9: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    allStderr: async () => {
      await stderrEnded;
      return written.stderr;
    },
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
  };
}

async function keep(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const bytes of stream) take(decoder.decode(bytes, { stream: true }));
}
