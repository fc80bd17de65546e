/**
 * The test suites of the page `suites-de-teste`, run unchanged from the packed files alone: no network, and
 * no executable except that of the packages.
 */
import { beforeAll, describe, expect, test } from 'bun:test';
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAOS_SET_NAMES, type ChaosSetName } from '../../src/dev/fault/model.ts';
import { fences } from '../support/documents.ts';
import { ROOT } from '../support/sources.ts';
import { CHAOS_SUITES } from './package-chaos.ts';
import { FIXTURE_SUITES } from './package-fixtures.ts';
import { KILLED, STORIES } from './package-stories.ts';

const EXAMPLES = join(ROOT, 'scripts/examples');
const SUITES = { node: 'produtos.test.mjs', python: 'test_produtos.py', java: 'ProdutosTest.java' } as const;
/** The cache of Maven, filled by a first run with a network. */
const REPOSITORY = join(ROOT, '.tools', 'm2');

interface Kind {
  readonly flag: string;
  readonly isMissing: string | false;
}

const lacks = (...programs: readonly string[]): string | false =>
  programs.find((program) => Bun.which(program) === null) ?? false;

const KINDS = {
  node: { flag: '--npm', isMissing: lacks('node', 'npm') },
  python: { flag: '--wheel', isMissing: lacks('python3', 'pytest') },
  java: {
    flag: '--maven',
    isMissing:
      lacks('mvn', 'javac') || (!existsSync(REPOSITORY) && 'what scripts/test --all fetches for Maven'),
  },
} satisfies Record<string, Kind>;

for (const [name, { isMissing }] of Object.entries(KINDS))
  if (isMissing !== false)
    console.warn(`SKIPPED: ${isMissing} is missing; the package for ${name} is NOT tried`);

const POLL_MS = 50;
/** The exit code of shells for a kill -9. */
const KILLED_CODE = 137;

interface UnderChaos {
  /** The command that runs both tests of the suite. */
  readonly both: readonly string[];
  /** The command that runs only the repeating test. */
  readonly repeating: readonly string[];
  /** The sets that the repeating test passes under. */
  readonly sets: readonly ChaosSetName[];
  /** The name of the test that fails under lost answers, as its runner prints it. */
  readonly failingName: RegExp;
  /** The name of the repeating test, as its runner prints a failed one. */
  readonly repeatingName: RegExp;
}

