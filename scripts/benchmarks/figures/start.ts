/** From spawn to the first 200, beside a bare executable: with a new folder, and with a large catalogue. */
import { join } from 'node:path';
import { dataFolder } from '../data.ts';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { compileBaseline, executable, freePort } from '../programs.ts';
import { median } from '../statistics.ts';

const EMPTY_EXTRA_MS = 60;
const LARGE_EXTRA_MS = 200;
const STARTS_PER_ROUND = 3;
const GIVE_UP_MS = 60_000;

export const start: Figure = { name: 'start', about: 'do início do processo ao primeiro 200', measure };

async function measure(bench: Bench): Promise<Measurement> {
  const large = await dataFolder(bench, 'million');
  const bare = await compileBaseline('hello', bench.scratch);
  const empty = join(bench.scratch, 'start-empty');
  await firstAnswer(dev(empty), '/healthz'); // makes the folder
  const times = { empty: [] as number[], large: [] as number[], bare: [] as number[], fresh: [] as number[] };
  for (let turn = 0; turn < bench.rounds * STARTS_PER_ROUND; turn += 1) {
    times.bare.push(await firstAnswer(() => [bare], '/'));
    times.empty.push(await firstAnswer(dev(empty), '/healthz'));
    times.large.push(await firstAnswer(dev(large.folder), '/healthz'));
    times.fresh.push(await firstAnswer(dev(join(bench.scratch, `start-${turn}`)), '/healthz'));
  }
  const extra = (samples: readonly number[]): number => median(samples) - median(times.bare);
  const row = (side: string, samples: readonly number[]) => ({ side, unit: 'ms', samples });
  return measured(
    atMost(extra(times.empty), EMPTY_EXTRA_MS),
    [
      row('vazio', times.empty),
      row(`${large.products} produtos`, times.large),
      row('pasta nova', times.fresh),
      row('Bun.serve', times.bare),
    ],
    {
      further: { large: atMost(extra(times.large), LARGE_EXTRA_MS) },
      notes: [
        'a razão é a diferença em ms; "pasta nova" inclui criar banco, chaves e usuários, e não tem meta',
      ],
    },
  );
}

const dev = (data: string) => (port: number) => [
  ...[executable(), 'dev', '--empty', '--port', String(port), '--data', data],
];

/** Starts a program on a free port and asks until it answers 200; milliseconds since the start. */
async function firstAnswer(command: (port: number) => readonly string[], path: string): Promise<number> {
  const port = freePort();
  const started = performance.now();
  const child = Bun.spawn([...command(port)], {
    env: { ...process.env, PORT: String(port) },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  try {
    while (performance.now() - started < GIVE_UP_MS) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { keepalive: false }).catch(
        () => undefined,
      );
      if (answer?.status === 200) return performance.now() - started;
      await Bun.sleep(1);
    }
    throw new Error(`${command(port).join(' ')} did not answer`);
  } finally {
    child.kill('SIGTERM');
    await child.exited;
  }
}
