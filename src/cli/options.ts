/** Flags that commands share, and how they become settings. */
import { existsSync } from 'node:fs';
import { Command, Help, Option } from 'commander';
import {
  type SettingSources,
  type Settings,
  allowsColour,
  configFile,
  readSettings,
  tellsDetails,
} from '../settings/config.ts';
import { UsageError } from '../errors.ts';
import type { SettingName } from '../settings/settings.ts';
import { oneLine } from '../system/errors.ts';

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

/** Flags that stand for a setting, in the order of the command line. */
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

/** What every command that opens a data folder takes. */
export interface FolderFlags {
  readonly data: string;
  readonly config?: string;
  readonly set?: readonly SettingPair[];
}

const SERVED = './catp-dados';
const DEVELOPED = './catp-dev';

/** Where a command works that is told no folder: that of `catp dev`, where there is no other. */
const usualFolder = (): string => (!existsSync(SERVED) && existsSync(DEVELOPED) ? DEVELOPED : SERVED);

/** The flags of `FolderFlags`. `byDefault`: the folder; `about`: what becomes of one that is not there. */
export function folderFlags(made: Command, byDefault?: string, about?: string): Command {
  return dataFlags(made, byDefault, about).option(
    '--set <nome=valor>',
    'qualquer configuração; repetível',
    collectSetting,
    [],
  );
}

/** The same for what outlives the command line. */
export const dataFlags = (made: Command, byDefault?: string, about = 'pasta de dados'): Command =>
  made
    .addOption(
      new Option('--data <pasta>', about).default(
        byDefault ?? usualFolder(),
        byDefault === undefined ? `${SERVED} ou, sem ela, ${DEVELOPED}` : undefined,
      ),
    )
    .option(
      '--config <arquivo>',
      'arquivo de configuração (padrão: o de CATP_CONFIG ou, sem ela, catp.toml na pasta de dados)',
    );

/** The same folder and file, as words of another command. */
export const folderWords = ({ data, config }: FolderFlags): string =>
  `--data ${quoted(data)}${config === undefined ? '' : ` --config ${quoted(config)}`}`;

/** A path as a shell takes it. */
export const quoted = (path: string): string =>
  /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** The one way to settings (contract section 16): the file, the environment, then flags and `--set`. */
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

/** The settings of a folder whose file is yet to be written. */
export const settingsWithoutFile = ({ set = [] }: FolderFlags): Settings =>
  readSettings({ environment: Bun.env, commandLine: set });

/** The file that a command on this folder obeys, where there is one, or one is named. */
export const configOf = ({ config, data }: FolderFlags): string | undefined =>
  configFile({ flag: config, environment: Bun.env, folder: data });

/** Whether somebody asked for all that there is to know of a fault. */
export const wantsDetails = (): boolean => tellsDetails(Bun.env);

/** Whether colours are welcome, where there is a terminal. */
export const wantsColour = (): boolean => allowsColour(Bun.env);

/** As commander writes it. */
const HELP = new Help();

/** What a shell is told, the same of every command but for those that say more. */
const EXIT_CODES = 'Código de saída: 0 feito, 1 recusado, 2 mal escrito.';

/** Names that flags had: they are taken where the command has the new one, and never shown. */
const RENAMED: Readonly<Record<string, string>> = {
  '--saida': '--to',
  '--out': '--to',
  '--raiz': '--empresa',
};

/** What stands where a value should: nothing, or the next flag. A value of that kind is written `--flag=value`. */
const isNoValue = (word: string | undefined): boolean =>
  word === undefined || /^(--.*|-[a-zA-Z]|)$/.test(word);

