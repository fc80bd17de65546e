import { error, ok } from '../model.ts';
import type { Check } from '../patient.ts';

const RESTORE =
  'Pare o servidor, guarde a pasta como está e restaure a última cópia de segurança com catp restore.';

/** Every page and index of the database. */
export const integrity: Check = ({ db }) => {
  if ('message' in db) return error(`O banco de dados não pode ser aberto: ${db.message}.`, RESTORE);
  const [first] = db.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[];
  return first?.integrity_check === 'ok'
    ? ok('O banco de dados está inteiro.')
    : error(`O banco de dados está danificado: ${first?.integrity_check ?? 'sem resposta'}.`, RESTORE);
};
