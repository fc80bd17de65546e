/** The command line. Each command has a file in cli/. */
import { WORK_ARGUMENT } from './assembly/reading/work-argument.ts';
import { PLAIN } from './cli/commands.ts';
import { runToTheEnd } from './cli/ending.ts';
import { readPlainly } from './cli/flag.ts';
import { VERSION } from './version.ts';

await runToTheEnd(async () => {
  const [name, ...words] = process.argv.slice(2);
  if (name === WORK_ARGUMENT) return (await import('./assembly/reading/work.ts')).workForAnother();
  const isVersion = (name === '--version' || name === '-V') && words.length === 0;
  if (isVersion) return process.stdout.write(`${VERSION}\n`);
  const plain = name === 'serve' || name === 'health' ? await PLAIN[name]() : undefined;
  const flags = plain && readPlainly(words, plain.flags);
  if (plain !== undefined && flags !== undefined) return plain.run(flags as never);
  const { program } = await import('./cli/program.ts');
  await (await program(name)).parseAsync(process.argv);
});
