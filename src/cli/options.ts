/** Flags that commands share, and how they become settings. */
import { Command } from 'commander';
import { type SettingSources, type Settings, readSettings } from '../config.ts';
import type { SettingName } from '../settings.ts';

export type SettingPair = readonly [name: string, value: string];

/** Collects `--set name=value`. */
export function collectSetting(text: string, before: readonly SettingPair[]): readonly SettingPair[] {
  const equals = text.indexOf('=');
  return [...before, [equals === -1 ? text : text.slice(0, equals), equals === -1 ? '' : text.slice(equals + 1)]];
}

/** Collects a repeatable option. */
export const collect = (text: string, before: readonly string[]): readonly string[] => [...before, text];

/** Flags that stand for a setting, in the order of the command line. */
export function flagSettings(
  flags: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, SettingName>>,
): SettingPair[] {
  return Object.entries(names).flatMap(([flag, name]) => {
    const value = flags[flag];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    return [[name, Array.isArray(value) ? value.join(',') : String(value)] as const];
  });
}

export function settingsFor(
  flags: { readonly set?: readonly SettingPair[]; readonly config?: string },
  pairs: readonly SettingPair[],
  defaults: SettingSources['defaults'] = {},
): Settings {
  return readSettings({
    ...(flags.config !== undefined && { file: flags.config }),
    environment: Bun.env,
    commandLine: [...pairs, ...(flags.set ?? [])],
    defaults,
  });
}

/** A command in our ways: help in Portuguese. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'mostra esta ajuda')
    .configureHelp({ styleTitle: translateTitle })
    .showHelpAfterError('(use --help para ver as opções)');
}

const TITLES: Readonly<Record<string, string>> = {
  'Usage:': 'Uso:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
  'Arguments:': 'Argumentos:',
  'Global Options:': 'Opções globais:',
};

function translateTitle(title: string): string {
  return TITLES[title] ?? title;
}
