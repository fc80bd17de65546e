import { existsSync } from 'node:fs';
import { refusalOfFolder } from '../../db/needed-folders.ts';
import { type Verdict, error, notice, ok } from '../model.ts';
import { type DiagnosisTarget, writesElsewhere } from '../diagnosis-target.ts';

/** Checks that the uploads folder is writable. `backup` checks the backup folder. */
export function folders(diagnosisTarget: DiagnosisTarget): Verdict {
  const { folder } = diagnosisTarget;
  if (writesElsewhere(diagnosisTarget))
    return notice(
      'Não se sabe daqui: é outra máquina que grava nesta pasta, e nada é tentado nela.',
      'Rode catp doctor na máquina que grava.',
    );
  const refusal = refusalOfFolder(folder.imports);
  if (refusal !== undefined)
    return error(
      `Nenhum arquivo pode ser recebido em ${folder.imports} (${refusal}).`,
      'Corrija a pasta e o que ela permite ao usuário do servidor.',
    );
  return existsSync(folder.imports)
    ? ok('Há onde pôr os arquivos que se recebem.')
    : notice(
        `Falta ${folder.imports}.`,
        'O próximo início do servidor a faz; reinicie-o, se está em execução.',
      );
}
