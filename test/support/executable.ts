/** Runs dist/catp as its own process, as people run it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedProcess, startProcess } from '../../scripts/starter.ts';
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

export interface RunningCatp extends Omit<StartedProcess, 'ready'> {
  /** `http://127.0.0.1:PORT`, or the TLS address with `over: 'https'`. */
  readonly url: string;
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
  const started = startProcess([executable ?? (await builtExecutable()), ...args, ...tls], {
    ready,
    cwd,
    env,
  });
  const url = await started.ready;
  return Object.assign(started, { url });
}
