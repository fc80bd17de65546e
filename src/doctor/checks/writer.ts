import { refusalOfOwner } from '../../replica/folder-owner.ts';
import { type Verdict, error, notice, ok } from '../model.ts';
import type { DiagnosisTarget } from '../diagnosis-target.ts';

/** Checks that this machine may write to the folder (contract section 26, "Whose folder it is"). */
export function checkWriter({ folder: { path }, state: { owner } }: DiagnosisTarget): Verdict | undefined {
  switch (owner.kind) {
    case 'own':
      return ok('É esta máquina que grava nesta pasta.');
    case 'unrecorded':
      return notice(
        'Não se registrou ainda que máquina grava nesta pasta.',
        'O próximo início do servidor o registra; nada é preciso.',
      );
    case 'follower':
      return notice(
        'A pasta segue outra máquina: o catp não grava nela.',
        'Deixe o serviço catp desabilitado aqui (systemctl disable --now catp) até catp takeover.',
      );
    case 'copy':
      return error(refusalOfOwner(path, owner) ?? '', 'Veja a página duas-maquinas.');
    case 'superseded':
      return error(owner.reason, 'Veja a página duas-maquinas, "Voltar".');
    case 'unreadable':
      return undefined;
  }
}
