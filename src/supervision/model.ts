/** The state of the instance for administrators, as the API sends it. */
import { LEVELS } from '../doctor/model.ts';
import { momentOf } from '../validation/moment.ts';
import { choice, form, nullable, text, integerForm } from '../validation/forms.ts';
import { t } from '../validation/type.ts';

export const ListedSetting = form('ListedSetting', 'Uma configuração em vigor.', {
  name: text('Nome da configuração.', 'servidor.listas'),
  value: text('O valor em vigor, como se escreve em catp.toml.', '64'),
  isDefault: t.Boolean({ description: 'Se é o valor de quem não diz nada.', examples: [true] }),
  description: text('Para que serve.', 'Listas longas ao mesmo tempo.'),
});
export type ListedSetting = typeof ListedSetting.static;

export const ListedFinding = form('Finding', 'Uma conferência da instância.', {
  check: text('O que foi conferido.', 'disk'),
  level: choice(LEVELS, 'ok: bom; notice: aviso; warning: alerta; error: erro.', 'ok'),
  message: text('O que se achou.', 'O banco de dados está inteiro.'),
  remedy: nullable(t.String({ description: 'O que fazer; null onde nada.' })),
});
export type ListedFinding = typeof ListedFinding.static;

const backup = {
  file: text('Nome do arquivo.', 'catp-20260115T023000.zip'),
  at: momentOf('Quando foi feita.'),
  bytes: integerForm('Tamanho em bytes.', 1_048_576),
};
export const ListedBackup = form('ListedBackup', 'Uma cópia de segurança.', backup);
export const DrillResult = form('DrillResult', 'O teste de restauração de uma cópia de segurança.', {
  at: momentOf('Quando foi testada.'),
  file: backup.file,
  ok: t.Boolean({ description: 'Se foi restaurada inteira.', examples: [true] }),
  message: nullable(t.String({ description: 'O que está errado com ela; null se nada.' })),
});
export const BackupList = form('BackupList', 'As cópias de segurança da instância.', {
  folder: text('Onde ficam, nesta máquina.', '/var/lib/catp/backups'),
  last: nullable(ListedBackup, { description: 'A última; null se nenhuma foi feita.' }),
  drill: nullable(DrillResult, { description: 'O último teste; null se nenhum foi feito.' }),
  files: t.Array(ListedBackup, { description: 'As que estão na pasta, da mais nova à mais antiga.' }),
});
export type BackupList = typeof BackupList.static;
export type ListedBackup = typeof ListedBackup.static;
export type DrillResult = typeof DrillResult.static;
