/** scripts/test ends with its own line, whatever becomes of the tests. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

/** What a dead runner leaves behind lives longer than the test may take. */
const LEFT_FOR_S = 45;
const ENDED_WITHIN_MS = 40_000;

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'catp-scripts-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function lastLineOf(name: string, tests: string): Promise<{ line: string | undefined; code: number }> {
  const file = join(folder, `${name}.test.ts`);
  await Bun.write(file, `import { expect, test } from 'bun:test';\n${tests}`);
  const run = Bun.spawn([process.execPath, 'run', join(ROOT, 'scripts/test.ts'), file], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const [text, code] = await Promise.all([new Response(run.stdout).text(), run.exited]);
  return { line: text.trimEnd().split('\n').at(-1), code };
}

const PASSES = `test('a', () => expect(1).toBe(1)); test('b', () => expect(2).toBe(2));\n`;

describe('the last line of scripts/test', () => {
  test('counts what passed and what failed, and says nothing of skipped ones when there are none', async () => {
    const all = await lastLineOf('passes', PASSES);
    expect(all).toEqual({ line: '2 passed, 0 failed', code: 0 });
    const one = await lastLineOf('fails', `${PASSES}test('c', () => expect(1).toBe(2));`);
    expect(one).toEqual({ line: '2 passed, 1 failed', code: 1 });
  });

  test('says how many were skipped, or only planned', async () => {
    const some = await lastLineOf('skips', `${PASSES}test.skip('c', () => undefined); test.todo('d');`);
    expect(some).toEqual({ line: '2 passed, 0 failed, 2 skipped', code: 0 });
  });

  test(
    'comes when the runner dies, and does not wait for what it left behind',
    async () => {
      const left = `Bun.spawn(['sleep', '${LEFT_FOR_S}'], { stdout: 'inherit', stderr: 'inherit' }).unref();`;
      const dies = `${PASSES}test('c', () => { ${left} process.kill(process.pid, 'SIGKILL'); });`;
      expect(await lastLineOf('dies', dies)).toEqual({ line: '0 passed, 1 failed', code: 1 });
    },
    ENDED_WITHIN_MS,
  );

  test('counts a file that cannot be read as a failure', async () => {
    expect(await lastLineOf('broken', 'const = ;')).toMatchObject({ code: 1 });
  });
});