/** Describes the tests. `pack` builds the packages into a folder of that name and returns the folder. */
export function describeSuites(pack: (name: string, ...flags: readonly string[]) => string): void {
  describe('the packages that include the executable', () => {
    let packed: string;
    beforeAll(() => {
      const flags = Object.values(KINDS).flatMap(({ flag, isMissing }) =>
        isMissing === false ? [flag] : [],
      );
      packed = pack('suites', ...flags);
    });
    const fileOf = (pattern: RegExp): string =>
      join(packed, readdirSync(packed).find((name) => pattern.test(name)) ?? `no ${pattern}`);

    function run(cwd: string, ...words: readonly string[]): { code: number; output: string } {
      const { CATP: _, ...env } = Bun.env;
      const deadProxy = { HTTPS_PROXY: 'http://127.0.0.1:9', HTTP_PROXY: 'http://127.0.0.1:9' };
      const places = { TMPDIR: room('temporarios'), XDG_CACHE_HOME: room('cache') };
      const { exitCode, signalCode, stdout, stderr } = Bun.spawnSync([...words], {
        cwd,
        env: { ...env, ...deadProxy, ...places, NO_COLOR: '1' },
        stdin: 'ignore',
      });
      return {
        code: signalCode === 'SIGKILL' ? KILLED_CODE : exitCode,
        output: `${stdout.toString()}${stderr.toString()}`,
      };
    }
    function runIn(cwd: string, ...words: readonly string[]): string {
      const { code, output } = run(cwd, ...words);
      expect([words.join(' '), code, code === 0 ? '' : output]).toEqual([words.join(' '), 0, '']);
      return output;
    }
    /** Tries a suite under the faults that the variable names. */
    function tryUnderChaos(
      folder: string,
      { both, repeating, sets, failingName, repeatingName }: UnderChaos,
    ): void {
      const under = (set: ChaosSetName): readonly string[] => ['env', `CAOS=1:${set}`];
      const { code, output } = run(folder, ...under('respostas-perdidas'), ...both);
      expect([code, output]).toEqual([1, expect.stringMatching(failingName)]);
      expect(output).not.toMatch(repeatingName);
      runIn(folder, 'env', 'CAOS=', ...both);
      runIn(folder, ...under('lentidao'), ...both);
      for (const set of sets) runIn(folder, ...under(set), ...repeating);
    }
    function room(name: string): string {
      const folder = join(packed, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    }

    /**
     * Checks that nothing of the instance remains. A killed process cannot report the end of its instance.
     */
    async function leavesNothing(folder: string, ...words: readonly string[]): Promise<void> {
      const { code, output } = run(folder, ...words);
      expect([output, code]).toEqual(['', KILLED_CODE]);
      while (readdirSync(room('temporarios')).length > 0) await Bun.sleep(POLL_MS);
    }

    test('the page shows the suites unchanged', async () => {
      const printedExamples = (await fences()).map(({ code }) => code.trim());
      for (const name of Object.values(SUITES))
        expect(printedExamples).toContain(readFileSync(join(EXAMPLES, name), 'utf8').trim());
      const dependency = printedExamples.find((code) => code.startsWith('<dependency>')) ?? '';
      expect(dependency).toContain('<classifier>linux-x64</classifier>');
      expect(readFileSync(join(EXAMPLES, 'pom.xml'), 'utf8')).toContain(dependency);
    });

    test.skipIf(KINDS.node.isMissing !== false)(
      'npm: installs from its files and from the lock file, with types; every test starts from the same state',
      () => {
        const folder = room('node');
        writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
        const files = [fileOf(/^catp-\d.*\.tgz$/), fileOf(/^catp-linux-x64-.*\.tgz$/)];
        runIn(folder, 'npm', 'i', '-D', '--offline', '--no-audit', '--no-fund', ...files);
        runIn(folder, 'npm', 'ci', '--offline', '--no-audit', '--no-fund');
        copyFileSync(join(EXAMPLES, SUITES.node), join(folder, SUITES.node));
        expect(runIn(folder, 'node', '--test', '--test-reporter=tap', SUITES.node)).toContain('# pass 3');
        expect(runIn(folder, 'npx', '--no-install', 'catp', '--version')).toMatch(/^1\.0\.0/m);
        expect(run(folder, 'npx', '--no-install', 'catp', 'nada').code).toBe(2);
        writeFileSync(
          join(folder, 'typed.mts'),
          `import { start } from 'catp';
import { fixture } from 'catp/node-test';
const catp = fixture({ prepare: async (one) => void (await one.admin('GET', '/clock')) });
const one = await start({ empty: true, clock: new Date(0), profile: 'portal', chaos: { seed: 1 } });
const now: string = await one.clock.advance('P1D');
await (await catp.signIn(now))('GET', one.url);
// @ts-expect-error there is no such profile
await start({ profile: 'outro' });`,
        );
        const options = ['--noEmit', '--strict', '--skipLibCheck', '--lib', 'es2023,esnext.disposable,dom'];
        const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2022'];
        const USE = 'void start({ empty: true }).then((one) => one.stop());';
        writeFileSync(join(folder, 'typed.cts'), `import { start } from 'catp';\n${USE}`);
        const typeFiles = ['--types', '', 'typed.mts', 'typed.cts'];
        runIn(folder, join(ROOT, 'node_modules/.bin/tsc'), ...options, ...modules, ...typeFiles);
        // The file that Jest would load: it accepts no other kind of module.
        writeFileSync(
          join(folder, 'required.cjs'),
          `if (!require.resolve('catp').endsWith('.cjs')) throw new Error(require.resolve('catp'));
const { start } = require('catp');\n${USE}`,
        );
        runIn(folder, 'node', 'required.cjs');
      },
    );

    test.skipIf(KINDS.node.isMissing !== false)(
      'npm: a test that repeats passes under each set of faults, another one fails',
      () => {
        const folder = room('node');
        writeFileSync(join(folder, 'falhas.test.mjs'), CHAOS_SUITES.node);
        tryUnderChaos(folder, {
          both: ['node', '--test', '--test-reporter=tap', 'falhas.test.mjs'],
          repeating: ['node', '--test', '--test-name-pattern=^le', 'falhas.test.mjs'],
          sets: CHAOS_SET_NAMES,
          failingName: /^not ok \d+ - inclui doze, e nada repete$/m,
          repeatingName: /^not ok \d+ - le, e repete$/m,
        });
      },
    );

    test.skipIf(KINDS.node.isMissing !== false)('npm: a file has one fixture; a test leaves no fault', () => {
      const folder = room('node');
      const files = ['um.test.mjs', 'dois.test.mjs'];
      for (const [at, file] of files.entries())
        writeFileSync(join(folder, file), FIXTURE_SUITES.node(2026 + at));
      expect(runIn(folder, 'node', '--test', '--test-reporter=tap', ...files)).toContain('# pass 6');
    });

    test.skipIf(KINDS.node.isMissing !== false)(
      'npm: start reports the reason of a failed start; a killed process leaves no file',
      async () => {
        const folder = room('node');
        writeFileSync(join(folder, 'story.mjs'), STORIES.node);
        runIn(folder, 'node', 'story.mjs');
        writeFileSync(join(folder, 'killed.mjs'), KILLED.node);
        await leavesNothing(folder, 'node', 'killed.mjs');
      },
    );

    test.skipIf(KINDS.python.isMissing !== false)(
      'wheel: installs from its file; every test starts from the same state; start reports the reason of a failure',
      () => {
        const folder = room('python');
        runIn(folder, 'python3', '-m', 'venv', '--system-site-packages', 'v');
        runIn(folder, 'v/bin/python', '-m', 'pip', 'install', '-q', '--no-index', fileOf(/\.whl$/));
        copyFileSync(join(EXAMPLES, SUITES.python), join(folder, SUITES.python));
        const suite = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', SUITES.python];
        expect(runIn(folder, 'v/bin/python', ...suite)).toContain('3 passed');
        expect(runIn(folder, 'v/bin/catp', '--version')).toMatch(/^1\.0\.0/m);
        writeFileSync(join(folder, 'story.py'), STORIES.python);
        runIn(folder, 'v/bin/python', 'story.py');
        writeFileSync(join(folder, 'test_falhas.py'), CHAOS_SUITES.python);
        const pytest = ['v/bin/python', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_falhas.py'];
        tryUnderChaos(folder, {
          both: pytest,
          repeating: [...pytest, '-k', 'test_le'],
          sets: CHAOS_SET_NAMES,
          failingName: /^FAILED test_falhas\.py::test_inclui_doze_e_nada_repete/m,
          repeatingName: /^FAILED test_falhas\.py::test_le_e_repete/m,
        });
      },
    );

    test.skipIf(KINDS.python.isMissing !== false)(
      'wheel: a file has one instance; a test leaves no fault, and a killed process no file',
      async () => {
        const folder = room('python');
        const files = ['test_um.py', 'test_dois.py'];
        for (const [at, file] of files.entries())
          writeFileSync(join(folder, file), FIXTURE_SUITES.python(2026 + at));
        const suite = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...files];
        expect(runIn(folder, 'v/bin/python', ...suite)).toContain('6 passed');
        writeFileSync(join(folder, 'killed.py'), KILLED.python);
        await leavesNothing(folder, 'v/bin/python', 'killed.py');
      },
    );

    const MAVEN = ['mvn', '-o', '-q', '-B', `-Dmaven.repo.local=${REPOSITORY}`];

    test.skipIf(KINDS.java.isMissing !== false)(
      'jar: installs into a Maven repository without a network; every test starts from the same state',
      () => {
        const folder = room('java');
        const sources = join(folder, 'src/test/java');
        mkdirSync(sources, { recursive: true });
        copyFileSync(join(EXAMPLES, 'pom.xml'), join(folder, 'pom.xml'));
        copyFileSync(join(EXAMPLES, SUITES.java), join(sources, SUITES.java));
        const place = ['-DgroupId=catp', '-DartifactId=catp', '-Dversion=1.0.0', '-Dclassifier=linux-x64'];
        const install = ['install:install-file', `-Dfile=${fileOf(/\.jar$/)}`, '-Dpackaging=jar', ...place];
        runIn(folder, ...MAVEN, ...install);
        expect(runIn(folder, 'java', '-jar', fileOf(/\.jar$/), '--version')).toMatch(/^1\.0\.0/m);
        runIn(folder, ...MAVEN, 'test');
        const report = readFileSync(join(folder, 'target/surefire-reports/TEST-ProdutosTest.xml'), 'utf8');
        expect(report).toMatch(/tests="3" errors="0" skipped="0" failures="0"/);
        writeFileSync(join(sources, 'FalhasTest.java'), CHAOS_SUITES.java);
        tryUnderChaos(folder, {
          both: [...MAVEN, 'test', '-Dtest=FalhasTest'],
          repeating: [...MAVEN, 'test', '-Dtest=FalhasTest#leERepete'],
          sets: ['respostas-perdidas', 'tudo'],
          failingName: /^\[ERROR\] FalhasTest\.incluiDozeENadaRepete .*<<< (?:FAILURE|ERROR)!/m,
          repeatingName: /^\[ERROR\] FalhasTest\.leERepete /m,
        });
      },
    );

    test.skipIf(KINDS.java.isMissing !== false)(
      'jar: a class has one instance, shared with nested ones; a test leaves no fault, and a killed process only the executable',
      async () => {
        const folder = room('java');
        for (const [at, name] of ['UmTest', 'DoisTest'].entries())
          writeFileSync(join(folder, `src/test/java/${name}.java`), FIXTURE_SUITES.java(name, 2026 + at));
        runIn(folder, ...MAVEN, 'test', '-Dtest=UmTest*,DoisTest*');
        for (const [name, text] of Object.entries({ Historia: STORIES.java, Morta: KILLED.java }))
          writeFileSync(join(folder, `${name}.java`), text);
        const program = ['java', `-Djava.io.tmpdir=${room('temporarios')}`, '-cp', fileOf(/\.jar$/)];
        runIn(folder, ...program, 'Historia.java');
        await leavesNothing(folder, ...program, 'Morta.java');
        const unpacked = readdirSync(room('cache/catp'), { recursive: true, encoding: 'utf8' });
        expect(unpacked.toSorted()).toEqual([
          expect.stringMatching(/^1\.0\.0-[\da-f]{16}$/),
          expect.stringMatching(/^1\.0\.0-[\da-f]{16}\/catp$/),
        ]);
      },
    );
  });
}
