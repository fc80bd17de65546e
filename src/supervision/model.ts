/** What an administrator sees of the instance, as it goes over the wire. */
import { Type as t } from '@sinclair/typebox';
import { LEVELS, type Level } from '../doctor/model.ts';
import { momentOf } from '../validation/moment.ts';

export const ListedSetting = t.Object(
  {
    name: t.String({ description: 'Nome da configuração.', examples: ['servidor.listas'] }),
    value: t.String({ description: 'O valor em vigor, como se escreve em catp.toml.', examples: ['64'] }),
    isDefault: t.Boolean({ description: 'Se é o valor de quem não diz nada.', examples: [true] }),
    description: t.String({ description: 'Para que serve.', examples: ['Listas longas ao mesmo tempo.'] }),
  },
  { 'x-form': 'ListedSetting', description: 'Uma configuração em vigor.' },
);
export type ListedSetting = typeof ListedSetting.static;

export const ListedFinding = t.Object(
  {
    check: t.String({ description: 'O que foi conferido.', examples: ['disk'] }),
    level: t.Unsafe<Level>({
      type: 'string',
      enum: [...LEVELS],
      description: 'ok: bom; notice: aviso; warning: alerta; error: erro.',
      examples: ['ok'],
    }),
    message: t.String({ description: 'O que se achou.', examples: ['O banco de dados está inteiro.'] }),
    remedy: t.Union([t.String({ description: 'O que fazer; null onde nada.' }), t.Null()]),
  },
  { 'x-form': 'Finding', description: 'Uma conferência da instância.' },
);
export type ListedFinding = typeof ListedFinding.static;

const backup = {
  file: t.String({ description: 'Nome do arquivo.', examples: ['catp-20260115T023000.zip'] }),
  at: momentOf('Quando foi feita.'),
  bytes: t.Integer({ description: 'Tamanho em bytes.', examples: [1_048_576] }),
};
export const ListedBackup = t.Object(backup, {
  'x-form': 'ListedBackup',
  description: 'Uma cópia de segurança.',
});
export const DrillResult = t.Object(
  {
    ...{ at: momentOf('Quando foi testada.'), file: backup.file },
    ok: t.Boolean({ description: 'Se foi restaurada inteira.', examples: [true] }),
    message: t.Union([t.String({ description: 'O que está errado com ela; null se nada.' }), t.Null()]),
  },
  { 'x-form': 'DrillResult', description: 'O teste de restauração de uma cópia de segurança.' },
);
export const BackupList = t.Object(
  {
    folder: t.String({ description: 'Onde ficam, nesta máquina.', examples: ['/var/lib/catp/backups'] }),
    last: t.Union([ListedBackup, t.Null()], { description: 'A última; null se nenhuma foi feita.' }),
    drill: t.Union([DrillResult, t.Null()], { description: 'O último teste; null se nenhum foi feito.' }),
    files: t.Array(ListedBackup, { description: 'As que estão na pasta, da mais nova à mais antiga.' }),
  },
  { 'x-form': 'BackupList', description: 'As cópias de segurança da instância.' },
);
export type BackupList = typeof BackupList.static;
export type ListedBackup = typeof ListedBackup.static;
export type DrillResult = typeof DrillResult.static;
