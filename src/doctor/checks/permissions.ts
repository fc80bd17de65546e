import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { error, ok, warning } from '../model.ts';
import type { Check } from '../patient.ts';
import { KEY_FILE, findKeys } from '../../db/folder.ts';
import { reasonOf } from '../../system/errors.ts';

const OTHERS = 0o077;
const SHOWN = 5;

/** Only its owner reads the folder, and the keys are there. Windows keeps rights in another way. */
export const permissions: Check = ({ folder: { path } }) => {
  try {
    const keys = findKeys(path);
    if (keys === undefined || keys === 'damaged')
      return error(
        `O arquivo de chaves ${join(path, KEY_FILE)} ${keys === undefined ? 'falta' : 'está danificado'}: o servidor não inicia.`,
        `Traga-o de volta, ou faça chaves novas com catp init --new-keys --data ${path}.`,
      );
    if (process.platform === 'win32') return ok('As chaves estão na pasta.');
    const open = openToOthers(path);
    if (open.length === 0) return ok('Só o dono lê a pasta de dados e o que há nela.');
    const shown = `${open.slice(0, SHOWN).join(', ')}${open.length > SHOWN ? ', …' : ''}`;
    const remedy = `chmod -R go= '${path}'`;
    return open.includes(KEY_FILE)
      ? error(
          `Outros usuários da máquina podem ler as chaves (${shown}).`,
          `${remedy}; depois, troque as chaves.`,
        )
      : warning(`Outros usuários da máquina podem ler a pasta (${shown}).`, remedy);
  } catch (problem) {
    return error(
      `A pasta ${path} não pode ser lida por este usuário (${reasonOf(problem)}).`,
      'Rode catp doctor com o usuário do servidor.',
    );
  }
};

/** What stands behind a closed door is nobody else's, whatever its own rights. */
function openToOthers(path: string): readonly string[] {
  if ((statSync(path).mode & OTHERS) === 0) return [];
  const inside = readdirSync(path).filter((name) => (statSync(join(path, name)).mode & OTHERS) !== 0);
  return ['.', ...inside];
}
