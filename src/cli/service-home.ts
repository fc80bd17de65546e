/** What `catp service` does in one house as in the other: systemd's, or that of Windows. */
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import { madeByDev } from '../db/folder-mark.ts';
import { openExistingFolder } from '../db/folder.ts';
import { folderStateOf, requireOwnFolder } from '../replica/folder-owner.ts';
import type { Settings } from '../settings/config.ts';
import { shown } from '../validation/shown.ts';
import type { FolderFlags } from './options.ts';

export interface NameFlags {
  readonly name: string;
}

export interface StepFlags extends NameFlags {
  readonly print?: true;
}

export interface InstallFlags extends StepFlags, FolderFlags {
  readonly user: string;
}

export interface StatusFlags extends NameFlags {
  readonly json?: true;
}

export interface ServiceHome {
  /** Where its data lie, where nothing else is said. */
  readonly folder: string;
  readonly install: (flags: InstallFlags) => Promise<void> | void;
  readonly uninstall: (flags: StepFlags) => Promise<void> | void;
  readonly start: (flags: NameFlags) => Promise<void> | void;
  readonly stop: (flags: NameFlags) => Promise<void> | void;
  readonly status: (flags: StatusFlags) => Promise<void> | void;
}

export const USUAL_NAME = 'catp';

/** What another command on the same service is told. */
export const nameWords = (name: string): string => (name === USUAL_NAME ? '' : ` --name ${name}`);

/** Throws where `serve` would refuse it; one of an older version `serve` upgrades. */
export function requireServable(path: string): void {
  openExistingFolder(path);
  const state = folderStateOf(path);
  requireOwnFolder(path, state);
  if (state.isMadeByDev) throw madeByDev(path);
}

/** What the settings have it write outside the data folder. */
export const writtenFolders = (settings: Settings, data: string): readonly string[] =>
  [settings['backup.pasta'], settings['log.arquivo'] && dirname(settings['log.arquivo'])]
    .filter((path) => path !== '')
    .map((path) => resolve(path))
    .filter((path) => !`${path}${sep}`.startsWith(`${resolve(data)}${sep}`));

/** Control characters and line ends, also those of Unicode. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Throws where a path would end a line of a unit, or be another one than it is. */
export function requirePlainPaths(paths: readonly (string | undefined)[], platform = process.platform): void {
  for (const path of paths) {
    if (path === undefined) continue;
    if (CONTROL.test(path))
      throw new UsageError(
        `O caminho ${shown(path)} tem um caractere de controle (por exemplo uma quebra de linha); um serviço aceita caminhos sem eles. Mude o nome da pasta ou do arquivo.`,
      );
    // The service manager expands variables in its command line, and knows no way to write the sign itself.
    if (platform === 'win32' && path.includes('%'))
      throw new UsageError(
        `O caminho ${shown(path)} tem o sinal %; um serviço do Windows o lê como variável, e aceita caminhos sem ele. Mude o nome da pasta ou do arquivo.`,
      );
  }
}
