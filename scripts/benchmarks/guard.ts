/**
 * Fails when catp takes more processor time than before: `scripts/test --all` runs it. Each cost is the
 * processor time divided by that of a bare program in the same run. A busy machine distorts this ratio by
 * about a tenth, and wall time by half.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './figure.ts';
import { executable } from './programs.ts';
import { GUARDED, requestCosts, startCosts, type Costs } from './guarded.ts';
import { median } from './statistics.ts';

const ROUNDS = 3;
const SECONDS = 1;
/** The share by which a cost may exceed its ceiling. */
const TOLERANCE = 0.1;

/** Measures all costs and prints them. Returns the names of those over their ceilings. */
async function costly(measure: 'first' | 'second'): Promise<readonly string[]> {
  const bench: Bench = {
    quick: true,
    rounds: ROUNDS,
    seconds: SECONDS,
    scratch: join(scratch, measure),
    say: () => undefined,
  };
  mkdirSync(bench.scratch);
  const costs: Costs = { ...(await startCosts(bench)), ...(await requestCosts(bench)) };
  const failed = GUARDED.filter(({ name, about, mark, ceiling }) => {
    const cost = median(costs[name]);
    const isGood = cost <= ceiling * (1 + TOLERANCE);
    const rounds = costs[name].map((one) => one.toFixed(2)).join(' ');
    console.log(
      `${isGood ? '✓' : '✗'} ${name}: ${cost.toFixed(2)}, teto ${ceiling}, meta ${mark} (${about}; rodadas: ${rounds})`,
    );
    return !isGood;
  });
  return failed.map(({ name }) => name);
}

const home = join(tmpdir(), 'catp-bench');
mkdirSync(home, { recursive: true });
const scratch = mkdtempSync(join(home, 'guard-'));
const frozen = executable();
try {
  const first = await costly('first');
  // A second measurement distinguishes more work from a disturbance of the machine.
  const both = first.length === 0 ? [] : (await costly('second')).filter((name) => first.includes(name));
  process.exitCode = both.length > 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
  rmSync(frozen, { force: true });
}
