/** Starts a server as its own process and waits for its ready line: the one starter of checks, benches and tests. */
import { SLOWNESS } from './proof/slowness.ts';

const READY_WITHIN_MS = 60_000 * SLOWNESS;

/** The stop signal: Windows has no SIGTERM, and people type Ctrl+C (`scripts/platforms`). */
export const STOP_SIGNAL = (process.env['STOP_SIGNAL_TO_TEST'] ?? 'SIGTERM') as NodeJS.Signals;

export interface StartOptions {
  /** Matches the ready line in standard output; its first group is the address. */
  readonly ready: RegExp;
  readonly cwd?: string;
  /** The whole environment; empty by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Characters of each output that are kept, from its end; all by default. */
  readonly keptCharacters?: number;
}

export interface StartedProcess {
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  /** Resolves to the address of the ready line; rejects when the process ends before it, or is late. */
  readonly ready: Promise<string>;
  readonly exited: Promise<number>;
  /** Its standard output until now. */
  readonly stdout: string;
  readonly stderr: string;
  /** Returns standard error once the process has ended. */
  readonly allStderr: () => Promise<string>;
  /** Sends the stop signal. Returns the exit code. */
  readonly stop: () => Promise<number>;
  /** Sends SIGKILL, as in a power cut. */
  readonly kill9: () => Promise<void>;
}

export function startProcess(
  command: readonly string[],
  { ready, cwd, env = {}, keptCharacters = Infinity }: StartOptions,
): StartedProcess {
  const child = Bun.spawn([...command], {
    ...(cwd !== undefined && { cwd }),
    env: { ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  const address = Promise.withResolvers<string>();
  address.promise.catch(() => undefined); // a caller that kills it at once never awaits it
  const fail = (reason: string): void =>
    address.reject(new Error(`${command.join(' ')} ${reason}\n${output.stdout}${output.stderr}`));
  const late = setTimeout(() => {
    child.kill('SIGKILL');
    fail('did not print its ready line');
  }, READY_WITHIN_MS);
  const keep = async (name: keyof typeof output, take?: (text: string) => void): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of child[name]) {
      output[name] = (output[name] + decoder.decode(bytes, { stream: true })).slice(-keptCharacters);
      take?.(output[name]);
    }
  };
  const stderrEnd = keep('stderr');
  void keep('stdout', (text) => {
    const [, url] = ready.exec(text) ?? [];
    if (url === undefined) return;
    clearTimeout(late);
    address.resolve(url);
  });
  const exited = child.exited.then((code) => {
    clearTimeout(late);
    fail(`ended with ${code}`);
    return code;
  });
  return {
    process: child,
    ready: address.promise,
    exited,
    get stdout() {
      return output.stdout;
    },
    get stderr() {
      return output.stderr;
    },
    allStderr: async () => {
      await stderrEnd;
      return output.stderr;
    },
    stop: () => {
      child.kill(STOP_SIGNAL);
      return exited;
    },
    kill9: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
