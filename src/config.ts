/**
 * Settings: the only reader of the environment and of catp.toml. A setting comes, last wins, from its preset (`perfil`),
 * the file, `CATP_*`, and the command line. Every bad one is reported at once, by name, and nothing starts.
 */
import { readFileSync } from 'node:fs';
import { SETTINGS, type SettingName, type SettingValues } from './settings.ts';

export type Settings = { readonly [Name in SettingName]: SettingValues[Name] };

export interface SettingSources {
  /** Path of a TOML file; absent: none is read. */
  readonly file?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `--set name=value` and the flags that stand for a setting, in order. */
  readonly commandLine: readonly (readonly [name: string, value: string])[];
  /** What this command takes where nothing else is said (for instance `dev`: any origin). */
  readonly defaults?: Readonly<Partial<Record<SettingName, string>>>;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Configuração inválida:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** The name of a setting in the environment: `entrega.mapa` is `CATP_ENTREGA_MAPA`. */
export const environmentName = (setting: string): string =>
  `CATP_${setting
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`;

/** Reads all sources. Throws one `ConfigError` that names every bad setting. */
export function readSettings(sources: SettingSources): Settings {
  const problems: string[] = [];
  const given = new Map<SettingName, string>();
  const take = (name: string, value: string, origin: string): void => {
    if (isSetting(name)) given.set(name, value);
    else
      problems.push(
        `${origin}: não existe a configuração '${name}'. Conhecidas: ${Object.keys(SETTINGS).join(', ')}.`,
      );
  };

  for (const [name, value] of Object.entries(sources.defaults ?? {})) take(name, value, 'padrão');
  for (const [name, value] of readFile(sources.file, problems)) take(name, value, String(sources.file));
  for (const name of Object.keys(SETTINGS)) {
    const value = sources.environment[environmentName(name)];
    if (value !== undefined) take(name, value, environmentName(name));
  }
  for (const variable of Object.keys(sources.environment)) {
    const known = Object.keys(SETTINGS).some((name) => environmentName(name) === variable);
    if (variable.startsWith('CATP_') && !known && !BUILD_VARIABLES.has(variable))
      problems.push(`${variable}: não há configuração com esse nome no ambiente.`);
  }
  for (const [name, value] of sources.commandLine) take(name, value, 'linha de comando');

  const settings = parseAll(given, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

/** Read by the build, not by the product. */
const BUILD_VARIABLES = new Set(['CATP_VERSION']);

function isSetting(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

function parseAll(given: ReadonlyMap<SettingName, string>, problems: string[]): Settings {
  const values: Record<string, unknown> = {};
  const profile = given.get('perfil') === 'portal' ? 'portal' : 'especificacao';
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const text = given.get(name as SettingName) ?? setting.preset?.[profile] ?? setting.default;
    try {
      values[name] = setting.parse(text);
    } catch (error) {
      const accepted = error instanceof Error ? error.message : String(error);
      problems.push(`${name}: recebido '${text}'; ${accepted}.`);
    }
  }
  return values as Settings;
}

function readFile(file: string | undefined, problems: string[]): [string, string][] {
  if (file === undefined) return [];
  try {
    const { parse } = require('smol-toml') as typeof import('smol-toml'); // most starts have no file
    return [...flatten(parse(readFileSync(file, 'utf8')), '')];
  } catch (error) {
    problems.push(
      `${file}: não pôde ser lido como TOML (${error instanceof Error ? error.message : String(error)}).`,
    );
    return [];
  }
}

/** Turns TOML tables into dotted names and lists into the comma form of the command line. */
function* flatten(table: object, prefix: string): Generator<[string, string]> {
  for (const [key, value] of Object.entries(table)) {
    const name = `${prefix}${key}`;
    if (Array.isArray(value)) yield [name, value.join(',')];
    else if (typeof value === 'object' && value !== null && !(value instanceof Date))
      yield* flatten(value, `${name}.`);
    else yield [name, String(value)];
  }
}
