/** Runs system programs that install a service. */

export interface Ran {
  /** 127: the program does not exist, as in a shell. */
  readonly code: number;
  readonly said: string;
}

const NOT_FOUND = 127;

export function run(words: readonly string[]): Ran {
  if (Bun.which(words[0] ?? '') === null)
    return { code: NOT_FOUND, said: `não existe o programa ${words[0]}` };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { stdin: 'ignore' });
  return { code: exitCode, said: `${stdout.toString()}${stderr.toString()}` };
}
