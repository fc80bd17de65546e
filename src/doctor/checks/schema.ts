import { quoted } from '../../system/shell.ts';
import { error, notice, ok } from '../model.ts';
import { onDatabase } from '../diagnosis-target.ts';

/** Checks that the database is of this version of catp, or can be upgraded to it. */
export const schema = onDatabase((_db, { folder, state }) => {
  const { pending, refusal, isMadeByDev } = state;
  if (refusal !== undefined)
    return error(refusal.message, 'Use o executável da versão que o banco de dados pede.');
  if (pending.length === 0) return ok('O banco de dados é desta versão do catp.');
  const server = isMadeByDev ? 'catp dev' : 'catp serve';
  return notice(
    `O banco de dados é de uma versão anterior: falta${pending.length === 1 ? ' uma migração' : `m ${pending.length} migrações`}.`,
    `O próximo início de ${server}, ou catp migrate --data ${quoted(folder.path)}, faz uma cópia de segurança e o atualiza; nenhum outro comando o abre antes.`,
  );
});
