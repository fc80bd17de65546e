/** Shared flags of the commands, and their conversion to settings. */
import { existsSync } from 'node:fs';
import {
  type SettingSources,
  type Settings,
  allowsColour,
  configFile,
  readSettings,
  reportsDetails,
} from '../settings/config.ts';
import { UsageError } from '../errors.ts';
import type { SettingName } from '../settings/settings.ts';
import type { Flag } from './flag.ts';
import { quoted } from '../system/shell.ts';

export type SettingPair = readonly [name: string, value: string];

/** Collects `--set name=value`. */
function collectSetting(text: string, before: readonly SettingPair[]): readonly SettingPair[] {
  const equals = text.indexOf('=');
  if (equals < 1)
    throw new UsageError(`--set: recebido '${text}'; aceita nome=valor, por exemplo perfil=portal.`);
  return [...before, [text.slice(0, equals), text.slice(equals + 1)]];
}

/** Collects a repeatable option. */
export const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** Returns the settings of the flags that stand for one, in the order of the command line. */
export function flagSettings(
  flags: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, SettingName>>,
): SettingPair[] {
  return Object.entries(names).flatMap(([flag, name]) => {
    const value = flags[flag];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? value.join(',') : textOf(value)] as const];
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The flags of every command that opens a data folder. */
export interface FolderFlags {
  readonly data: string;
  readonly config?: string;
  readonly set?: readonly SettingPair[];
}

const SERVER_FOLDER = './catp-dados';
const DEV_FOLDER = './catp-dev';

/** Returns the default folder of a command: that of `catp dev` if it is the only one. */
const defaultFolder = (): string =>
  !existsSync(SERVER_FOLDER) && existsSync(DEV_FOLDER) ? DEV_FOLDER : SERVER_FOLDER;

/** Returns the flags of `FolderFlags`. `byDefault`: the folder. `about`: what happens when it is missing. */
export const flagsOfFolder = (byDefault?: string, about?: string): readonly Flag[] => [
  ...flagsOfData(byDefault, about),
  {
    usage: '--set <nome=valor>',
    about: 'qualquer configuração; repetível',
    defaultValue: [],
    parse: collectSetting,
  },
];

/** Returns the flags without `--set`, for a service, which outlives the command line. */
export const flagsOfData = (byDefault?: string, about = 'pasta de dados'): readonly Flag[] => [
  {
    usage: '--data <pasta>',
    about,
    defaultValue: byDefault ?? defaultFolder(),
    ...(byDefault === undefined && { defaultText: `${SERVER_FOLDER} ou, sem ela, ${DEV_FOLDER}` }),
  },
  {
    usage: '--config <arquivo>',
    about: 'arquivo de configuração (padrão: o de CATP_CONFIG ou, sem ela, catp.toml na pasta de dados)',
  },
];

/** Returns the same folder and file as arguments of another command. */
export const folderWords = ({ data, config }: FolderFlags): string =>
  `--data ${quoted(data)}${config === undefined ? '' : ` --config ${quoted(config)}`}`;

/**
 * The only reader of a folder's settings (contract section 16): the file, the environment, then flags and
 * `--set`.
 */
export function settingsFor(
  flags: FolderFlags,
  pairs: readonly SettingPair[] = [],
  defaults: SettingSources['defaults'] = {},
): Settings {
  return readSettings({
    file: configOf(flags),
    environment: Bun.env,
    commandLine: [...pairs, ...(flags.set ?? [])],
    defaults,
  });
}

/** Reads the settings of a folder whose file is yet to be written. */
export const settingsWithoutFile = ({ set = [] }: FolderFlags): Settings =>
  readSettings({ environment: Bun.env, commandLine: set });

/** Returns the configuration file of a command on this folder; `undefined`: none exists and none is named. */
export const configOf = ({ config, data }: FolderFlags): string | undefined =>
  configFile({ flag: config, environment: Bun.env, folder: data });

/** Returns true when all details of a fault are requested. */
export const wantsDetails = (): boolean => reportsDetails(Bun.env);

/** Returns true when a terminal may show colours. */
export const wantsColour = (): boolean => allowsColour(Bun.env);
