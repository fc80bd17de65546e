/** The command line in this process: without the start of an executable for each line. */
import { spyOn } from 'bun:test';
import { report } from '../../src/cli/failure.ts';
import { program } from '../../src/cli/program.ts';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line that ends without a signal: a help, a misuse, a refusal. `cwd`: its working folder. */
export async function runHere(words: readonly string[], cwd = process.cwd()): Promise<Outcome> {
  const before = process.cwd();
  process.chdir(cwd);
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += typeof text === 'string' ? text : new TextDecoder().decode(text);
      return true;
    }),
  );
  try {
    const code = await program(words[0])
      .then((catp) => catp.parseAsync(words, { from: 'user' }))
      .then(() => Number(process.exitCode ?? 0), report);
    return { code, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.exitCode = 0;
    process.chdir(before);
  }
}
