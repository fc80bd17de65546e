/** The test suites that the page shows (suites-de-teste) are run as they stand there, where their runtimes are. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fences } from '../support/documents.ts';
import { builtExecutable } from '../support/executable.ts';
import { ROOT } from '../support/sources.ts';

const EXAMPLES = join(ROOT, 'scripts/examples');
const NODE_SUITE = 'produtos.test.mjs';
const PYTHON_SUITE = 'test_produtos.py';
const JAVA_SUITE = 'ProdutosTest.java';
const LONGEST_MS = 90_000;

let folder: string;
let executable: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catp-examples-'));
  executable = await builtExecutable();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(words: readonly string[]): { code: number; output: string } {
  const env: Record<string, string | undefined> = { ...Bun.env, CATP: executable };
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { cwd: folder, env, stdin: 'ignore' });
  return { code: exitCode, output: `${stdout.toString()}${stderr.toString()}` };
}

/** Whether a program can be started here; says so where it cannot. */
function isThere(what: string, ...words: string[]): boolean {
  const found = Bun.which(words[0] ?? '') !== null && Bun.spawnSync(words).exitCode === 0;
  if (!found) console.warn(`ATENÇÃO: sem ${what}; sua suíte de exemplo NÃO foi rodada.`);
  return found;
}

const suite = (name: string): string => {
  copyFileSync(join(EXAMPLES, name), join(folder, name));
  return name;
};

test('the page shows them as they are', async () => {
  const shown = (await fences()).map(({ code }) => code.trim());
  for (const name of [NODE_SUITE, PYTHON_SUITE, JAVA_SUITE])
    expect(shown).toContain(readFileSync(join(EXAMPLES, name), 'utf8').trim());
});

test.if(isThere('Node.js', 'node', '--version'))(
  'Node.js: every test of the suite passes, each from the same state',
  () => {
    const { code, output } = run(['node', '--test', '--test-reporter=tap', suite(NODE_SUITE)]);
    expect(output).toContain('# pass 3');
    expect(code).toBe(0);
  },
  LONGEST_MS,
);

test.if(isThere('pytest', 'pytest', '--version'))(
  'pytest: every test of the suite passes, each from the same state',
  () => {
    const { code, output } = run(['pytest', '-q', '-p', 'no:cacheprovider', suite(PYTHON_SUITE)]);
    expect(output).toContain('3 passed');
    expect(code).toBe(0);
  },
  LONGEST_MS,
);

/** JUnit is not in our packages: just enough of it to compile the suite, and to run it in JUnit's order. */
const JUNIT: Readonly<Record<string, string>> = Object.fromEntries([
  ...['Test', 'BeforeAll', 'AfterAll', 'BeforeEach'].map((name) => [
    `org/junit/jupiter/api/${name}.java`,
    `package org.junit.jupiter.api; import java.lang.annotation.*;
     @Retention(RetentionPolicy.RUNTIME) public @interface ${name} {}`,
  ]),
  [
    'org/junit/jupiter/api/Assertions.java',
    `package org.junit.jupiter.api; public class Assertions {
       public static void assertEquals(Object a, Object b) { if (!a.equals(b)) throw new AssertionError(a + " " + b); }
       public static void assertEquals(int a, int b) { if (a != b) throw new AssertionError(a + " " + b); }
       public static void assertTrue(boolean a) { if (!a) throw new AssertionError(); } }`,
  ],
  [
    'Runner.java',
    `import java.lang.annotation.Annotation; import java.lang.reflect.*; import org.junit.jupiter.api.*;
     public class Runner {
       static void all(Class<? extends Annotation> kind, Object on) throws Exception {
         for (Method one : ProdutosTest.class.getDeclaredMethods())
           if (one.isAnnotationPresent(kind)) { one.setAccessible(true); one.invoke(on); } }
       public static void main(String[] words) throws Exception {
         all(BeforeAll.class, null);
         try {
           for (Method one : ProdutosTest.class.getDeclaredMethods())
             if (one.isAnnotationPresent(Test.class)) {
               Object suite = new ProdutosTest(); one.setAccessible(true);
               all(BeforeEach.class, suite); one.invoke(suite); System.out.println("passed " + one.getName()); }
         } finally { all(AfterAll.class, null); } } }`,
  ],
]);

test.if(isThere('JDK', 'javac', '-version'))(
  'JUnit: the suite compiles, and every test of it passes, each from the same state',
  async () => {
    for (const [path, text] of Object.entries(JUNIT)) await Bun.write(join(folder, path), text);
    writeFileSync(join(folder, JAVA_SUITE), readFileSync(join(EXAMPLES, JAVA_SUITE)));
    const compiled = run(['javac', '-encoding', 'UTF-8', '-d', 'classes', JAVA_SUITE, ...Object.keys(JUNIT)]);
    expect(compiled).toEqual({ code: 0, output: '' });
    const { code, output } = run(['java', '-cp', 'classes', 'Runner']);
    expect(output.match(/^passed /gm)).toHaveLength(3);
    expect(code).toBe(0);
  },
  LONGEST_MS,
);
