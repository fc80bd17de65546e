/** Flags that commands share, and how they become settings. */
import { Command, Help } from 'commander';
import { type SettingSources, type Settings, readSettings } from '../config.ts';
import type { SettingName } from '../settings.ts';

export type SettingPair = readonly [name: string, value: string];

/** Collects `--set name=value`. */
export function collectSetting(text: string, before: readonly SettingPair[]): readonly SettingPair[] {
  const equals = text.indexOf('=');
  return [
    ...before,
    [equals === -1 ? text : text.slice(0, equals), equals === -1 ? '' : text.slice(equals + 1)],
  ];
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

/** A command in our ways: all that it says is Portuguese. */
export function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .helpOption('-h, --help', 'mostra esta ajuda')
    .configureHelp({
      formatHelp: (cmd, help) => inPortuguese(Help.prototype.formatHelp.call(help, cmd, help)),
    })
    .configureOutput({ outputError: (text, write) => write(inPortuguese(text)) })
    .showHelpAfterError('(use --help para ver as opções)');
}

/** What commander says by itself. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^Usage:/m, 'Uso:'],
  [/^Options:/m, 'Opções:'],
  [/^Commands:/m, 'Comandos:'],
  [/^Arguments:/m, 'Argumentos:'],
  [/\[options\]/g, '[opções]'],
  [/\[command\]/g, '[comando]'],
  [/\s*\(default:\s+\[\]\)/g, ''],
  [/\(default:\s/g, '(padrão: '],
  [/\(choices: /g, '(aceita: '],
  [/^error: option '(.*)' cannot be used with option '(.*)'/m, "catp: a opção '$1' não combina com '$2'"],
  [
    /^error: option '(.*)' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/m,
    "catp: a opção '$1' recebeu '$2'; aceita $3.",
  ],
  [/display help for command/g, 'mostra a ajuda de um comando'],
  [/^error: unknown option '(.*)'/m, "catp: não existe a opção '$1'"],
  [/^error: unknown command '(.*)'/m, "catp: não existe o comando '$1'"],
  [/^error: missing required argument '(.*)'/m, "catp: falta o argumento '$1'"],
  [/^error: required option '(.*)' not specified/m, "catp: falta a opção obrigatória '$1'"],
  [/^error: option '(.*)' argument missing/m, "catp: falta o valor da opção '$1'"],
  [/^error: too many arguments.*$/m, 'catp: argumentos demais.'],
  [/\(Did you mean (.*)\?\)/g, '(Você quis dizer $1?)'],
];

function inPortuguese(text: string): string {
  return PHRASES.reduce((said, [phrase, translated]) => said.replace(phrase, translated), text);
}
