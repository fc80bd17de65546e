/** `catp ncm`: words for an NCM, also while the server runs (contract section 20). */
import type { Command } from 'commander';
import { COMMAND_LINE } from '../session/model.ts';
import { counted } from '../validation/text.ts';
import { folderCommand, say } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './options.ts';

export const ncmCommand = (): Command =>
  command('ncm', 'a nomenclatura: o que cada NCM é, em palavras').addCommand(
    folderCommand(
      'load <arquivo>',
      'carrega a nomenclatura pública (JSON ou zip), no lugar da que houver',
      load,
    ),
  );

async function load({ nomenclature }: OpenFolder, _: object, file = ''): Promise<void> {
  const { rows, ncms, updated } = await nomenclature.loadFile(file, COMMAND_LINE, { user: COMMAND_LINE });
  say(
    `Nomenclatura carregada: ${counted(rows, 'linha')}, ${counted(ncms, 'NCM')}${updated === '' ? '' : `. ${updated}`}.`,
  );
}
