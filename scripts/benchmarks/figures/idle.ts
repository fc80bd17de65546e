/** Memory that only the process holds after its start, and that of a bare executable. */
import { join } from 'node:path';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { ownMib, residentMib } from '../machine.ts';
import { compileBaseline, startCatp, startExecutable } from '../programs.ts';
import { median } from '../statistics.ts';

const OWN_MIB = 22;
/**
 * The work that runs once after the start has ended by then: the check of the whole trail begins five seconds after
 * the start, and the Worker that runs it ends ten seconds after its last read.
 */
const SETTLE_MS = 20_000;

export const idle: Figure = {
  name: 'idle',
  about: 'memória própria (anônima, e arquivos em memória) depois do início',
  measure,
};

async function measure(bench: Bench): Promise<Measurement> {
  const bare = await compileBaseline('hello', bench.scratch);
  const data = join(bench.scratch, 'idle');
  const [ours, theirs]: [Settled[], Settled[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    ours.push(await settled(() => startCatp(data)));
    theirs.push(await settled(() => startExecutable(bare)));
  }
  const own = (all: readonly Settled[]) => all.map((one) => one.ownMib);
  const resident = median(ours.map((one) => one.residentMib));
  return measured(
    atMost(median(own(ours)), OWN_MIB),
    [
      { side: 'catp', unit: 'MiB', samples: own(ours) },
      { side: 'Bun.serve', unit: 'MiB', samples: own(theirs) },
    ],
    { notes: [`a razão é a memória própria do catp em MiB; residentes são ${resident.toFixed(1)} MiB`] },
  );
}

interface Settled {
  readonly ownMib: number;
  readonly residentMib: number;
}

async function settled(
  start: () => Promise<{ readonly pid: number; stop(): Promise<void> }>,
): Promise<Settled> {
  const program = await start();
  await Bun.sleep(SETTLE_MS);
  const memory = { ownMib: ownMib(program.pid), residentMib: residentMib(program.pid) };
  await program.stop();
  return memory;
}
