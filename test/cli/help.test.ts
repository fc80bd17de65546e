/**
 * Every text of the command line is Portuguese: help of every command, and every misuse (commander's
 * words too).
 */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Command, CommanderError } from 'commander';
import { commandsFor } from '../../src/cli/commands.ts';
import { command } from '../../src/cli/command.ts';
import { ROOT } from '../support/sources.ts';

async function program(): Promise<Command> {
  const helpCommand = command('catp', 'x').helpCommand('help [comando]', 'mostra a ajuda de um comando');
  for (const one of await commandsFor(undefined)) helpCommand.addCommand(one);
  return helpCommand;
}

const everyCommand = (from: Command): Command[] => [from, ...from.commands.flatMap(everyCommand)];

/** Titles and remarks of commander, and common English words of help texts. */
const ENGLISH =
  /\b(Usage|Options|Commands|Arguments|Global|default|choices|preset|display|help for|error|unknown|missing|required|argument|too many|Did you mean|cannot|invalid|Expected|one of|the|and|with|options|command)\b/i;

/** Removes names of this project that only look English. */
const withoutNames = (text: string): string =>
  text.replaceAll(
    /--[\w-]+|unknown-ca|\bcatp [a-z -]+|\b(command|help|user|key|event|job|export|import|serve|dev)\b/g,
    '',
  );

describe('the help', () => {
  test('of every command is Portuguese, and describes each argument and flag', async () => {
    const all = everyCommand(await program());
    expect(all.length).toBeGreaterThan(30);
    for (const one of all) {
      const path = pathOf(one);
      const text = one.helpInformation();
      expect(text).toStartWith(`Uso: ${path}`);
      expect([path, withoutNames(text).match(ENGLISH)?.[0]]).toEqual([path, undefined]);
      expect([path, one.description() === '']).toEqual([path, false]);
      for (const option of one.options)
        expect([path, option.flags, (option.description ?? '').length > 3]).toEqual([
          path,
          option.flags,
          true,
        ]);
    }
  });

  test('of every command is in columns, without a gap in a sentence', async () => {
    for (const one of everyCommand(await program())) {
      const lines = one.helpInformation().split('\n');
      // A line has a term and its description; continuation lines begin at the same column.
      const columns = lines.flatMap(
        (line) => /^ {2}\S.*? {2,}(?=\S)|^ {8,}(?=\S)/.exec(line)?.[0].length ?? [],
      );
      expect([pathOf(one), new Set(columns).size]).toEqual([pathOf(one), 1]);
      expect([pathOf(one), lines.filter((line) => /\S {2,}\S.*\S {2,}\S/.test(line))]).toEqual([
        pathOf(one),
        [],
      ]);
    }
  });
});

function pathOf(one: Command): string {
  return one.parent === null ? one.name() : `${pathOf(one.parent)} ${one.name()}`;
}

/** Returns the message of a misuse, and its kind in commander. */
async function misuse(...words: string[]): Promise<{ output: string; kind: string }> {
  let output = '';
  const root = await program();
  for (const one of everyCommand(root))
    one.configureOutput({ writeErr: (text) => (output += text), writeOut: (text) => (output += text) });
  const kind = await root.parseAsync(words, { from: 'user' }).then(
    () => 'none',
    (error: CommanderError) => error.code ?? String(error),
  );
  return { output, kind };
}

/** Every message of commander by its code, with the Portuguese replacement. */
const MISUSES: readonly (readonly [kind: string, words: readonly string[], said: string])[] = [
  ['commander.unknownCommand', ['servir'], "catp: não existe o comando 'servir'."],
  ['commander.unknownCommand', ['serv'], '(Você quis dizer serve?)'],
  ['commander.unknownCommand', ['event', 'lis'], '(Você quis dizer list?)'],
  ['commander.unknownOption', ['serve', '--porta', '1'], "catp: não existe a opção '--porta'."],
  ['commander.unknownOption', ['serve', '--por', '1'], '(Você quis dizer --port?)'],
  ['commander.unknownOption', ['dev', '--tls-ke', 'x'], '(Você quis dizer '],
  ['commander.missingArgument', ['key', 'add'], "catp: falta o argumento 'documento'."],
  ['commander.optionMissingArgument', ['serve', '--port'], "catp: falta o valor da opção '--port <n>'."],
  [
    'commander.missingMandatoryOptionValue',
    ['export', 'produto'],
    "catp: falta a opção obrigatória '--empresa",
  ],
  ['commander.conflictingOption', ['receiver', '--hang', '--reset'], 'não combina com'],
  ['commander.invalidArgument', ['receiver', '--bad-cert', 'x'], "recebeu 'x'; aceita "],
  ['commander.excessArguments', ['key', 'list', 'a', 'b'], 'argumentos demais: aceita 0, recebeu 2 (a, b).'],
  ['commander.help', ['key'], 'Uso: catp key'],
];

describe('a misuse', () => {
  test.each(MISUSES)('%s %j is reported in Portuguese', async (kind, words, message) => {
    const { output, kind: actualKind } = await misuse(...words);
    expect(actualKind).toBe(kind);
    expect(output).toContain(message);
    expect(withoutNames(output).match(ENGLISH)?.[0]).toBeUndefined();
  });

  test('is every flag that requires a value and gets none, an empty one, or another flag', async () => {
    for (const one of everyCommand(await program()))
      for (const { long, required } of one.options) {
        if (!required || long == null) continue;
        one.configureOutput({ writeErr: () => undefined });
        for (const words of [[long], [long, ''], [`${long}=`], [long, '-h'], [long, '--data'], [long, '--']])
          expect(() => one.parseOptions(words)).toThrow('argument missing');
      }
  });

  test('the cases cover every kind that commander knows', () => {
    const source = readFileSync(`${ROOT}/node_modules/commander/lib/command.js`, 'utf8');
    const kinds = new Set([...source.matchAll(/'(commander\.[a-zA-Z]+)'/g)].map(([, kind = '']) => kind));
    // These are no misuses, except a hook for libraries, which this command line does not use.
    for (const kind of ['helpDisplayed', 'version', 'executeSubCommandAsync', 'error'])
      kinds.delete(`commander.${kind}`);
    const tried = new Set(MISUSES.map(([kind]) => kind));
    expect([...kinds].filter((kind) => !tried.has(kind))).toEqual([]);
  });
});
