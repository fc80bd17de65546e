/**
 * Enforces the shortest time between two sign-ins of a user (setting `autenticacao.intervalo`). The times are
 * in memory: a restart resets them.
 */
import type { EpochMs } from '../clock.ts';

export class SignInPace {
  readonly #intervalMs: number;
  readonly #lastSuccess = new Map<string, EpochMs>();

  /** `intervalMs` 0: no limit. */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** Resets all times, as a restart does: a replaced database has no sign-ins yet. */
  forget(): void {
    this.#lastSuccess.clear();
  }

  /** Records a sign-in. Returns `false` without recording a sign-in that comes too soon. */
  admits(documento: string, now: EpochMs): boolean {
    if (this.#intervalMs === 0) return true;
    const sinceLast = now - (this.#lastSuccess.get(documento) ?? Number.NEGATIVE_INFINITY);
    // A negative time means that the clock was set back: it does not delay the sign-in.
    if (sinceLast >= 0 && sinceLast < this.#intervalMs) return false;
    this.#lastSuccess.set(documento, now);
    return true;
  }
}
