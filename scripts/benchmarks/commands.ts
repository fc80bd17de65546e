/** Times external programs. */

/** Runs a command to its end. Returns milliseconds. Throws when it fails. */
export async function timed(
  command: readonly string[],
  files: { readonly stdin?: string; readonly stdout?: string } = {},
): Promise<number> {
  const started = performance.now();
  const child = Bun.spawn([...command], {
    stdin: files.stdin === undefined ? 'ignore' : Bun.file(files.stdin),
    stdout: files.stdout === undefined ? 'ignore' : Bun.file(files.stdout),
    stderr: 'inherit',
  });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
  return performance.now() - started;
}

/** Runs a command like `timed`, and returns its processor time too: on a busy machine it is more reliable. */
export async function cpuTimed(
  command: readonly string[],
): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const started = performance.now();
  const child = Bun.spawn([...command], { stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed`);
  const ms = performance.now() - started;
  return { ms, cpuMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / MICROSECONDS_PER_MS };
}

const MICROSECONDS_PER_MS = 1000;
