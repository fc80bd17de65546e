/** `catp restore`: restores a folder from a backup, completely or not at all (contract section 16). */
import type { Command } from 'commander';
import type { RestoredBackup } from '../backup/model.ts';
import { NO_PAUSES } from '../backup/pace.ts';
import { check, restore } from '../backup/restore.ts';
import { UsageError } from '../errors.ts';
import { momentText } from '../validation/calendar.ts';
import { countsText } from './backup.ts';
import { undoOnSignals } from './ending.ts';
import { printLine } from './folder-command.ts';
import { command } from './command.ts';
import { quoted } from '../system/shell.ts';

interface RestoreFlags {
  readonly to?: string;
  readonly check?: true;
}

export function restoreCommand(): Command {
  return command('restore', 'restaura uma cópia de segurança em uma pasta nova, depois de conferi-la')
    .argument('<arquivo>', 'cópia feita por catp backup')
    .option('--to <pasta>', 'pasta de dados a criar: nova ou vazia')
    .option('--check', 'só confere se a cópia pode ser restaurada')
    .action(runRestore);
}

async function runRestore(file: string, { to, check: isCheck }: RestoreFlags): Promise<void> {
  if ((to === undefined) === (isCheck === undefined))
    throw new UsageError('Indique --to com a pasta a criar, ou --check para só conferir.');
  const parts = { file, restShare: NO_PAUSES, onBegun: (undo: () => void) => void undoOnSignals(undo) };
  if (to === undefined) return printLine(`A cópia está íntegra: ${restoredText(await check(parts))}.`);
  // Only the owner may read the created files.
  process.umask(0o077);
  const restored = await restore({ ...parts, to });
  printLine(`Restaurado em ${to}: ${restoredText(restored)}.`);
  printLine(
    restored.keys
      ? `Próximo passo: catp serve --data ${quoted(to)} (traga também catp.toml, se o mudou).`
      : `Faltam as chaves, que não estão na cópia. Próximo passo: traga catp.key (e catp.toml, se o mudou) para ${to}, ou crie chaves novas com catp init --new-keys --data ${quoted(to)}; depois, catp serve --data ${quoted(to)}.`,
  );
}

const restoredText = ({ createdAt, version, counts }: RestoredBackup): string =>
  `cópia de ${momentText(Date.parse(createdAt))}, feita pelo catp ${version}; ${countsText(counts)}`;
