/**
 * The parser of frequent command lines returns the result of commander; all other lines are left to
 * commander.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { commandOf } from '../../src/cli/command.ts';
import { PLAIN } from '../../src/cli/commands.ts';
import { readPlainly } from '../../src/cli/flag.ts';

type Name = keyof typeof PLAIN;

const COMMANDS = { serve: await PLAIN.serve(), health: await PLAIN.health() } satisfies Record<Name, unknown>;

/** Returns the result of commander, or its refusal. */
async function byCommander(words: readonly string[], name: Name = 'serve'): Promise<unknown> {
  let read: unknown;
  const run = (flags: never): Promise<void> => Promise.resolve(void (read = flags));
  const command = commandOf({ ...COMMANDS[name], run }).configureOutput({
    writeOut: () => undefined,
    writeErr: () => undefined,
  });
  try {
    await command.parseAsync([...words], { from: 'user' });
    return read;
  } catch (error) {
    return { refused: String(error) };
  }
}

function plainly(words: readonly string[], name: Name = 'serve'): unknown {
  try {
    return readPlainly(words, COMMANDS[name].flags);
  } catch (error) {
    return { refused: String(error) };
  }
}

const NAMES = Object.keys(PLAIN) as Name[];
const flagsOf = (name: Name): string[] =>
  COMMANDS[name].flags.map(({ usage: written }) => written.split(' ')[0] ?? '');

describe('a line of flags and values is read without commander, with the same result', () => {
  test.each([
    [[]],
    [['--data', '/var/lib/catp']],
    [['--data', 'a b', '--host', '0.0.0.0', '--port', '8080']],
    [
      [
        '--set',
        'perfil=portal',
        '--set',
        'porta=1=2',
        '--map',
        'a:1=127.0.0.1:2',
        '--map',
        'b:1=127.0.0.1:2',
      ],
    ],
    [['--data', 'a', '--data', 'b', '--tls-client-ca', 'ca.pem', '--config', 'x.toml']],
    [['--set', 'sem-valor']],
  ])('%j', async (words) => {
    const read = plainly(words);
    expect(read).toBeDefined();
    expect(await byCommander(words)).toEqual(read);
  });

  test.each([
    [[], { url: 'http://127.0.0.1:8080', wait: 0 }],
    [['--wait', '30'], { url: 'http://127.0.0.1:8080', wait: 30 }],
    [['--url', 'https://catp.example', '--wait', '0'], { url: 'https://catp.example', wait: 0 }],
  ])('of catp health, %j', async (words, expected) => {
    expect(plainly(words, 'health')).toEqual(expected);
    expect(await byCommander(words, 'health')).toEqual(expected);
  });

  test.each(NAMES)('of catp %s, with any values', async (name) => {
    const flags = flagsOf(name);
    const word = fc.oneof(
      fc.constantFrom(
        ...flags,
        '--data=x',
        '--set=a=b',
        '-h',
        '--',
        '-',
        '--porta',
        '--raiz',
        '',
        'x',
        'a=b',
        '--set',
        '30',
      ),
      fc.string({ maxLength: 4 }),
    );
    const pair = fc.tuple(fc.constantFrom(...flags), word).map((both) => [...both]);
    const line = fc.array(
      fc.oneof({ weight: 4, arbitrary: pair }, { weight: 1, arbitrary: word.map((one) => [one]) }),
      {
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(line, async (parts) => {
        const words = parts.flat();
        const read = plainly(words, name);
        if (read !== undefined) expect(await byCommander(words, name)).toEqual(read);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  [['--help']],
  [['-h']],
  [['--data=/var/lib/catp']],
  [['--data']],
  [['--data', '']],
  [['--data', '--port']],
  [['--data', '-x']],
  [['--porta', '1']],
  [['dados']],
  [['--', '--data', 'x']],
])('%j is left to commander', (words) => {
  expect(plainly(words)).toBeUndefined();
});
