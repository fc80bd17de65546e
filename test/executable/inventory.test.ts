/**
 * No surface is untested: a test passes each command, flag and setting of `--help`, README or a page to the
 * executable.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { SETTINGS } from '../../src/settings/settings.ts';
import { documents } from '../support/documents.ts';
import { sourcesUnder } from '../support/sources.ts';
import { type Offer, type Usage, readOffer, usageOf } from './inventory.ts';

let offer: Offer;
let usage: Usage;
beforeAll(async () => {
  offer = await readOffer();
  const tests = await sourcesUnder('test/executable');
  usage = usageOf(
    tests.filter(({ path }) => path.endsWith('.test.ts')),
    offer,
  );
});

describe('a test runs the executable with', () => {
  test('every command', () => {
    // A group of commands only prints its help.
    const isGroup = (command: string): boolean =>
      offer.commands.some((candidate) => candidate.startsWith(`${command} `));
    const expected = offer.commands.filter((command) => !isGroup(command) || command === 'receiver');
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.filter((command) => !usage.commands.has(command))).toEqual([]);
  });

  test('every flag of every command', () => {
    // `readOffer` has already run the help of each command.
    const expected = offer.flags.filter((flag) => !flag.endsWith('--help'));
    expect(expected.length).toBeGreaterThan(60);
    expect(expected.filter((flag) => !usage.flags.has(flag))).toEqual([]);
  });

  test('every setting', () => {
    expect(Object.keys(SETTINGS).filter((name) => !usage.settings.has(name))).toEqual([]);
  });
});

/** Matches a command line in a document: `catp user add 1 --nome X`. */
const COMMAND_LINE = /(?:`|^\s*(?:exec )?)(?:dist\/)?catp ((?:[^`\n\\]|\\\n)+)/gm;

test('README and the pages name no command, and no flag of one, that does not exist', async () => {
  const unknown: string[] = [];
  let count = 0;
  for (const { path, text } of await documents())
    for (const [line, all = ''] of text.matchAll(COMMAND_LINE)) {
      // The command line of another program follows.
      const [commandLine = ''] = all.split(' -- ', 1);
      const words = commandLine.split(/\s+/).map((word) => word.replaceAll(/[^\w-]/g, ''));
      const [first = '', second = ''] = words;
      if (!/^[a-z]/.test(first)) continue; // `catp --help`
      const command = [`${first} ${second}`, first].find((candidate) => offer.commands.includes(candidate));
      count += 1;
      if (command === undefined) unknown.push(`${path}: ${line}`);
      for (const [flag] of commandLine.matchAll(/(?<![\w-])--[a-z][a-z-]+/g))
        if (!offer.flags.includes(`${command} ${flag}`)) unknown.push(`${path}: ${line} (${flag})`);
    }
  expect(count).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

describe('the evidence of a test', () => {
  const usageIn = (text: string): Usage =>
    usageOf([{ path: 'x.test.ts', text, code: text, imports: [] }], {
      commands: ['dev', 'user', 'user add'],
      flags: [],
    });

  test('includes a flag next to its command, in one statement', () => {
    const { commands, flags } = usageIn("alone.run(['user', 'add', '--nome', 'X']);\nalone.run(['dev']);\n");
    expect([[...commands], [...flags]]).toEqual([['user add', 'dev'], ['user add --nome']]);
    expect([...usageIn("run('user add 1 --nome X');\n").flags]).toEqual(['user add --nome']);
  });

  test('includes the value of a constant of the file', () => {
    const { flags } = usageIn("const ON = ['--x', '--y'];\nrun('dev', ...ON, '--z');\n");
    expect([...flags]).toEqual(['dev --z', 'dev --x', 'dev --y']);
  });

  test('excludes a flag in an expected output or in a comment', () => {
    expect([...usageIn("expect(alone.run(['dev'])).toContain('--port');\n").flags]).toEqual([]);
    expect([...usageIn("alone.run(['dev']); // '--port'\n").flags]).toEqual([]);
  });

  test('includes a setting by --set, by the environment or in a file', () => {
    const { settings } = usageIn(
      "run(['--set', 'perfil=portal'], { CATP_LOG_NIVEL: 'error' });\nwrite('porta = 1\\n[entrega]\\nredes = \"todas\"\\n');\nexpect('tls.chave: falta');\n",
    );
    expect([...settings].toSorted()).toEqual(['entrega.redes', 'log.nivel', 'perfil', 'porta']);
  });
});
