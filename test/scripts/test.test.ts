/** scripts/test ends with its own line, for any end of the tests. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/sources.ts';

/** The lifetime of processes that a dead runner leaves is longer than the timeout of the test. */
const LEFT_FOR_S = 45;
const ENDED_WITHIN_MS = 40_000;

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'catp-scripts-test-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function outputOf(name: string, tests: string): Promise<{ text: string; code: number }> {
  const file = join(folder, `${name}.test.ts`);
  await Bun.write(file, `import { expect, test } from 'bun:test';\n${tests}`);
  const run = Bun.spawn([process.execPath, 'run', join(ROOT, 'scripts/test.ts'), file], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });
  const [text, code] = await Promise.all([new Response(run.stdout).text(), run.exited]);
  return { text, code };
}

async function lastLineOf(name: string, tests: string): Promise<{ line: string | undefined; code: number }> {
  const { text, code } = await outputOf(name, tests);
  return { line: text.trimEnd().split('\n').at(-1), code };
}

const PASSES = `test('a', () => expect(1).toBe(1)); test('b', () => expect(2).toBe(2));\n`;

describe('the last line of scripts/test', () => {
  test('counts passed and failed tests, and names no skipped ones when there are none', async () => {
    const all = await lastLineOf('passes', PASSES);
    expect(all).toEqual({ line: '2 passed, 0 failed', code: 0 });
    const one = await lastLineOf('fails', `${PASSES}test('c', () => expect(1).toBe(2));`);
    expect(one).toEqual({ line: '2 passed, 1 failed', code: 1 });
  });

  test('has the number of skipped and of planned tests', async () => {
    const some = await lastLineOf('skips', `${PASSES}test.skip('c', () => undefined); test.todo('d');`);
    expect(some).toEqual({ line: '2 passed, 0 failed, 2 skipped', code: 0 });
  });

  test(
    'is printed when the runner dies, without a wait for its remaining processes',
    async () => {
      const leaveProcess = `Bun.spawn(['sleep', '${LEFT_FOR_S}'], { stdout: 'inherit', stderr: 'inherit' }).unref();`;
      const dies = `${PASSES}test('c', () => { ${leaveProcess} process.kill(process.pid, 'SIGKILL'); });`;
      expect(await lastLineOf('dies', dies)).toEqual({ line: '0 passed, 1 failed', code: 1 });
    },
    ENDED_WITHIN_MS,
  );

  test('counts an error of a hook outside of any test, and repeats it before the last line', async () => {
    const hook = `import { afterAll } from 'bun:test';
      afterAll(async () => { void Promise.reject(new Error('too late')); await Bun.sleep(50); });`;
    const { text, code } = await outputOf('hook', `${PASSES}${hook}`);
    expect(code).toBe(1);
    expect(text).toMatch(/✗ fora de um teste.*\n[^]*error: too late\n[^]*\n2 passed, 1 failed\n$/);
  });

  test('counts an unreadable file as a failure', async () => {
    expect(await lastLineOf('broken', 'const = ;')).toMatchObject({ code: 1 });
  });
});

