import { withCount } from '../../validation/text.ts';
import { error, ok } from '../model.ts';
import { onDatabase } from '../diagnosis-target.ts';

/** Checks that every foreign key refers to a record. */
export const foreignKeys = onDatabase((db) => {
  const orphans = db.pragma('foreign_key_check') as readonly { readonly table: string }[];
  const tables = [...new Set(orphans.map(({ table }) => table))];
  return orphans.length === 0
    ? ok('Todo registro tem aquilo a que se refere.')
    : error(
        `Falta aquilo a que se refere: ${withCount(orphans.length, 'registro')} (${tables.join(', ')}).`,
        'Alguém mudou o banco por fora do catp. Restaure a última cópia de segurança com catp restore.',
      );
});
