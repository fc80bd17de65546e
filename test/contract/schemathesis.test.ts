/** A public API tester finds no fault with the document: as many requests as fit into a minute. */
import { describe, expect, test } from 'bun:test';
import { isInstalled, runSchemathesis } from './schemathesis/run.ts';

if (!isInstalled)
  console.warn('ATENÇÃO: sem schemathesis (falta o Python 3 com pip); o documento NÃO foi posto à prova.');

/**
 * Examples, boundary values and a few generated requests of each operation, all valid by the document:
 * test/property covers invalid ones. The long run is `--mode all --max-examples 100`.
 */
const SHORT = ['--phases', 'examples,coverage,fuzzing,stateful', '--mode', 'positive', '--max-examples', '5'];
const RUN_TIMEOUT_MS = 240_000;

describe.skipIf(!isInstalled)('schemathesis finds no fault in', () => {
  test.each([
    ['the operations of the specification', 'demo', '^/(catp|portal|cadatributos)/'],
    ['the operations of the appliance', 'admin', '^/(appliance/.*|[a-z.]+)$'],
  ] as const)(
    '%s',
    async (_what, user, paths) => {
      const { exitCode, output } = await runSchemathesis(user, ['--include-path-regex', paths, ...SHORT]);
      // It finished, and sent requests.
      expect(output).toMatch(/\d{3,} generated, \d{3,} passed/);
      expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, '']);
    },
    RUN_TIMEOUT_MS,
  );
});
