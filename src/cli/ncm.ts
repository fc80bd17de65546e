/**
 * `catp ncm`: finds an NCM by words, and loads the nomenclature, also while the server runs (contract section
 * 20).
 */
import type { Command } from 'commander';
import { COMMAND_LINE } from '../session/model.ts';
import { withCount } from '../validation/text.ts';
import { FETCH_EXIT_CODES, NOT_ACTIVATED_EXIT_CODE } from './attributes.ts';
import { folderCommand, printLine } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { command } from './command.ts';

export const ncmCommand = (): Command =>
  command('ncm', 'nomenclatura: a descrição de cada NCM')
    .addCommand(
      folderCommand(
        'load <arquivo>',
        'carrega a nomenclatura pública (JSON ou zip), que substitui a anterior',
        load,
      ),
    )
    .addCommand(
      folderCommand(
        'fetch',
        'busca a nomenclatura em ncm.origem, que substitui a anterior',
        fetch,
        FETCH_EXIT_CODES,
      ),
    );

async function fetch({ nomenclatureOrigin }: OpenFolder): Promise<number> {
  const { outcome, message } = await nomenclatureOrigin.runOnce(COMMAND_LINE);
  printLine(message);
  return outcome === 'keptBack' ? NOT_ACTIVATED_EXIT_CODE : 0;
}

async function load({ nomenclature }: OpenFolder, _: object, file = ''): Promise<void> {
  const {
    rows,
    ncms,
    updated: updateMessage,
  } = await nomenclature.loadFile(file, COMMAND_LINE, { user: COMMAND_LINE });
  printLine(
    `Nomenclatura carregada: ${withCount(rows, 'linha')}, ${withCount(ncms, 'NCM')}${updateMessage === '' ? '' : `. ${updateMessage}`}.`,
  );
}
