/**
 * `catp migrate`: upgrades the folder of an older version, as a start of the server does (contract section
 * 16, "Upgrades").
 */
import type { Command } from 'commander';
import { upgradedText } from '../backup/model.ts';
import { upgrade } from '../backup/upgrade.ts';
import { SystemClock } from '../clock.ts';
import { findKeys, pathsOf, requireInstance, withUsableFolder } from '../db/folder.ts';
import { lockFolder } from '../db/lock.ts';
import { OperatorError } from '../errors.ts';
import { folderStateOf, requireOwnFolder } from '../replica/folder-owner.ts';
import { VERSION } from '../version.ts';
import { command, folderFlags } from './command.ts';
import { printLine } from './folder-command.ts';
import { type FolderFlags, settingsFor } from './options.ts';
import { asOwner } from './owner.ts';

export const migrateCommand = (): Command =>
  asOwner(
    folderFlags(
      command('migrate', 'atualiza o banco de dados de uma versão anterior, depois de fazer uma cópia'),
    ),
  )
    .addHelpText(
      'after',
      '\nExige o servidor parado. catp serve faz o mesmo ao iniciar; nenhum outro comando\natualiza o banco. Uma atualização interrompida deixa o banco como estava.\n',
    )
    .action(runMigrate);

async function runMigrate(flags: FolderFlags): Promise<void> {
  const { data } = flags;
  requireInstance(data);
  const settings = settingsFor(flags);
  const state = folderStateOf(data);
  requireOwnFolder(data, state);
  if (state.refusal !== undefined) throw state.refusal;
  // Only the owner may read the created files.
  process.umask(0o077);
  using lock = withUsableFolder(data, () => lockFolder(data));
  if (lock === undefined)
    throw new OperatorError(
      `${data} está em uso por outro catp. Pare-o antes: uma pasta em uso não é atualizada.`,
    );
  const keys = withUsableFolder(data, () => findKeys(data));
  const upgraded = await upgrade({
    folder: pathsOf(data),
    keys: keys === 'damaged' ? undefined : keys,
    place: settings['backup.pasta'],
    clock: new SystemClock(),
  });
  printLine(
    upgraded === undefined
      ? `O banco de dados de ${data} já é desta versão do catp (${VERSION}); nada mudou.`
      : upgradedText(upgraded, upgraded.copy.path),
  );
}
