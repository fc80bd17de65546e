import { error, ok } from '../model.ts';
import { onDatabase } from '../patient.ts';

/** Every record has what it refers to. */
export const foreignKeys = onDatabase((db) => {
  const orphans = db.pragma('foreign_key_check') as readonly { readonly table: string }[];
  const tables = [...new Set(orphans.map(({ table }) => table))];
  return orphans.length === 0
    ? ok('Todo registro tem aquilo a que se refere.')
    : error(
        `${orphans.length} registros não têm aquilo a que se referem (${tables.join(', ')}).`,
        'Alguém mudou o banco por fora do catp. Restaure a última cópia de segurança com catp restore.',
      );
});
