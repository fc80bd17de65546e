import { RESTORE } from '../../system/errors.ts';
import type { Db } from '../../db/open.ts';
import { type Verdict, error, ok } from '../model.ts';
import type { Check } from '../diagnosis-target.ts';

/** Checks every page and index of the database. */
export const integrity: Check = ({ db }) =>
  'message' in db
    ? error(`O banco de dados não pode ser aberto: ${db.message}.`, db.remedy)
    : integrityIn(db);

export function integrityIn(db: Db): Verdict {
  const [first] = db.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[];
  return first?.integrity_check === 'ok'
    ? ok('O banco de dados está inteiro.')
    : error(`O banco de dados está danificado: ${damageText(first?.integrity_check ?? '')}.`, RESTORE);
}

/** Translations of SQLite's damage reports (several English lines) into one line of Portuguese. */
const DAMAGES: readonly (readonly [RegExp, string])[] = [
  [/Tree (\d+) page (\d+)/, 'a página $2, da árvore $1, está estragada'],
  [/row (\d+) missing from index (\S+)/, 'a linha $1 falta no índice $2'],
  [/wrong # of entries in index (\S+)/, 'o índice $1 não tem tantas entradas quanto a tabela'],
  [/non-unique entry in index (\S+)/, 'o índice $1 tem uma entrada repetida'],
  [/Page (\d+): never used/, 'a página $1 está perdida'],
  [/NULL value in (\S+)/, 'falta um valor em $1'],
];

function damageText(said: string): string {
  for (const [pattern, words] of DAMAGES) {
    const [found] = pattern.exec(said) ?? [];
    if (found !== undefined) return found.replace(pattern, words);
  }
  const line = said.replaceAll(/\s+/g, ' ').trim();
  return line === '' ? 'o SQLite não diz onde' : `o SQLite diz '${line}'`;
}
