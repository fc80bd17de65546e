/**
 * The commands and flags of the executable, from its own `--help` and README, and those that the tests in
 * this folder pass to it, from their source text. Neither list is maintained by hand. A test counts for a flag
 * when one statement of it names the command and the flag as literals, or by a constant of the file
 * (`...TLS`); an expected output (`toContain('--port')`) does not count.
 */
import { parse } from 'smol-toml';
import { environmentName } from '../../src/settings/config.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { runHere } from '../support/command-line.ts';
import { type Source, withoutComments } from '../support/sources.ts';

export interface Offer {
  /** `dev`, `user add` */
  readonly commands: readonly string[];
  /** `dev --port` */
  readonly flags: readonly string[];
}

/** Returns the commands and flags. Follows the help of each command, from the first. */
export async function readOffer(): Promise<Offer> {
  const commands: string[] = [];
  const flags: string[] = [];
  const visit = async (words: readonly string[]): Promise<void> => {
    const { stdout: text } = await runHere([...words, '--help']);
    const name = words.join(' ');
    // A line of examples may look like a command; its help then differs.
    if (!text.startsWith(`Uso: ${['catp', ...words].join(' ')} [`)) return;
    const children = [...sectionOf(text, 'Comandos').matchAll(/^ {2}([a-z][\w-]*)/gm)].map(
      ([, child = '']) => child,
    );
    if (name !== '') commands.push(name);
    for (const [, flag = ''] of sectionOf(text, 'Opções').matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm))
      flags.push(`${name} ${flag}`.trim());
    // `help` itself is skipped.
    for (const child of children) if (child !== 'help') await visit([...words, child]);
  };
  await visit([]);
  return { commands, flags };
}

/** Returns the text from a heading to the next one. */
const sectionOf = (help: string, heading: string): string =>
  help.split(/^(?=[A-ZÀ-Ú]\S*:)/m).find((part) => part.startsWith(`${heading}:`)) ?? '';

export interface Usage {
  readonly commands: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
  readonly settings: ReadonlySet<string>;
}

export function usageOf(tests: readonly Source[], { commands }: Offer): Usage {
  const usage = { commands: new Set<string>(), flags: new Set<string>(), settings: new Set<string>() };
  for (const { text } of tests) {
    const statements = statementsOf(text);
    const constants = constantsOf(statements);
    for (const statement of statements) {
      const texts = [
        statement,
        ...constants.filter(({ name }) => name.test(statement)).map(({ text }) => text),
      ];
      const words = texts.flatMap(literalsOf).flatMap((literal) => wordsOf(literal, commands));
      const commandsOfStatement = commandsIn(words, commands);
      for (const command of commandsOfStatement) {
        usage.commands.add(command);
        for (const word of words) if (word.startsWith('--')) usage.flags.add(`${command} ${word}`);
      }
      for (const word of words) if (/^--(version|help)$/.test(word)) usage.flags.add(word);
      for (const setting of settingsIn(statement)) usage.settings.add(setting);
    }
  }
  return usage;
}

/** Matches texts that a test only expects in an output, so it passes them to no command. */
const MATCHER =
  /\b(?:toContain|toMatch|toStartWith|toEndWith|stringContaining|stringMatching)\((?:'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/(?:\\.|[^/\\\n])*\/\w*),?\s*\)/g;

const statementsOf = (text: string): string[] =>
  withoutComments(text)
    .replaceAll(MATCHER, '')
    .split(/;\s*\n/);

/** Returns each `const NAME = …` with a pattern of its use. */
const constantsOf = (statements: readonly string[]) =>
  statements.flatMap((text) => {
    const [, name] = /\bconst ([A-Z][A-Z_]+)\b[^=]*=/.exec(text) ?? [];
    return name === undefined ? [] : [{ name: new RegExp(`\\b${name}\\b`), text }];
  });

const literalsOf = (statement: string): string[] =>
  [...statement.matchAll(/'((?:\\.|[^'\\\n])*)'|`((?:\\.|[^`\\])*)`/g)].map(([, single, back]) =>
    (single ?? back ?? '').replaceAll('\\n', '\n'),
  );

/** Splits a literal that contains a whole command line: `user add 00000000191 --nome X`. */
function wordsOf(literal: string, commands: readonly string[]): readonly string[] {
  const words = literal.split(' ');
  const [first = '', second = ''] = words;
  const isCommandLine =
    commands.includes(`${first} ${second}`) ||
    (commands.includes(first) && (literal.includes(' --') || words.length < 4));
  return isCommandLine ? words : [literal];
}

/** Returns the longest command at each position. */
function commandsIn(words: readonly string[], commands: readonly string[]): readonly string[] {
  return words.flatMap((word, index) => {
    const pair = `${word} ${words[index + 1] ?? ''}`;
    return commands.includes(pair) ? [pair] : commands.includes(word) ? [word] : [];
  });
}

function settingsIn(statement: string): readonly string[] {
  return literalsOf(statement)
    .flatMap((literal) => {
      const [, setting = ''] = /^([\w.]+)=/.exec(literal) ?? [];
      return [setting, ...namesInToml(literal)].filter((name) => Object.hasOwn(SETTINGS, name));
    })
    .concat(
      Object.keys(SETTINGS).filter((name) => new RegExp(`\\b${environmentName(name)}\\b`).test(statement)),
    );
}

function namesInToml(text: string): readonly string[] {
  if (!/^\s*[\w.[\]]+\s*(=|\n)/.test(text)) return [];
  // The test may insert a value.
  const completeText = text.replaceAll(/\$\{[^}]*\}/g, '0');
  try {
    return [...dotted(parse(completeText), '')];
  } catch {
    return [];
  }
}

function* dotted(table: object, prefix: string): Generator<string> {
  for (const [name, value] of Object.entries(table))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* dotted(value, `${prefix}${name}.`);
    else yield prefix + name;
}
