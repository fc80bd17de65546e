/** What a figure is: how it is measured, and how it is shown. */

export interface Bench {
  readonly quick: boolean;
  readonly rounds: number;
  /** How long one side is driven in one round. */
  readonly seconds: number;
  /** For what is made on the way; removed at the end. */
  readonly scratch: string;
  /** Says what is going on, on standard error. */
  say(text: string): void;
}

export interface Figure {
  readonly name: string;
  readonly about: string;
  /** Takes minutes and gigabytes: a quick run leaves it out unless it is asked for by name. */
  readonly isLong?: boolean;
  /** What this machine lacks for it, where it does: it is left out, loudly. */
  readonly lacks?: () => string | undefined;
  measure(bench: Bench): Promise<Measurement>;
}

/** One line of the table: what one side reached, round by round. */
export interface Row {
  readonly side: string;
  readonly unit: string;
  readonly samples: readonly number[];
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly peakMib?: number;
  /** What one request costs of the processor, in all threads. */
  readonly cpuUs?: number;
}

export interface Verdict {
  readonly value: number;
  readonly limit: number;
  readonly ok: boolean;
}

export interface Measurement extends Verdict {
  readonly rows: readonly Row[];
  /** Further marks of the same figure; `ok` above says whether all are reached. */
  readonly further?: Readonly<Record<string, Verdict>>;
  readonly notes?: readonly string[];
}

export const atLeast = (value: number, limit: number): Verdict => ({ value, limit, ok: value >= limit });
export const atMost = (value: number, limit: number): Verdict => ({ value, limit, ok: value <= limit });

/** A figure that is reached when all its marks are; the first is the one that it is named for. */
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
