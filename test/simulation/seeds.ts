/** Many seeds, one after the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Breakage, makeTemplate } from './product-process.ts';
import { simulate, type SimulationResult } from './simulation.ts';

export interface Seeds {
  readonly first: number;
  readonly seeds: number;
  readonly breakage?: Breakage;
  /** Stops at the first violation. */
  readonly untilViolation?: boolean;
}

export interface SeedsResult {
  readonly results: readonly SimulationResult[];
  readonly totals: Readonly<Record<string, number>>;
}

export async function runSeeds({ breakage, ...seeds }: Seeds): Promise<SeedsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-simulation-'));
  const template = join(folder, 'template.sqlite');
  try {
    makeTemplate(template);
    const file = join(folder, 'catp.sqlite');
    return await eachSeed(seeds, (seed) => simulate({ seed, template, file, ...(breakage && { breakage }) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function eachSeed(
  { first, seeds, untilViolation = false }: Omit<Seeds, 'breakage'>,
  simulated: (seed: number) => Promise<SimulationResult>,
): Promise<SeedsResult> {
  const results: SimulationResult[] = [];
  for (let seed = first; seed < first + seeds; seed++) {
    const result = await simulated(seed);
    results.push(result);
    if (untilViolation && result.violation !== undefined) break;
  }
  return { results, totals: totalsOf(results) };
}

function totalsOf(results: readonly SimulationResult[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { counts } of results)
    for (const [what, count] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + count;
  return totals;
}
