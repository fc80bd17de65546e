/** The definition of a figure: its measurement and its presentation. */

export interface Bench {
  readonly quick: boolean;
  readonly rounds: number;
  /** Duration of the load on one side in one round. */
  readonly seconds: number;
  /** Temporary files; removed at the end. */
  readonly scratch: string;
  /** Reports progress on standard error. */
  say(text: string): void;
}

export interface Figure {
  readonly name: string;
  readonly about: string;
  /** Takes minutes and gigabytes: a quick run skips it unless it is requested by name. */
  readonly isLong?: boolean;
  /** Returns the requirement that this machine lacks, if any. The figure is then skipped with a warning. */
  readonly lacks?: () => string | undefined;
  measure(bench: Bench): Promise<Measurement>;
}

/** One row of the table: the result of one side, round by round. */
export interface Row {
  readonly side: string;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly peakMib?: number;
  /** Processor time of one request, in all threads. */
  readonly cpuUs?: number;
}

export interface Verdict {
  readonly value: number;
  readonly limit: number;
  readonly ok: boolean;
}

export interface Measurement extends Verdict {
  readonly rows: readonly Row[];
  /** Further marks of the same figure; `ok` above is true when all are reached. */
  readonly further?: Readonly<Record<string, Verdict>>;
  readonly notes?: readonly string[];
}

export const atLeast = (value: number, limit: number): Verdict => ({ value, limit, ok: value >= limit });
export const atMost = (value: number, limit: number): Verdict => ({ value, limit, ok: value <= limit });

/** A figure is reached when all its marks are; the first mark gives it its name. */
export function measured(
  first: Verdict,
  rows: readonly Row[],
  {
    further = {},
    notes = [],
  }: { further?: Readonly<Record<string, Verdict>>; notes?: readonly string[] } = {},
): Measurement {
  const ok = first.ok && Object.values(further).every((verdict) => verdict.ok);
  return { ...first, ok, rows, notes, ...(Object.keys(further).length > 0 && { further }) };
}
