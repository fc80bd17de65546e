/** The real executable as its own process, for the checks that kill it or inject disk faults. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type StartedProcess, STOP_SIGNAL, startProcess } from '../starter.ts';
import { SLOWNESS } from './slowness.ts';

const ROOT = dirname(dirname(import.meta.dir));
const READY = /^catp: pronto em (http:\/\/127\.0\.0\.1:\d+)$/m;
/**
 * Time limit of a stop. SIGTERM ends the server within 5 s (contract section 13), but a busy machine delays
 * the process and its observer. The limit only detects a server that does not stop.
 */
export const STOPPED_WITHIN_MS = 20_000 * SLOWNESS;
/** Number of characters kept of the output, from its end. */
const KEPT_CHARACTERS = 64 * 1024;

export interface ServerOptions {
  /** The executable; `dist/catp` by default. */
  readonly executable?: string | undefined;
  readonly data: string;
  readonly flags?: readonly string[];
  /** The command that starts the executable, for instance strace. */
  readonly prefix?: readonly string[];
}

export interface Server extends Pick<StartedProcess, 'ready' | 'exited' | 'kill9'> {
  readonly pid: number;
  /** Returns the end of its standard output and error. */
  readonly output: () => string;
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
  const started = startProcess([...prefix, ...command], {
    ready: READY,
    cwd: dirname(data),
    keptCharacters: KEPT_CHARACTERS,
  });
  const { process: child, ready, exited, kill9 } = started;
  const output = (): string => started.stdout + started.stderr;
  return {
    pid: child.pid,
    ready,
    exited,
    output,
    kill9,
    stop: async () => {
      const code = await Promise.race([started.stop(), Bun.sleep(STOPPED_WITHIN_MS).then(() => undefined)]);
      if (code === 0) return;
      child.kill('SIGKILL');
      throw new Error(
        code === undefined
          ? `catp não terminou em ${STOPPED_WITHIN_MS / 1000} s depois de ${STOP_SIGNAL}`
          : `catp terminou com ${code}:\n${output()}`,
      );
    },
  };
}
