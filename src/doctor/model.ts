/** Findings of `catp doctor` (contract section 16). */

/**
 * Levels from good to bad. The exit code is that of the worst level: 0 up to `notice`, 1 for `warning`, 2
 * for `error`.
 */
export const LEVELS = ['ok', 'notice', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Finding {
  readonly check: string;
  readonly level: Level;
  /** The finding in Portuguese. */
  readonly message: string;
  /** The remedy. `null`: nothing is to be done. */
  readonly remedy: string | null;
}

/** The verdict of a check. The list of checks holds its name. */
export type Verdict = Omit<Finding, 'check'>;

export const ok = (message: string): Verdict => ({ level: 'ok', message, remedy: null });
export const notice = (message: string, remedy: string): Verdict => ({ level: 'notice', message, remedy });
export const warning = (message: string, remedy: string): Verdict => ({ level: 'warning', message, remedy });
export const error = (message: string, remedy: string): Verdict => ({ level: 'error', message, remedy });

export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 | 2 => {
  const levels = new Set(findings.map(({ level }) => level));
  return levels.has('error') ? 2 : levels.has('warning') ? 1 : 0;
};
