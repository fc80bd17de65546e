/**
 * `catp chaos`: runs a suite once without faults and then once under each set. With the packages:
 * package-suites.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fallenTests } from '../../src/cli/fallen-tests.ts';
import { CHAOS_SET_NAMES } from '../../src/dev/fault/model.ts';
import { type Alone, type Finished, openAlone } from './support.ts';

let alone: Alone;
beforeAll(async () => {
  alone = await openAlone();
});
afterAll(() => alone.close());

const PATH = { PATH: Bun.env['PATH'] ?? '' };
const chaos = (script: string, ...flags: readonly string[]): Finished =>
  alone.run(['chaos', ...flags, '--', 'sh', '-c', script], PATH);

describe('catp chaos', () => {
  test('runs the suite calm, then under each set; of those that fell it names the tests, or shows the end of what was said', () => {
    const script = `echo "$CAOS" >> vezes
      case $CAOS in
        *:respostas-perdidas) printf 'not ok 1 - inclui\\nnot ok 2 - retifica\\n'; exit 1;;
        *:tudo) echo 'sem nome'; exit 3;;
      esac`;
    const { code, stdout, stderr } = chaos(script);
    expect(readFileSync(join(alone.folder, 'vezes'), 'utf8').split('\n')).toEqual([
      '',
      ...CHAOS_SET_NAMES.map((name) => `1:${name}`),
      '',
    ]);
    rmSync(join(alone.folder, 'vezes'));
    expect(code).toBe(1);
    expect(stdout).toContain('respostas-perdidas  caiu    inclui\nrespostas-perdidas  caiu    retifica\n');
    expect(stdout).toContain('\nlentidao            passou\n');
    expect(stdout).toContain('\ntudo                caiu    (código 3)\n');
    expect(stdout).toContain('tudo, o fim do que a suíte disse:\nsem nome\n');
    expect(stdout).toContain('A suíte caiu sob 2 de 10 conjuntos. ');
    expect(stdout).toContain('CAOS=1:respostas-perdidas');
    expect(stderr).toContain('catp chaos: sem falhas: passou');
  });

  test('under the sets that are asked for, by the seed that is asked for', () => {
    const sets = ['--set', 'lentidao', '--set', 'hora-cheia'];
    const script = 'case $CAOS in ""|8:lentidao|8:hora-cheia);; *) exit 1;; esac';
    const { code, stdout } = chaos(script, '--seed', '8', ...sets);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('A suíte caiu sob 0 de 2 conjuntos. Se ela não começa'),
    ]);
    expect(alone.run(['chaos', '--seed', '8', '--set', 'lentidao', '--', 'true'], PATH).code).toBe(0);
  });

  test('runs under no set a suite that falls without faults', () => {
    const { code, stdout, stderr } = chaos('echo "por isto: $CAOS"; exit 4');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('a suíte já cai sem falha nenhuma (código 4)');
    expect(stderr).toContain('por isto:\n');
  });

  test.each([
    [['--set', 'nada', '--', 'true'], '--set: recebido "nada"; aceita respostas-perdidas,'],
    [['--seed', '1:2', '--', 'true'], '--seed: recebido "1:2"; aceita até 20 letras'],
    [['--seed', 'a'.repeat(21), '--', 'true'], '--seed: recebido'],
    [['--', 'nao-ha'], 'não há programa "nao-ha"'],
    [[], "falta o argumento 'comando'"],
  ])('refuses %p', (words, why) => {
    const { code, stdout, stderr } = alone.run(['chaos', ...words], PATH);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)]);
  });
});

test('a seed has up to twenty letters', () => {
  expect(alone.run(['chaos', '--set', 'tudo', '--seed', 'a'.repeat(20), '--', 'true'], PATH).code).toBe(0);
});

describe('the tests that fell are read from what is printed by', () => {
  test.each([
    [
      'node --test',
      `ok 1 - passa\n    not ok 1 - inclui um\n      ---\n      failureType: 'testCodeFailure'\n      ...\nnot ok 2 - grupo
  ---\n  failureType: 'subtestsFailed'\n  ...\nnot ok 3 - depois # TODO\nnot ok 4 - a - b`,
      ['inclui um', 'a - b'],
    ],
    [
      'node --test, in colours',
      '\u001b[31m✖ inclui (4.9ms)\u001b[39m\n✔ passa (2ms)\n✖ failing tests:\n✖ inclui (4.9ms)',
      ['inclui'],
    ],
    [
      'Jest and Vitest',
      '  ✕ inclui um (12 ms)\n × a.test.ts > inclui dois 12ms',
      ['inclui um', 'a.test.ts > inclui dois'],
    ],
    [
      'pytest',
      'FAILED test_a.py::test_um[a b] - assert 1 == 2\nERROR test_a.py::test_dois - RuntimeError\nERROR    root:a.py:1 x',
      ['test_a.py::test_um[a b]', 'test_a.py::test_dois'],
    ],
    [
      'Maven',
      `[ERROR] Tests run: 2, Failures: 1, Time elapsed: 1 s <<< FAILURE! -- in ATest
[ERROR] ATest.um -- Time elapsed: 0.01 s <<< FAILURE!\n[ERROR] ATest.dois -- Time elapsed: 0 s <<< ERROR!\n[ERROR]   ATest.um:3`,
      ['ATest.um', 'ATest.dois'],
    ],
    ['Gradle', 'ATest > um() FAILED\nATest > dois() PASSED', ['ATest > um()']],
  ])('%s', (_, output, fallen) => {
    expect(fallenTests(output)).toEqual(fallen);
  });
});