describe('the script itself', () => {
  /** Copies scripts/test next to a setup with this line, and a bun with that line. */
  function copied(setup: string, bun: string): string {
    const home = mkdtempSync(join(folder, 'copy-'));
    mkdirSync(join(home, 'scripts'));
    mkdirSync(join(home, 'bin'));
    for (const name of ['test', 'foreign-tools', 'proof/need-litestream'])
      cpSync(join(ROOT, 'scripts', name), join(home, 'scripts', name));
    writeFileSync(
      join(home, 'scripts', 'setup'),
      `set -euo pipefail\ncd '${home}'\n${setup}\nPATH="${home}/bin:$PATH"\n`,
    );
    for (const name of ['bun', 'chromium-headless-shell', 'firefox-esr', 'unzip', 'openssl']) {
      writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${name === 'bun' ? bun : ':'}\n`);
      chmodSync(join(home, 'bin', name), 0o755);
    }
    return join(home, 'scripts', 'test');
  }

  const resultOf = async (run: Bun.Subprocess<'ignore', 'pipe', 'ignore'>) => {
    const [text, code] = await Promise.all([new Response(run.stdout).text(), run.exited]);
    return { line: text.trimEnd().split('\n').at(-1), code };
  };
  const run = (script: string, ...words: string[]) =>
    Bun.spawn(['bash', script, ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' });

  test('runs the fast tests, with --all every check, or the named ones', async () => {
    const script = copied(':', 'shift 2; echo "with [$*]"');
    writeFileSync(join(script, '..', 'foreign-tools'), 'echo "foreign tools"\n');
    const linesOf = async (...words: string[]) =>
      (await new Response(run(script, ...words).stdout).text()).trimEnd().split('\n');
    expect(await linesOf()).toEqual(['with []']);
    expect(await linesOf('test/db', 'test/http')).toEqual(['with [test/db test/http]']);
    expect(await linesOf('--yes', '--all')).toEqual(['foreign tools', 'with [--all]']);
    expect(await linesOf('--all', 'test/db')).toEqual(['foreign tools', 'with [test/db]']);
  });

  test('an unknown option is refused by name', async () => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(['bash', copied(':', 'exit 0'), '--tudo']);
    expect([exitCode, stdout.toString()]).toEqual([1, '0 passed, 1 failed\n']);
    expect(stderr.toString()).toBe(
      'test: --tudo não é uma opção; as que há são --all e --yes, e arquivos ou pastas de testes.\n',
    );
  });

  describe('with --all', () => {
    /** Runs it with only these programs. apt-get records its arguments. */
    function onBareSystem(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
      const script = copied('PATH=', 'exit 0');
      const bin = join(script, '../../bin');
      const notes = join(bin, 'notes');
      for (const [name, line] of Object.entries({
        'apt-get': `echo "$*" >>${notes}`,
        env: 'shift; exec "$@"',
        id: 'echo 0',
      }))
        writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
      const bash = Bun.which('bash') ?? '/bin/bash';
      const { exitCode, stderr } = Bun.spawnSync([bash, script, '--all', ...words], {
        env: { PATH: `${bin}:/usr/bin/nowhere`, ...env },
      });
      const installed = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
      return { exitCode, stderr: stderr.toString(), installed };
    }

    test('names the missing programs with the command, and installs nothing in it', () => {
      const { stderr, installed } = onBareSystem([]);
      expect(stderr).toContain('sudo apt-get install -y zsh fish bubblewrap systemd strace');
      expect(installed).not.toMatch(/^install -y|^update/m);
    });

    test.each([
      ['--yes', ['--yes'], {}],
      ['CI', [], { CI: '1' }],
    ] as const)('installs it with %s', (_, words, env) => {
      expect(onBareSystem(words, env).installed).toContain(
        'install -y -qq --no-install-recommends zsh fish bubblewrap systemd strace',
      );
    });
  });

  test.each([
    ['nothing can be set up', 'false', 'exit 0'],
    ['the runner is killed', ':', 'kill -9 $$'],
    ['the runner cannot begin', ':', 'exit 127'],
  ])('reports 1 failed when %s', async (_, setup, bun) => {
    expect(await resultOf(run(copied(setup, bun)))).toEqual({ line: '0 passed, 1 failed', code: 1 });
  });

  test('forwards the output of the runner', async () => {
    const passes = await resultOf(run(copied(':', 'echo "3 passed, 0 failed"')));
    expect(passes).toEqual({ line: '3 passed, 0 failed', code: 0 });
    const fails = await resultOf(run(copied(':', 'echo "3 passed, 2 failed"; exit 1')));
    expect(fails).toEqual({ line: '3 passed, 2 failed', code: 1 });
  });

  test('reports 1 failed when it is stopped by a signal', async () => {
    const script = run(copied(':', 'echo begun; exec sleep 20'));
    const reader = script.stdout.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const hadBegun = text.includes('begun');
      text += decoder.decode(next.value, { stream: true });
      if (!hadBegun && text.includes('begun')) script.kill('SIGTERM');
      if (text.includes('failed')) break;
    }
    expect(text).toEndWith('0 passed, 1 failed\n');
    expect(await script.exited).not.toBe(0);
  });
});
