/** What `catp doctor` finds (contract section 16). */

/** From good to bad; the exit code is that of the worst: 0 up to `notice`, 1 with a `warning`, 2 with an `error`. */
export const LEVELS = ['ok', 'notice', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** What is so, in Portuguese. */
  readonly message: string;
  /** What to do; `null` where nothing is to be done. */
  readonly remedy: string | null;
}

/** What a check says; its name stands in the list of checks. */
export type Verdict = Omit<Finding, 'check'>;

export const ok = (message: string): Verdict => ({ level: 'ok', message, remedy: null });
export const notice = (message: string, remedy: string): Verdict => ({ level: 'notice', message, remedy });
export const warning = (message: string, remedy: string): Verdict => ({ level: 'warning', message, remedy });
export const error = (message: string, remedy: string): Verdict => ({ level: 'error', message, remedy });

export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 | 2 => {
  const levels = new Set(findings.map(({ level }) => level));
  return levels.has('error') ? 2 : levels.has('warning') ? 1 : 0;
};
