/** A copy of the executable in an empty folder with an empty environment. */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningCatp, builtExecutable, startCatp } from '../support/executable.ts';
import { type Scheme, trusting } from '../support/tls.ts';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Sandbox {
  /** Contains only files that catp creates. */
  readonly folder: string;
  readonly executable: string;
  /**
   * Starts the executable. `serve` on a folder without an instance runs `catp init` first, as an operator
   * does.
   */
  start(...args: string[]): Promise<RunningCatp>;
  /** Runs `catp init`, in `catp-dados` by default. Throws when it refuses. */
  init(data?: string): void;
  /** Runs a command to its end. */
  run(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    /** Prefix of the command line, for example to run as another user. */
    prefix?: readonly string[],
  ): Finished;
  /** Kills all running processes and removes the folder. */
  close(): Promise<void>;
}

/** Opens the folder. `scheme`: the protocol of its servers. */
export async function openSandbox(scheme: Scheme = 'http'): Promise<Sandbox> {
  const home = mkdtempSync(join(tmpdir(), 'catp-alone-'));
  const executable = join(home, 'catp');
  copyFileSync(await builtExecutable(), executable);
  const folder = mkdtempSync(join(tmpdir(), 'catp-empty-'));
  const running: RunningCatp[] = [];
  const init = (data = 'catp-dados'): void => {
    const options = { cwd: folder, env: {}, stdin: 'ignore' } as const;
    const { exitCode, stderr } = Bun.spawnSync(
      [executable, 'init', '--data', data, '--perfil', 'especificacao'],
      options,
    );
    if (exitCode !== 0) throw new Error(`catp init ended with ${exitCode}\n${stderr.toString()}`);
  };
  return {
    folder,
    executable,
    init,
    start: async (...args) => {
      const [, data = 'catp-dados'] = args.slice(args.indexOf('--data'));
      if (args[0] === 'serve' && !existsSync(join(folder, data, 'catp.sqlite'))) init(data);
      const catp = await startCatp(args, { cwd: folder, executable, over: scheme });
      running.push(catp);
      return catp;
    },
    run: (args, env = {}, prefix = []) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...prefix, executable, ...args], {
        cwd: folder,
        env: { ...env },
        stdin: 'ignore',
      });
      return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() };
    },
    close: async () => {
      await Promise.all(running.map((catp) => catp.kill9()));
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Returns the tokens of an access key, or the status of a refusal. */
export async function tokensOf(
  url: string,
  clientId: string,
  clientSecret: string,
): Promise<Record<string, string> | number> {
  const response = await trusting(`${url}/portal/api/autenticar/chave-acesso`, {
    method: 'POST',
    headers: { 'client-id': clientId, 'client-secret': clientSecret, 'role-type': 'IMPEXP' },
  });
  if (response.status !== 200) return response.status;
  return {
    authorization: response.headers.get('set-token') ?? '',
    'x-csrf-token': response.headers.get('x-csrf-token') ?? '',
  };
}

/** Sends a request with tokens; throws without tokens. */
export async function ask(
  url: string,
  path: string,
  tokens: Record<string, string> | number,
): Promise<Response> {
  if (typeof tokens === 'number') throw new Error(`not signed in: ${tokens}`);
  return trusting(`${url}${path}`, { headers: tokens });
}
