import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Verdict, error, ok, warning } from '../model.ts';
import type { Check } from '../diagnosis-target.ts';
import { KEY_FILE, findKeys } from '../../db/folder.ts';
import { placedReasonOf } from '../../system/errors.ts';
import { quoted } from '../../system/shell.ts';
import { accessIn, closingCommand, nameOf } from '../../windows/access-list.ts';
import { accessOf, ownSid } from '../../windows/access.ts';

const OTHERS = 0o077;
const LISTED_MAX = 5;

/** Files that other users can read, and the command that closes them. */
interface Opening {
  readonly open: readonly string[];
  readonly remedy: string;
}

export const permissions: Check = ({ folder: { path } }) => permissionsOf(path);

/** Checks that only its owner reads the folder, and that the keys exist. */
export function permissionsOf(path: string): Verdict {
  try {
    const keys = findKeys(path);
    if (keys === undefined || keys === 'damaged')
      return error(
        `O arquivo de chaves ${join(path, KEY_FILE)} ${keys === undefined ? 'falta' : 'está danificado'}: o servidor não inicia.`,
        `Traga-o de volta, ou crie chaves novas com catp init --new-keys --data ${quoted(path)}.`,
      );
    const { open, remedy } = process.platform === 'win32' ? openByLists(path) : openByModes(path);
    if (open.length === 0) return ok('Só o dono lê a pasta de dados e o que há nela.');
    const names = `${open.slice(0, LISTED_MAX).join(', ')}${open.length > LISTED_MAX ? ', …' : ''}`;
    return open.some((name) => name.startsWith(KEY_FILE))
      ? error(
          `Outros usuários da máquina podem ler as chaves (${names}).`,
          `${remedy}; depois, troque as chaves.`,
        )
      : warning(`Outros usuários da máquina podem ler a pasta (${names}).`, remedy);
  } catch (problem) {
    return error(
      `A pasta ${path} não pode ser lida por este usuário (${placedReasonOf(problem)}).`,
      'Rode catp doctor com o usuário do servidor.',
    );
  }
}

/** Finds open files by their modes. Files in a closed folder are closed, whatever their own modes. */
function openByModes(path: string): Opening {
  const remedy = `chmod -R go= ${quoted(path)}`;
  if ((statSync(path).mode & OTHERS) === 0) return { open: [], remedy };
  // A server that ends removes the log of its database.
  const modeOf = (name: string): number => statSync(join(path, name), { throwIfNoEntry: false })?.mode ?? 0;
  const inside = readdirSync(path).filter((name) => (modeOf(name) & OTHERS) !== 0);
  return { open: ['.', ...inside], remedy };
}

/**
 * Finds open files by their access lists. On Windows a closed folder does not protect a file whose name is
 * known.
 */
function openByLists(path: string): Opening {
  const entries = ['.', ...readdirSync(path)].map((name) => ({
    name,
    ...accessIn(accessOf(join(path, name))),
  }));
  const strangers = [...new Set(entries.flatMap((one) => one.strangers))];
  return {
    open: entries
      .filter((one) => one.strangers.length > 0)
      .map((one) => `${one.name}: ${one.strangers.map(nameOf).join(', ')}`),
    remedy: closingCommand(path, entries[0]?.account ?? ownSid(), strangers),
  };
}
