/** How soon after a sign-in a user may sign in again (setting `autenticacao.intervalo`). Kept in memory: a restart forgives. */
import type { EpochMs } from '../clock.ts';

export class SignInPace {
  readonly #intervalMs: number;
  readonly #lastSuccess = new Map<string, EpochMs>();

  /** `intervalMs` 0: at any time. */
  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** As after a restart: in another state of everything nobody has signed in yet. */
  forget(): void {
    this.#lastSuccess.clear();
  }

  /** Notes a sign-in; where it comes too soon it is none, and `false`. */
  admits(documento: string, now: EpochMs): boolean {
    if (this.#intervalMs === 0) return true;
    const sinceLast = now - (this.#lastSuccess.get(documento) ?? Number.NEGATIVE_INFINITY);
    // A negative time says that the clock was put back: nobody waits for it to come to where it was.
    if (sinceLast >= 0 && sinceLast < this.#intervalMs) return false;
    this.#lastSuccess.set(documento, now);
    return true;
  }
}
