/** Two servers under the same load, in turn. */
import { type Bench, type Measurement, type Row, atLeast, measured } from './figure.ts';
import { cpuMs, mainThreadMs, peakMib } from './machine.ts';
import { median, medianRatio } from './statistics.ts';
import { type LoadPlan, type LoadReport, runWrk } from './wrk.ts';

export interface Side {
  readonly name: string;
  readonly pid: number;
  readonly plan: Omit<LoadPlan, 'seconds'>;
}

const WARM_UP_SECONDS = 2;

/** The throughput of a side in a round, and the processor time of each request. */
export interface Round extends LoadReport {
  readonly cpuUs: number;
  /** The part of it that the main thread takes. */
  readonly mainUs: number;
}

const US_PER_MS = 1000;

/** Warms both up, then drives A B A B …; returns the reports of each side, round by round. */
export async function duel<const Sides extends readonly Side[]>(
  bench: Bench,
  sides: Sides,
  warmUpSeconds = WARM_UP_SECONDS,
): Promise<{ readonly [Index in keyof Sides]: Round[] }> {
  for (const { plan } of sides) await runWrk(bench.scratch, { ...plan, seconds: warmUpSeconds });
  const reports = sides.map((): Round[] => []);
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const [index, { plan, name, pid }] of sides.entries()) {
      const [before, mainBefore] = [cpuMs(pid), mainThreadMs(pid)];
      const report = await runWrk(bench.scratch, { ...plan, seconds: bench.seconds });
      const cpuUs = ((cpuMs(pid) - before) * US_PER_MS) / report.requests;
      const mainUs = ((mainThreadMs(pid) - mainBefore) * US_PER_MS) / report.requests;
      reports[index]?.push({ ...report, cpuUs, mainUs });
      bench.say(
        `  ${round}/${bench.rounds} ${name}: ${Math.round(report.requestsPerSecond)} req/s, p99 ${report.p99Ms.toFixed(1)} ms, ${cpuUs.toFixed(1)} µs de CPU cada`,
      );
    }
  }
  return reports as { readonly [Index in keyof Sides]: Round[] };
}

/** The line of one side in the table. */
export function rowOf(
  side: Side,
  reports: readonly Round[],
  measure: 'requests' | 'bytes' | 'p50' | 'p95',
): Row {
  const { unit, of } = MEASURES[measure];
  return {
    side: side.name,
    unit,
    samples: reports.map(of),
    p50Ms: median(reports.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(reports.map(({ p99Ms }) => p99Ms)),
    peakMib: peakMib(side.pid),
    cpuUs: median(reports.map(({ cpuUs }) => cpuUs)),
  };
}

const BYTES_PER_MIB = 2 ** 20;

const MEASURES = {
  requests: { unit: 'req/s', of: (report: LoadReport) => report.requestsPerSecond },
  bytes: { unit: 'MiB/s', of: (report: LoadReport) => report.bytesPerSecond / BYTES_PER_MIB },
  p50: { unit: 'ms p50', of: (report: LoadReport) => report.p50Ms },
  p95: { unit: 'ms p95', of: (report: LoadReport) => report.p95Ms },
} as const;

/**
 * Drives ours and the bare one under the same load. Returns how many requests ours answers for each of the
 * other's.
 */
export async function compareRequests(
  bench: Bench,
  sides: readonly [ours: Side, bare: Side],
  reach: number,
): Promise<Measurement> {
  const [ours, theirs] = await duel(bench, sides);
  const ratio = medianRatio(
    ours.map(({ requestsPerSecond }) => requestsPerSecond),
    theirs.map(({ requestsPerSecond }) => requestsPerSecond),
  );
  return measured(atLeast(ratio, reach), [
    rowOf(sides[0], ours, 'requests'),
    rowOf(sides[1], theirs, 'requests'),
  ]);
}
