import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SEAL_FILE } from '../../db/folder.ts';
import { verifyFolder } from '../../audit/complete-check.ts';
import { withCount } from '../../validation/text.ts';
import { error, notice, ok } from '../model.ts';
import { onCurrentDatabase, writesElsewhere } from '../diagnosis-target.ts';

const NO_KEYS = 'Sem as chaves da pasta não se confere o fim da trilha de auditoria.';

/** Checks every audit entry and the end of the trail. */
export const audit = onCurrentDatabase((db, diagnosisTarget) => {
  const isElsewhere = writesElsewhere(diagnosisTarget);
  const { entries, fault, hasKeys } = verifyFolder(db, diagnosisTarget.folder.path, {
    withSeal: !isElsewhere || existsSync(join(diagnosisTarget.folder.path, SEAL_FILE)),
  });
  if (fault !== undefined)
    return error(
      `A trilha de auditoria não está íntegra. ${fault.message}`,
      'Guarde a pasta como está e compare-a com as cópias de segurança; veja quem tem acesso aos arquivos dela.',
    );
  if (hasKeys && isElsewhere)
    return notice(
      `A trilha de auditoria confere até a entrada ${entries}; o selo do fim dela está só na máquina que grava.`,
      'Rode catp doctor na máquina que grava.',
    );
  return hasKeys
    ? ok(`A trilha de auditoria está íntegra: ${withCount(entries, 'entrada')}.`)
    : notice(NO_KEYS, 'Traga catp.key da cópia de segurança, ou crie chaves novas com catp init --new-keys.');
});
