/** Resident memory right after the start, compared with a bare executable. */
import { join } from 'node:path';
import { type Bench, type Figure, type Measurement, atMost, measured } from '../figure.ts';
import { residentMib } from '../machine.ts';
import { compileBaseline, startCatp, startExecutable } from '../programs.ts';
import { median } from '../statistics.ts';

const EXTRA_MIB = 35;
/**
 * The work that runs once after the start has ended by then, and so has the check of the whole trail five
 * seconds after the start.
 */
const SETTLE_MS = 8000;

export const idle: Figure = { name: 'idle', about: 'memória residente depois do início', measure };

async function measure(bench: Bench): Promise<Measurement> {
  const bare = await compileBaseline('hello', bench.scratch);
  const data = join(bench.scratch, 'idle');
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < bench.rounds; round += 1) {
    ours.push(await settled(() => startCatp(data)));
    theirs.push(await settled(() => startExecutable(bare)));
  }
  const extra = median(ours) - median(theirs);
  return measured(
    atMost(extra, EXTRA_MIB),
    [
      { side: 'catp', unit: 'MiB', samples: ours },
      { side: 'Bun.serve', unit: 'MiB', samples: theirs },
    ],
    { notes: ['a razão é a diferença em MiB'] },
  );
}

async function settled(
  start: () => Promise<{ readonly pid: number; stop(): Promise<void> }>,
): Promise<number> {
  const program = await start();
  await Bun.sleep(SETTLE_MS);
  const resident = residentMib(program.pid);
  await program.stop();
  return resident;
}