/** Parses as commander does, but takes old names, and neither nothing nor a flag for a value. */
class StrictCommand extends Command {
  override parseOptions(words: string[]) {
    const given = words.slice(0, endOfFlags(words)).map((word) => this.#renamed(word));
    for (const [at, word] of given.entries()) {
      const option = this.#option(word.replace(/=$/, ''));
      if (option?.required === true && (word.endsWith('=') || isNoValue(given[at + 1])))
        this.error(`error: option '${option.flags}' argument missing`, {
          code: 'commander.optionMissingArgument',
        });
    }
    const parsed = super.parseOptions([...given, ...words.slice(given.length)]);
    if (parsed.operands.includes('')) this.error('catp: um argumento está vazio.');
    return parsed;
  }

  readonly #option = (name: string): Option | undefined =>
    this.options.find(({ long, short }) => long === name || short === name);

  #renamed(word: string): string {
    const [name = ''] = word.split('=', 1);
    const now = Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
    if (now === undefined || this.#option(name) !== undefined || this.#option(now) === undefined) return word;
    return now + word.slice(name.length);
  }
}

const endOfFlags = (words: readonly string[]): number => {
  const at = words.indexOf('--');
  return at < 0 ? words.length : at;
};

/** A command in our ways: all that it says is Portuguese, and its help ends with the exit codes. */
export function command(name: string, description: string, exitCodes = EXIT_CODES): Command {
  const made: Command = new StrictCommand(name);
  return (
    made
      .description(description)
      .helpOption('-h, --help', 'mostra esta ajuda')
      .addHelpText('after', `\n${exitCodes}`)
      .configureHelp({
        minWidthToWrap: NARROWEST,
        // What stands in columns is translated before it is measured and wrapped.
        subcommandTerm: (cmd) => inPortuguese(HELP.subcommandTerm(cmd)),
        subcommandDescription: (cmd) => inPortuguese(HELP.subcommandDescription(cmd)),
        optionDescription: (option) => inPortuguese(HELP.optionDescription(option)),
        argumentDescription: (argument) => inPortuguese(HELP.argumentDescription(argument)),
        formatHelp: (cmd, help) => inPortuguese(Help.prototype.formatHelp.call(help, cmd, help)),
      })
      .configureOutput({
        outputError: (text, write) => write(`${oneLine(inPortuguese(text))} Veja ${nameOf(made)} --help.\n`),
      })
      // main.ts ends the process, with an exit code of its own for misuse.
      .exitOverride()
  );
}

/** A column of so many letters is still wrapped. */
const NARROWEST = 20;

/** With those of the commands above it. */
const nameOf = (made: Command): string =>
  made.parent === null ? made.name() : `${nameOf(made.parent)} ${made.name()}`;

/** What commander says by itself. A name holds no quote and no line break; what was given may hold anything. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^Usage:/m, 'Uso:'],
  [/^(Global )?Options:/m, 'Opções:'],
  [/^Commands:/m, 'Comandos:'],
  [/^Arguments:/m, 'Argumentos:'],
  [/\[options\]/g, '[opções]'],
  [/\[command\]/g, '[comando]'],
  [/\s?\(default:\s+\[\]\)/g, ''],
  [/\(default:\s/g, '(padrão: '],
  [/\(choices: /g, '(aceita: '],
  [/, default: /g, ', padrão: '],
  [/\(preset: /g, '(sem valor: '],
  [/display help for command/g, 'mostra a ajuda de um comando'],
  [/^error: command-argument value '/m, "catp: recebido '"],
  [/' is invalid\. Allowed choices are /, "'; aceita "],
  [
    /^error: too many arguments(?: for '[^'\n]*')?\. Expected (\d+) arguments? but got (\d+): (.*)\.$/m,
    'catp: argumentos demais: aceita $1, recebeu $2 ($3).',
  ],
  [/\(Did you mean one of ([^?(\n]*)\?\)/g, '(Você quis dizer um destes: $1?)'],
  [/\(Did you mean ([^?(\n]*)\?\)/g, '(Você quis dizer $1?)'],
  [
    /^error: option '([^'\n]*)' cannot be used with option '([^'\n]*)'/m,
    "catp: a opção '$1' não combina com '$2'; use só uma delas.",
  ],
  [/^error: option '([^'\n]*)' argument missing/m, "catp: falta o valor da opção '$1'."],
  [/^error: option '([^'\n]*)' argument '/m, "catp: a opção '$1' recebeu '"],
  [/' is invalid for argument '/, "' no argumento '"],
  [/'\. Allowed choices are /, "'; aceita "],
  [/^error: unknown option '([^'\n]*)'/m, "catp: não existe a opção '$1'."],
  [/^error: unknown command '([^'\n]*)'/m, "catp: não existe o comando '$1'."],
  [/^error: missing required argument '([^'\n]*)'/m, "catp: falta o argumento '$1'."],
  [/^error: required option '([^'\n]*)' not specified/m, "catp: falta a opção obrigatória '$1'."],
];

const inPortuguese = (text: string): string =>
  PHRASES.reduce((said, [phrase, translated]) => said.replace(phrase, translated), text);
