/** The shared part of `catp service` for systemd and for Windows. */
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '../errors.ts';
import { madeByDev } from '../db/folder-mark.ts';
import { openExistingFolder } from '../db/folder.ts';
import { folderStateOf, requireOwnFolder } from '../replica/folder-owner.ts';
import type { Settings } from '../settings/config.ts';
import { formatValue } from '../validation/format-value.ts';
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
  /** The default data folder. */
  readonly folder: string;
  readonly install: (flags: InstallFlags) => Promise<void> | void;
  readonly uninstall: (flags: StepFlags) => Promise<void> | void;
  readonly start: (flags: NameFlags) => Promise<void> | void;
  readonly stop: (flags: NameFlags) => Promise<void> | void;
  readonly status: (flags: StatusFlags) => Promise<void> | void;
}

export const DEFAULT_NAME = 'catp';

/** Returns the flags that name the same service in another command. */
export const nameWords = (name: string): string => (name === DEFAULT_NAME ? '' : ` --name ${name}`);

/** Throws when `serve` would refuse the folder. `serve` upgrades one of an older version. */
export function requireServable(path: string): void {
  openExistingFolder(path);
  const state = folderStateOf(path);
  requireOwnFolder(path, state);
  if (state.isMadeByDev) throw madeByDev(path);
}

/** Returns the folders outside the data folder that the settings write to. */
export const writtenFolders = (settings: Settings, data: string): readonly string[] =>
  [settings['backup.pasta'], settings['log.arquivo'] && dirname(settings['log.arquivo'])]
    .filter((path) => path !== '')
    .map((path) => resolve(path))
    .filter((path) => !`${path}${sep}`.startsWith(`${resolve(data)}${sep}`));

/** Control characters and line ends, including those of Unicode. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Throws for a path that would end a line of a unit file, or that a service manager would read differently. */
export function requirePlainPaths(paths: readonly (string | undefined)[], platform = process.platform): void {
  for (const path of paths) {
    if (path === undefined) continue;
    if (CONTROL.test(path))
      throw new UsageError(
        `O caminho ${formatValue(path)} tem um caractere de controle (por exemplo uma quebra de linha); um serviço aceita caminhos sem eles. Mude o nome da pasta ou do arquivo.`,
      );
    // The service manager expands variables in its command line, and has no escape for the sign.
    if (platform === 'win32' && path.includes('%'))
      throw new UsageError(
        `O caminho ${formatValue(path)} tem o sinal %; um serviço do Windows o lê como variável, e aceita caminhos sem ele. Mude o nome da pasta ou do arquivo.`,
      );
  }
}
