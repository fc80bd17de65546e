/** Runs a program to its end without blocking this process. */

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface EndedOptions {
  readonly cwd?: string;
  /** The whole environment; this process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: 'ignore' | Blob;
}

export async function toEnd(command: readonly string[], options: EndedOptions = {}): Promise<Ended> {
  const child = Bun.spawn([...command], { stdin: 'ignore', ...options, stdout: 'pipe', stderr: 'pipe' });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}
