/** Many seeds, one after the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Breakage, makeTemplate } from './house.ts';
import { simulate, type SimulationResult } from './simulation.ts';

export interface Seeds {
  readonly first: number;
  readonly seeds: number;
  readonly breakage?: Breakage;
  /** Ends with the first violation. */
  readonly untilViolation?: boolean;
}

export interface SeedsResult {
  readonly results: readonly SimulationResult[];
  readonly totals: Readonly<Record<string, number>>;
}

export async function runSeeds({
  first,
  seeds,
  breakage,
  untilViolation = false,
}: Seeds): Promise<SeedsResult> {
  const folder = mkdtempSync(join(tmpdir(), 'catp-simulation-'));
  const template = join(folder, 'template.sqlite');
  const results: SimulationResult[] = [];
  try {
    makeTemplate(template);
    for (let seed = first; seed < first + seeds; seed++) {
      const file = join(folder, 'catp.sqlite');
      const result = await simulate({ seed, template, file, ...(breakage && { breakage }) });
      results.push(result);
      if (untilViolation && result.violation !== undefined) break;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { results, totals: totalsOf(results) };
}

function totalsOf(results: readonly SimulationResult[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { counts } of results)
    for (const [what, count] of Object.entries(counts)) totals[what] = (totals[what] ?? 0) + count;
  return totals;
}
