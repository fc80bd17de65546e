/**
 * A separate machine run by a real systemd: this Debian under an overlay in memory, in its own namespaces.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SCRIPT = join(import.meta.dir, 'machine.sh');
const ALONE = ['unshare', '--kill-child', '-m', '-p', '-f', '-C', '-u', '-i', '-n', 'sh', SCRIPT];
const BOOTED_WITHIN_MS = 60_000;

export interface Machine {
  /** Runs a line of sh in it as root. */
  run(line: string): { readonly code: number; readonly output: string };
  /** Copies a local file into it. */
  put(file: string, place: string): Promise<void>;
  stop(): Promise<void>;
}

/** The reason for which this system cannot run such a machine; `undefined` when it can. */
export const noMachine: string | undefined = whyNot();

function whyNot(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux';
  if (!existsSync('/lib/systemd/systemd') || Bun.which('dpkg') === null)
    return 'it takes a Debian with systemd';
  const folder = mkdtempSync(join(tmpdir(), 'catp-machine-'));
  const tried = Bun.spawnSync([...ALONE, 'try', folder]);
  rmSync(folder, { recursive: true, force: true });
  return tried.exitCode === 0 ? undefined : `this system permits none: ${tried.stderr.toString().trim()}`;
}

export async function bootMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-machine-'));
  const child = Bun.spawn([...ALONE, 'boot', folder], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'inherit',
  });
  const until = performance.now() + BOOTED_WITHIN_MS;
  let first: string | undefined;
  const enter = (): string[] => [
    ...['nsenter', '-t', first ?? '', '-m', '-p', '-C', '-u', '-i', '-n', '-r', '-w'],
    ...['env', '-i', 'PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C.UTF-8', 'sh', '-c'],
  ];
  const machine: Machine = {
    run: (line) => {
      const { exitCode, stdout } = Bun.spawnSync([...enter(), `exec 2>&1; ${line}`], { stdin: 'ignore' });
      return { code: exitCode, output: stdout.toString() };
    },
    put: async (file, place) => {
      const child = Bun.spawn([...enter(), `cat >'${place}'`], { stdin: Bun.file(file) });
      if ((await child.exited) !== 0) throw new Error(`${place} could not be written`);
    },
    stop: async () => {
      // The first process of the namespace ends all others with it.
      child.kill('SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (;;) {
    first = childOf(child.pid);
    if (first !== undefined && machine.run('systemctl is-system-running').output.trim() === 'running')
      return machine;
    if (performance.now() > until || child.exitCode !== null) {
      await machine.stop();
      throw new Error('the machine for tests did not boot');
    }
    await Bun.sleep(50);
  }
}

/** Returns the child of `unshare`; `undefined` until that child is systemd. */
function childOf(pid: number): string | undefined {
  try {
    const child = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'systemd' ? child : undefined;
  } catch {
    return undefined;
  }
}
