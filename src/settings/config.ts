/**
 * Reads the settings. It is the only reader of the environment and of catp.toml. Sources in ascending
 * priority: preset (`perfil`), file, `CATP_*`, command line. All invalid settings are reported together, by
 * name, and nothing starts.
 */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Setting } from './setting-kinds.ts';
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts';
import { MIB, readFileUpTo } from '../system/bounded-file.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { nearest } from '../validation/text.ts';

export type Settings = { readonly [Name in SettingName]: SettingValues[Name] };

export interface SettingSources {
  /** Path of a TOML file (see `configFile`). Absent: no file is read. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--set name=value` and the flags that set a setting, in order. */
  readonly commandLine: readonly (readonly [name: string, value: string])[];
  /** Defaults of this command (for instance `dev`: any origin). */
  readonly defaults?: Readonly<Partial<Record<SettingName, string>>>;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? `Configuração inválida: ${problems[0]}`
        : `Configuração inválida, ${problems.length} problemas:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/** Default name of the settings file of a folder. */
export const CONFIG_FILE = 'catp.toml';
/** Names another file; it is not a setting. */
const CONFIG_VARIABLE = 'CATP_CONFIG';

export interface ConfigSources {
  /** `--config`. */
  readonly flag?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The data folder, which may not exist yet. */
  readonly folder: string;
}

/**
 * Returns the catp.toml that every command on a data folder uses, so that none stores what the server refuses
 * (contract section 16): `--config`, else `CATP_CONFIG`, else the file in the folder, if it exists.
 */
export function configFile({ flag, environment, folder }: ConfigSources): string | undefined {
  const named = flag ?? environment[CONFIG_VARIABLE];
  if (named !== undefined && named !== '') return named;
  const inFolder = join(folder, CONFIG_FILE);
  return isThere(inFolder) ? inFolder : undefined;
}

/** Returns true also if access is denied: then reading fails instead of being skipped. */
function isThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return systemCode(error) !== 'ENOTDIR';
  }
}

/** Returns true if an internal error is reported with all details: `CATP_LOG_NIVEL` is `debug`. */
export const reportsDetails = (environment: SettingSources['environment']): boolean =>
  environment[environmentName('log.nivel')] === 'debug';

/** Returns true unless the environment disables colours (https://no-color.org). */
export const allowsColour = (environment: SettingSources['environment']): boolean =>
  (environment['NO_COLOR'] ?? '') === '' && environment['TERM'] !== 'dumb';

/** Returns the environment variable of a setting: `entrega.mapa` is `CATP_ENTREGA_MAPA`. */
export const environmentName = (setting: string): string =>
  `CATP_${setting
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;

/** Reads all sources. Throws one `ConfigError` that names every invalid setting. */
export function readSettings(sources: SettingSources): Settings {
  const problems: string[] = [];
  const values = new Map<SettingName, Given>();
  const take = (name: string, text: string, origin: string, isList = false): void => {
    if (isSetting(name)) values.set(name, { text, origin, isList });
    else problems.push(unknownSetting(origin, name));
  };

  for (const [name, value] of Object.entries(sources.defaults ?? {})) take(name, value, 'padrão');
  for (const [name, value, isList] of readFile(sources.file, problems))
    take(name, value, String(sources.file), isList);
  const variables = new Map(Object.keys(SETTINGS).map((name) => [environmentName(name), name]));
  for (const [variable, name] of variables) {
    const value = sources.environment[variable];
    if (value !== undefined) take(name, value, variable);
  }
  for (const variable of Object.keys(sources.environment)) {
    if (variable.startsWith('CATP_') && !variables.has(variable) && !OTHER_VARIABLES.has(variable))
      problems.push(
        `variável de ambiente: não há configuração com o nome '${variable}'.${hintOf(variable, [...variables.keys()])} Corrija o nome ou retire a variável.`,
      );
  }
  for (const [name, value] of sources.commandLine) take(name, value, COMMAND_LINE);

  const settings = parseAll(values, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  proxies.set(settings, proxyIn(sources.environment));
  return settings;
}

/** A value as written in its source. */
interface Given {
  readonly text: string;
  readonly origin: string;
  /** True for a list in a file. */
  readonly isList: boolean;
}

const COMMAND_LINE = 'linha de comando';

/** Variables with the prefix that are no settings: the file name, and variables of the build. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  CONFIG_VARIABLE,
  'CATP_VERSION',
  'CATP_RECEIVER_SECRET',
]);

const unknownSetting = (origin: string, name: string): string =>
  `${origin}: não existe a configuração '${name}'.${hintOf(name, Object.keys(SETTINGS))} Todas estão em /ajuda/configuracoes e no catp.toml que catp init faz.`;

function hintOf(name: string, known: readonly string[]): string {
  const hint = nearest(name, known);
  return hint === undefined ? '' : ` Você quis dizer '${hint}'?`;
}

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/**
 * Resolves a setting of a file in the folder: relative paths start in that folder, whatever the working
 * directory.
 */
export function settingWithin(folder: string, name: string, text: string): string {
  const setting: Setting<unknown> | undefined = isSetting(name) ? SETTINGS[name] : undefined;
  return setting?.within?.(text, folder) ?? text;
}

/** The texts of the settings, written or default. */
type SettingTexts = Readonly<Record<SettingName, string>>;

const textsOf = new WeakMap<Settings, SettingTexts>();

/** Returns the texts that the settings were read from. */
export function settingTexts(settings: Settings): SettingTexts {
  const texts = textsOf.get(settings);
  if (texts === undefined) throw new Error('These settings were not read.');
  return texts;
}

/**
 * The proxy variables of the environment, with their usual names. Only settings that refer to them use them.
 */
export interface EnvironmentProxy {
  readonly httpsProxy: string;
  readonly noProxy: string;
}

const proxies = new WeakMap<Settings, EnvironmentProxy>();

/** Returns the proxy variables that were read with the settings. */
export const environmentProxy = (settings: Settings): EnvironmentProxy =>
  proxies.get(settings) ?? { httpsProxy: '', noProxy: '' };

const proxyIn = (environment: SettingSources['environment']): EnvironmentProxy => ({
  httpsProxy: environment['HTTPS_PROXY'] || environment['https_proxy'] || '',
  noProxy: environment['NO_PROXY'] || environment['no_proxy'] || '',
});

const profileOf = (text: string | undefined) => (text === 'portal' ? 'portal' : 'especificacao');

/** Returns true if a setting has its default value, with the presets of the profile. */
export const isDefault = (name: SettingName, texts: SettingTexts): boolean =>
  texts[name] === defaultOf(name, profileOf(texts.perfil));

function defaultOf(name: SettingName, profile: 'portal' | 'especificacao'): string {
  const setting: Setting<unknown> = SETTINGS[name];
  return (profile === 'portal' ? setting.portal : undefined) ?? setting.default;
}

/** Hides the user part of an address, which may contain a password. */
function withoutUser(text: string): string {
  const [begin, end] = [text.indexOf('//') + 2, text.lastIndexOf('@')];
  return begin > 1 && end > begin ? `${text.slice(0, begin)}…${text.slice(end)}` : text;
}

function parseAll(given: ReadonlyMap<SettingName, Given>, problems: string[]): Settings {
  const values: Record<string, unknown> = {};
  const texts: Partial<Record<SettingName, string>> = {};
  const profile = profileOf(given.get('perfil')?.text);
  for (const [name, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const { text, origin, isList } = given.get(name as SettingName) ?? {
      text: defaultOf(name as SettingName, profile),
      origin: COMMAND_LINE,
      isList: false,
    };
    // A caller sees the typed value; a variable or a file may be written by anybody.
    const from = origin === COMMAND_LINE ? '' : ` (${origin})`;
    texts[name as SettingName] = text;
    if (isList && setting.isList !== true) {
      problems.push(`${name}: recebida uma lista${from}; aceita um só valor.`);
      continue;
    }
    try {
      values[name] = setting.parse(text);
    } catch (error) {
      const accepted = error instanceof Error ? error.message : String(error);
      problems.push(`${name}: recebido '${withoutUser(text)}'${from}; ${accepted}.`);
    }
  }
  textsOf.set(values as Settings, texts as SettingTexts);
  return values as Settings;
}

type FileValue = readonly [name: string, value: string, isList: boolean];

/** The file of `catp init` has some 20 KiB. */
const CONFIG_MAX_BYTES = MIB;

function readFile(file: string | undefined, problems: string[]): FileValue[] {
  if (file === undefined) return [];
  let text: string;
  try {
    text = readFileUpTo(file, CONFIG_MAX_BYTES).toString('utf8');
  } catch (error) {
    problems.push(
      `o arquivo de configuração ${file} não pode ser lido (${reasonOf(error)}). Corrija-o, ou indique outro com --config ou ${CONFIG_VARIABLE}.`,
    );
    return [];
  }
  const { parse, TomlError } = require('smol-toml') as typeof import('smol-toml'); // most starts have no file
  try {
    const folder = dirname(resolve(file));
    return [...flatten(parse(text), '')].map(([name, value, isList]) => [
      name,
      settingWithin(folder, name, value),
      isList,
    ]);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    problems.push(
      `o arquivo de configuração ${file} não é TOML: linha ${error.line}, coluna ${error.column}. Corrija-a; textos ficam entre aspas, por exemplo ambiente = "producao".`,
    );
    return [];
  }
}

/** Flattens TOML tables to dotted names, and lists to the comma form of the command line. */
function* flatten(table: object, prefix: string): Generator<FileValue> {
  for (const [key, value] of Object.entries(table)) {
    const name = `${prefix}${key}`;
    if (Array.isArray(value)) yield [name, value.join(','), true];
    else if (typeof value === 'object' && value !== null && !(value instanceof Date))
      yield* flatten(value, `${name}.`);
    else yield [name, String(value), false];
  }
}
