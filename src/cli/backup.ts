/** `catp backup`: a copy of everything, also while a server runs (contract section 16). */
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Counts } from '../backup/model.ts';
import { KEY_FILE } from '../db/folder.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { bytesText, withCount } from '../validation/text.ts';
import { folderCommand, printLine } from './folder-command.ts';
import { integer } from './values.ts';

interface BackupFlags {
  readonly to?: string;
  readonly keep?: number;
  readonly withKeys?: true;
}

const KEEP_MAX = 999_999;

export function backupCommand(): Command {
  const about = 'faz uma cópia de segurança completa em um arquivo, também com o servidor em execução';
  return folderCommand<BackupFlags>('backup', about, async ({ folder, backups }, { to, keep, withKeys }) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => backups.stop());
    const keys = withKeys === true ? join(folder.path, KEY_FILE) : undefined;
    const backup = await backups.make({ to, kept: keep, keys, by: COMMAND_LINE, hasToOption: true });
    printLine(
      `Cópia de segurança feita: ${backup.path} (${bytesText(backup.bytes)}; ${countsText(backup.counts)}).`,
    );
    if (backup.removed.length > 0) printLine(`Cópias antigas apagadas: ${backup.removed.join(', ')}.`);
    printLine(
      keys === undefined
        ? 'As chaves não estão nela: guarde catp.key à parte, ou use --with-keys e trate o arquivo como um segredo.'
        : 'As chaves estão nela: trate o arquivo como um segredo.',
    );
  })
    .option('--to <pasta>', 'pasta da cópia (padrão: backup.pasta ou, sem ela, backups na pasta de dados)')
    .option(
      '--keep <n>',
      'mantém as n cópias mais novas dessa pasta e apaga as outras',
      integer('--keep', 1, KEEP_MAX),
    )
    .option('--with-keys', 'inclui as chaves: quem as tem abre sessões e lê os segredos das assinaturas');
}

export const countsText = (counts: Counts): string =>
  [
    `${withCount(counts.products, 'produto')} em ${withCount(counts.productVersions, 'versão', 'versões')}`,
    withCount(counts.foreignOperators, 'operador estrangeiro', 'operadores estrangeiros'),
    withCount(counts.manufacturerLinks, 'vínculo'),
    withCount(counts.subscriptions, 'assinatura'),
    withCount(counts.users, 'usuário'),
  ].join(', ');
