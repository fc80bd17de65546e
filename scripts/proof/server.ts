/** The real executable as its own process, for the checks that kill it or inject disk faults. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SLOWNESS } from './slowness.ts';

const ROOT = dirname(dirname(import.meta.dir));
const READY = /^catp: pronto em (http:\/\/127\.0\.0\.1:\d+)$/m;
const READY_WITHIN_MS = 60_000 * SLOWNESS;
/**
 * SIGTERM ends it within 5 s (contract section 13). A busy machine delays the process and its observer: the
 * limit only tells a stop from none.
 */
export const STOPPED_WITHIN_MS = 20_000 * SLOWNESS;
/** The stop signal: Windows has no SIGTERM, and people type Ctrl+C (`scripts/platforms`). */
export const STOP_SIGNAL = (process.env['STOP_SIGNAL_TO_TEST'] ?? 'SIGTERM') as NodeJS.Signals;
/** Only the end of the output is kept. */
const KEPT_CHARACTERS = 64 * 1024;

export interface ServerOptions {
  /** The executable; `dist/catp` by default. */
  readonly executable?: string | undefined;
  readonly data: string;
  readonly flags?: readonly string[];
  /** The command in front of it, for instance strace. */
  readonly prefix?: readonly string[];
}

export interface Server {
  readonly pid: number;
  /** Resolves once it serves; rejects when it ends before that. */
  readonly ready: Promise<string>;
  readonly exited: Promise<number>;
  /** Returns the end of its standard output and error. */
  readonly output: () => string;
  kill9(): Promise<void>;
  /** Sends SIGTERM. Throws when it does not end with 0 in time. */
  stop(): Promise<void>;
}

/** Returns the executable for the checks. Throws when it was not built. */
export function executableOf(path: string | undefined): string {
  const file = resolve(path ?? join(ROOT, 'dist', 'catp'));
  if (!existsSync(file)) throw new Error(`${file} não existe: rode scripts/build.`);
  return file;
}

/** Starts `catp dev --empty` on a free port. */
export function startServer({ executable, data, flags = [], prefix = [] }: ServerOptions): Server {
  const command = [executableOf(executable), 'dev', '--empty', '--port', '0', '--data', data, ...flags];
  const child = Bun.spawn([...prefix, ...command], {
    cwd: dirname(data),
    env: {},
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let output = '';
  const { promise: ready, resolve: isReady, reject: isNot } = Promise.withResolvers<string>();
  ready.catch(() => undefined); // a caller that kills it at once never awaits it
  const late = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  const exited = child.exited.then((code) => {
    clearTimeout(late);
    isNot(new Error(`catp terminou com ${code} antes de servir:\n${output}`));
    return code;
  });
  const keep = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of stream) {
      output = (output + decoder.decode(bytes, { stream: true })).slice(-KEPT_CHARACTERS);
      const [, url] = READY.exec(output) ?? [];
      if (url === undefined) continue;
      clearTimeout(late);
      isReady(url);
    }
  };
  void keep(child.stdout);
  void keep(child.stderr);
  return {
    pid: child.pid,
    ready,
    exited,
    output: () => output,
    kill9: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    stop: async () => {
      child.kill(STOP_SIGNAL);
      const code = await Promise.race([exited, Bun.sleep(STOPPED_WITHIN_MS).then(() => undefined)]);
      if (code === 0) return;
      child.kill('SIGKILL');
      throw new Error(
        code === undefined
          ? `catp não terminou em ${STOPPED_WITHIN_MS / 1000} s depois de ${STOP_SIGNAL}`
          : `catp terminou com ${code}:\n${output}`,
      );
    },
  };
}
