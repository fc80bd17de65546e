/** The `scripts` of package.json do what their names promise, in a copy of the project. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { ROOT } from '../support/sources.ts';

/** Compilers and linters start on a busy machine. */
const STARTED_WITHIN_MS = 60_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catp-package-'));
  for (const file of ['package.json', 'tsconfig.json', '.oxlintrc.json', 'knip.ts'])
    cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // The script runs answers.ts first, which does nothing in this copy.
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts', 'answers.ts'), 'export {};\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, text: string): Promise<number> => Bun.write(join(folder, file), text);

async function run(name: keyof typeof scripts, ...more: string[]): Promise<{ output: string; code: number }> {
  const { stdout, stderr, exited } = Bun.spawn([process.execPath, 'run', name, ...more], {
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, error, code] = await Promise.all([
    new Response(stdout).text(),
    new Response(stderr).text(),
    exited,
  ]);
  return { output: out + error, code };
}

test(
  'lint reports a promise without await, and accepts an awaited one',
  async () => {
    await write('src/main.ts', 'const work = async (): Promise<void> => {};\nawait work();\n');
    expect((await run('lint')).output).toContain('Found 0 warnings and 0 errors');
    await write('src/main.ts', 'const work = async (): Promise<void> => {};\nwork();\n');
    const { output, code } = await run('lint');
    expect(output).toContain('no-floating-promises');
    expect(code).not.toBe(0);
  },
  STARTED_WITHIN_MS,
);

test(
  'lint distinguishes the pages, a Worker, and a script',
  async () => {
    await write('src/main.ts', 'process.exitCode = 0;\n');
    await write('src/web/main.tsx', "const { Page } = await import('./page.tsx');\nPage();\n");
    await write('src/web/page.tsx', "export const Page = (): void => void (document.title = 'catp');\n");
    await write('src/long.worker.ts', 'postMessage(1);\n');
    await write('scripts/one.ts', 'process.exitCode = 0;\n');
    const { output } = await run('lint');
    expect(output).toContain('Found 0 warnings and 0 errors');
    expect(output).not.toContain('Unused files');
  },
  STARTED_WITHIN_MS,
);

test(
  'lint reports an unused file, and an unused export of a file',
  async () => {
    await write('src/main.ts', "import { used } from './names.ts';\nprocess.exitCode = used;\n");
    await write('src/names.ts', 'export const used = 1;\nexport const forgotten = 2;\n');
    await write('src/alone.ts', 'export const alone = 3;\n');
    const { output, code } = await run('lint');
    expect(output).toMatch(/Unused files[\s\S]*src\/alone\.ts/);
    expect(output).toMatch(/Unused exports[\s\S]*forgotten/);
    expect(output).not.toMatch(/\bused\b.*names\.ts/);
    expect(code).not.toBe(0);
  },
  STARTED_WITHIN_MS,
);

test(
  'types reports a text in place of a number',
  async () => {
    await write('src/main.ts', "export const number: number = 'one';\n");
    expect(await run('types')).toEqual({
      output: expect.stringContaining('TS2322'),
      code: expect.any(Number),
    });
  },
  STARTED_WITHIN_MS,
);

test(
  'format writes a file in the style of the project',
  async () => {
    await write('src/main.ts', 'export  const text = "one"');
    expect(await run('format')).toMatchObject({ code: 0 });
    expect(await Bun.file(join(folder, 'src/main.ts')).text()).toBe("export const text = 'one';\n");
  },
  STARTED_WITHIN_MS,
);

test(
  'test:one runs the given tests, and no other',
  async () => {
    const file = (name: string): string => `import { test } from 'bun:test';\ntest('${name}', () => {});\n`;
    await write('test/a.test.ts', file('of a'));
    await write('test/b.test.ts', file('of b'));
    const { output, code } = await run('test:one', 'test/a.test.ts');
    expect([output.includes('of a'), output.includes('of b'), code]).toEqual([true, false, 0]);
  },
  STARTED_WITHIN_MS,
);

test.each(['test', 'bench', 'simulate'] as const)(
  '%s is scripts/%s, with further arguments',
  async (name) => {
    await write(`scripts/${name}`, '#!/bin/sh\necho "called $0 $*"\n');
    chmodSync(join(folder, 'scripts', name), 0o755);
    expect((await run(name, '--only', 'one')).output).toContain(`called scripts/${name} --only one`);
  },
);

test('build is the one of scripts/build', async () => {
  await write('scripts/build.ts', "console.log('built', process.argv.slice(2).join());\n");
  expect((await run('build', '--force')).output).toContain('built --force');
});

test(
  'dev restarts when a source has changed',
  async () => {
    await write('src/other.ts', 'export const other = 1;\n');
    await write(
      'src/main.ts',
      "import { other } from './other.ts';\nconsole.log(`began with ${other}`, ...process.argv.slice(2));\nsetInterval(() => {}, 1000);\n",
    );
    const dev = Bun.spawn([process.execPath, 'run', 'dev', '--port', '0'], {
      cwd: folder,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
    });
    let output = '';
    const decoder = new TextDecoder();
    for await (const bytes of dev.stdout) {
      const hadBegun = output.includes('began with 1 dev --port 0');
      output += decoder.decode(bytes, { stream: true });
      if (!hadBegun && output.includes('began with 1 dev --port 0'))
        appendFileSync(join(folder, 'src/other.ts'), 'process.title;\n');
      if (output.match(/began with/g)?.length === 2) break;
    }
    dev.kill('SIGKILL');
    await dev.exited;
    expect(output.match(/began with 1 dev --port 0/g)).toHaveLength(2);
  },
  STARTED_WITHIN_MS,
);

test('every other script is tested', () => {
  const tried = ['dev', 'test', 'test:one', 'lint', 'types', 'format', 'build', 'bench', 'simulate'];
  expect(Object.keys(scripts)).toEqual(tried);
});
