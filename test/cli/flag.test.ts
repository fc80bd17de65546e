/** What is read without commander is what commander would have read; all else is left to it. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { commandOf } from '../../src/cli/command.ts';
import { PLAIN } from '../../src/cli/commands.ts';
import { readPlainly } from '../../src/cli/flag.ts';

/** As commander reads it, or what it refuses with. */
async function byCommander(words: readonly string[]): Promise<unknown> {
  let read: unknown;
  const run = (flags: never): Promise<void> => Promise.resolve(void (read = flags));
  const made = commandOf({ ...PLAIN.serve, run }).configureOutput({
    writeOut: () => undefined,
    writeErr: () => undefined,
  });
  try {
    await made.parseAsync([...words], { from: 'user' });
    return read;
  } catch (error) {
    return { refused: String(error) };
  }
}

function plainly(words: readonly string[]): unknown {
  try {
    return readPlainly(words, PLAIN.serve.flags);
  } catch (error) {
    return { refused: String(error) };
  }
}

const FLAGS = PLAIN.serve.flags.map(({ written }) => written.split(' ')[0] ?? '');

describe('a line of flags and values is read without commander, and as it reads it', () => {
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

  test('whatever the words are', async () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...FLAGS,
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
      ),
      fc.string({ maxLength: 4 }),
    );
    const pair = fc.tuple(fc.constantFrom(...FLAGS), word).map((both) => [...both]);
    const line = fc.array(
      fc.oneof({ weight: 4, arbitrary: pair }, { weight: 1, arbitrary: word.map((one) => [one]) }),
      {
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(line, async (parts) => {
        const words = parts.flat();
        const read = plainly(words);
        if (read !== undefined) expect(await byCommander(words)).toEqual(read);
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
