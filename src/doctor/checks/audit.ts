import { verifyFolder } from '../../audit/whole.ts';
import { counted } from '../../validation/text.ts';
import { error, notice, ok } from '../model.ts';
import { onDatabase } from '../patient.ts';

const NO_KEYS = 'Sem as chaves da pasta não se confere o fim da trilha de auditoria.';

/** Every entry, and the end. */
export const audit = onDatabase((db, { folder }) => {
  const { entries, fault, hasKeys } = verifyFolder(db, folder.path);
  if (fault !== undefined)
    return error(
      `A trilha de auditoria não está inteira. ${fault.message}`,
      'Guarde a pasta como está e compare-a com as cópias de segurança; veja quem tem acesso aos arquivos dela.',
    );
  return hasKeys
    ? ok(`A trilha de auditoria está inteira: ${counted(entries, 'entrada')}.`)
    : notice(NO_KEYS, 'Traga catp.key da cópia de segurança, ou faça chaves novas com catp init --new-keys.');
});
