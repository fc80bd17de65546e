/** The executable of an older version, built from the history of this clone. */
import { dirname, join } from 'node:path';
import { toEnd } from '../to-end.ts';

const ROOT = dirname(dirname(dirname(import.meta.dir)));

/** Builds it. Throws when the clone lacks the version, as a shallow one does, or the build fails. */
export async function buildOf(revision: string, folder: string): Promise<string> {
  const tree = join(folder, 'versao-anterior');
  await done(['git', 'clone', '--quiet', '--no-checkout', ROOT, tree]);
  await done(['git', '-C', tree, 'checkout', '--quiet', revision]);
  await done([join(tree, 'scripts', 'build')]);
  return join(tree, 'dist', 'catp');
}

async function done(command: readonly string[]): Promise<void> {
  const { code, err } = await toEnd(command);
  if (code !== 0) throw new Error(`${command.join(' ')} terminou com ${code}:\n${err}`);
}
