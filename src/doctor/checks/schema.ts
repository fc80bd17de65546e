import { pendingMigrations } from '../../db/migrate.ts';
import { MIGRATIONS } from '../../db/migrations.ts';
import { OperatorError } from '../../errors.ts';
import { error, notice, ok } from '../model.ts';
import { onDatabase } from '../patient.ts';

/** The database is of this version of catp, or can be brought to it. */
export const schema = onDatabase((db) => {
  try {
    const pending = pendingMigrations(db, { migrations: MIGRATIONS });
    if (pending.length === 0) return ok('O banco de dados é desta versão do catp.');
    return notice(
      `O banco de dados é de uma versão anterior: falta${pending.length === 1 ? '' : 'm'} ${pending.length === 1 ? 'uma migração' : `${pending.length} migrações`}.`,
      'O próximo início faz uma cópia de segurança e o atualiza; nada é preciso.',
    );
  } catch (problem) {
    if (!(problem instanceof OperatorError)) throw problem;
    return error(problem.message, 'Use o executável da versão que o banco de dados pede.');
  }
});
