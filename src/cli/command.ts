/** Builds commander's commands in Portuguese. A plain server start does not load this file. */
import { Command, Help, Option } from 'commander';
import { oneLine } from '../system/errors.ts';
import type { Flag, PlainCommand } from './flag.ts';
import { flagsOfData, flagsOfFolder } from './options.ts';

/** Commander's own help. */
const HELP = new Help();

/** The exit codes of every command that has no others. */
const EXIT_CODES = 'Código de saída: 0 feito, 1 recusado, 2 comando inválido.';

/** Former names of flags: accepted when the command has the new one, and never shown. */
const RENAMED: Readonly<Record<string, string>> = {
  '--saida': '--to',
  '--out': '--to',
  '--raiz': '--empresa',
};

/**
 * Returns true when no value follows: the line ends, or the next flag comes. A value of that form is written
 * `--flag=value`.
 */
const isMissingValue = (word: string | undefined): boolean =>
  word === undefined || /^(--.*|-[a-zA-Z]|)$/.test(word);

/** Parses as commander does, but accepts old names, and refuses an empty value or a flag as a value. */
class StrictCommand extends Command {
  override parseOptions(words: string[]) {
    const currentWords = words.slice(0, endOfFlags(words)).map((word) => this.#currentName(word));
    for (const [index, word] of currentWords.entries()) {
      const option = this.#option(word.replace(/=$/, ''));
      if (option?.required === true && (word.endsWith('=') || isMissingValue(currentWords[index + 1])))
        this.error(`error: option '${option.flags}' argument missing`, {
          code: 'commander.optionMissingArgument',
        });
    }
    const parsed = super.parseOptions([...currentWords, ...words.slice(currentWords.length)]);
    if (parsed.operands.includes('')) this.error('catp: um argumento está vazio.');
    return parsed;
  }

  readonly #option = (name: string): Option | undefined =>
    this.options.find(({ long, short }) => long === name || short === name);

  #currentName(word: string): string {
    const [name = ''] = word.split('=', 1);
    const now = Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined;
    if (now === undefined || this.#option(name) !== undefined || this.#option(now) === undefined) return word;
    return now + word.slice(name.length);
  }
}

const endOfFlags = (words: readonly string[]): number => {
  const index = words.indexOf('--');
  return index < 0 ? words.length : index;
};

/** Creates a command whose texts are all Portuguese, and whose help ends with the exit codes. */
export function command(name: string, description: string, exitCodes = EXIT_CODES): Command {
  const newCommand: Command = new StrictCommand(name);
  return (
    newCommand
      .description(description)
      .helpOption('-h, --help', 'mostra esta ajuda')
      .addHelpText('after', `\n${exitCodes}`)
      .configureHelp({
        minWidthToWrap: WRAP_MIN_WIDTH,
        // Columns are translated before they are measured and wrapped.
        subcommandTerm: (cmd) => inPortuguese(HELP.subcommandTerm(cmd)),
        subcommandDescription: (cmd) => inPortuguese(HELP.subcommandDescription(cmd)),
        optionDescription: (option) => inPortuguese(HELP.optionDescription(option)),
        argumentDescription: (argument) => inPortuguese(HELP.argumentDescription(argument)),
        formatHelp: (cmd, help) => inPortuguese(Help.prototype.formatHelp.call(help, cmd, help)),
      })
      .configureOutput({
        outputError: (text, write) =>
          write(`${oneLine(inPortuguese(text))} Veja ${nameOf(newCommand)} --help.\n`),
      })
      // main.ts ends the process, with a separate exit code for misuse.
      .exitOverride()
  );
}

/** The least width of a column, in characters, that is still wrapped. */
const WRAP_MIN_WIDTH = 20;

/** Returns the name with those of the parent commands. */
const nameOf = (made: Command): string =>
  made.parent === null ? made.name() : `${nameOf(made.parent)} ${made.name()}`;

/** Commander's own phrases. A name holds no quote and no line break. A given value may hold anything. */
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
  [
    /^error: unknown option '(--(?:client-)?secret|--password)(?:=[^'\n]*)?'(?:\s*\(Você quis dizer[^)]*\))?/m,
    "catp: não existe a opção '$1': o que se digita fica em históricos. Grave o segredo em um arquivo, e informe-o onde a ajuda diz: --secret-file, --password-file.",
  ],
  [/^error: unknown option '([^'\n]*)'/m, "catp: não existe a opção '$1'."],
  [/^error: unknown command '([^'\n]*)'/m, "catp: não existe o comando '$1'."],
  [/^error: missing required argument '([^'\n]*)'/m, "catp: falta o argumento '$1'."],
  [/^error: required option '([^'\n]*)' not specified/m, "catp: falta a opção obrigatória '$1'."],
];

const inPortuguese = (text: string): string =>
  PHRASES.reduce((said, [phrase, translated]) => said.replace(phrase, translated), text);

/** Adds `flags` to the command. */
export function withFlags(made: Command, flags: readonly Flag[]): Command {
  for (const { usage, about, defaultValue, defaultText, isHidden, parse } of flags) {
    const option = new Option(usage, about).default(defaultValue, defaultText).hideHelp(isHidden === true);
    made.addOption(
      parse === undefined ? option : option.argParser(parse as (text: string, before: unknown) => unknown),
    );
  }
  return made;
}

export const commandOf = ({ name, about, flags, run }: PlainCommand): Command =>
  withFlags(command(name, about), flags).action((given) => run(given as never));

/** Adds the flags of every command that opens a data folder (`FolderFlags`). */
export const folderFlags = (made: Command, ...folder: Parameters<typeof flagsOfFolder>): Command =>
  withFlags(made, flagsOfFolder(...folder));

export const dataFlags = (made: Command, ...folder: Parameters<typeof flagsOfData>): Command =>
  withFlags(made, flagsOfData(...folder));
