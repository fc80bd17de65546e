/** What is told of each platform: files of test/executable, run against what EXECUTABLE_TO_TEST names. */
import type { Platform } from './platforms.ts';

export interface Story {
  readonly title: string;
  readonly files: readonly string[];
  /** Only the tests whose name has it. */
  readonly named?: string;
  /** It is told in `--short` too. */
  readonly short?: boolean;
  /** It takes more starts than an emulated processor makes in its time. */
  readonly long?: boolean;
}

export interface Told {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
}

/** What starts that catp, and what ends it. */
export interface Launcher {
  readonly file: string;
  readonly stopSignal?: NodeJS.Signals | undefined;
}

const environmentOf = ({ file, stopSignal = 'SIGTERM' }: Launcher): Readonly<Record<string, string>> => ({
  EXECUTABLE_TO_TEST: file,
  STOP_SIGNAL_TO_TEST: stopSignal,
});

/** One test, however many starts it makes and however busy the machine is. */
const TEST_TIMEOUT_MS = 600_000;

const of = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `./test/executable/${name}.test.ts`);

const STORIES: readonly Story[] = [
  {
    title: 'partida, entrada, lista, parada; HTTP e TLS',
    files: of('serve'),
    named: 'says first that it is ready',
    short: true,
  },
  { title: 'gravações, importações, entregas, kill -9', files: of('kill') },
  { title: 'TLS dos dois comandos', files: of('commands'), named: 'in dev and in serve' },
  { title: 'linha de comando', files: of('commands'), long: true },
  { title: 'receptor', files: of('receiver'), long: true },
  { title: 'instantâneos, kill -9 no meio', files: of('snapshots'), long: true },
  { title: 'exportações, zips, tabelas', files: of('late-imports'), long: true },
];

export const storiesOf = ({ slow = false, onlyShort }: Platform, isShort: boolean): readonly Story[] =>
  STORIES.filter(({ short = false, long = false }) =>
    isShort || onlyShort !== undefined ? short : !(slow && long),
  );

/** Tells it; what the runner says is kept for who has to look. */
export async function tell({ files, named }: Story, launcher: Launcher): Promise<Told> {
  const pattern = named === undefined ? [] : ['-t', named];
  const child = Bun.spawn([process.execPath, 'test', `--timeout=${TEST_TIMEOUT_MS}`, ...files, ...pattern], {
    env: { ...Bun.env, ...environmentOf(launcher) },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const output = await new Response(child.stderr).text();
  const code = await child.exited;
  const count = (word: string): number =>
    Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0);
  const [passed, failed] = [count('pass'), count('fail')];
  // A runner that dies before its summary, or that found nothing to run, is a failure.
  const silent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: failed + (silent ? 1 : 0), skipped: count('skip') + count('todo'), output };
}

/** `scripts/crash` on it. */
export async function crashed(launcher: Launcher, rounds: number): Promise<Told> {
  const words = ['scripts/crash.ts', '--rounds', String(rounds), '--executable', launcher.file];
  const child = Bun.spawn([process.execPath, 'run', ...words], {
    env: { ...Bun.env, ...environmentOf(launcher) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const failed = (await child.exited) === 0 ? 0 : 1;
  return { passed: 1 - failed, failed, skipped: 0, output: `${out}${errors}` };
}
