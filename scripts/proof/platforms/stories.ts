/**
 * The stories of each platform: files of test/executable, run against the executable in EXECUTABLE_TO_TEST.
 */
import { toEnd } from '../to-end.ts';
import type { Capability, Platform } from './platforms.ts';

export interface Story {
  readonly title: string;
  readonly files: readonly string[];
  /** Runs only the tests whose name contains it. */
  readonly named?: string;
  /** Runs with `--short` too. */
  readonly short?: boolean;
  /** Requirements for the platform. */
  readonly asks?: readonly Capability[];
}

export interface StoryResult {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly output: string;
}

/** The script that starts that catp. */
export interface Launcher {
  readonly file: string;
  readonly platform: Platform;
}

const environmentOf = ({
  file,
  platform: { stopSignal = 'SIGTERM', slowness = 1 },
}: Launcher): Readonly<Record<string, string>> => ({
  EXECUTABLE_TO_TEST: file,
  STOP_SIGNAL_TO_TEST: stopSignal,
  SLOWNESS_TO_TEST: String(slowness),
});

/** Timeout of one test, for any number of starts and a busy machine. */
const TEST_TIMEOUT_MS = 600_000;

const of = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `./test/executable/${name}.test.ts`);

const STORIES: readonly Story[] = [
  {
    title: 'partida, entrada, lista, parada; HTTP e TLS',
    files: of('serve'),
    named: 'logs first that it is ready',
    short: true,
  },
  { title: 'gravações, importações, entregas, kill -9', files: of('kill') },
  { title: 'linha de comando', files: of('commands'), asks: ['relative paths'] },
  { title: 'receptor', files: of('receiver'), asks: ['relative paths', 'deadline'] },
  { title: 'instantâneos, kill -9 no meio', files: of('snapshots'), asks: ['relative paths'] },
  { title: 'exportações, zips, tabelas', files: of('late-imports'), asks: ['relative paths'] },
];

export const storiesOf = ({ lacks }: Platform, isShort: boolean): readonly Story[] =>
  STORIES.filter(({ short = false, asks = [] }) =>
    isShort ? short : lacks === undefined || !asks.includes(lacks.what),
  );

/** Runs a story; keeps the output of the test runner for the diagnosis of a failure. */
export async function tell({ files, named }: Story, launcher: Launcher): Promise<StoryResult> {
  const pattern = named === undefined ? [] : ['-t', named];
  const words = ['test', `--timeout=${TEST_TIMEOUT_MS}`, ...files, ...pattern];
  const env = { ...Bun.env, ...environmentOf(launcher) };
  const { code, err: output } = await toEnd([process.execPath, ...words], { env });
  const count = (word: string): number =>
    Number(new RegExp(`^ *(\\d+) ${word}$`, 'm').exec(output)?.[1] ?? 0);
  const [passed, failed] = [count('pass'), count('fail')];
  // A runner that dies before its summary, or that ran no test, is a failure.
  const silent = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: failed + (silent ? 1 : 0), skipped: count('skip') + count('todo'), output };
}

/** Runs `scripts/crash` on it. */
export async function crashed(launcher: Launcher, rounds: number): Promise<StoryResult> {
  const words = ['scripts/crash.ts', '--rounds', String(rounds), '--executable', launcher.file];
  const env = { ...Bun.env, ...environmentOf(launcher) };
  const { code, out, err } = await toEnd([process.execPath, 'run', ...words], { env });
  const failed = code === 0 ? 0 : 1;
  return { passed: 1 - failed, failed, skipped: 0, output: `${out}${err}` };
}
