/**
 * Makes codes that a page exchanges for a session (contract section 27): for one use, within a minute, by the
 * browser that began the sign-in. They are in memory: after a restart a person begins again.
 */
import { MINUTE_MS, type RealTime } from '../clock.ts';
import { lruCache } from '../system/lru-cache.ts';
import { randomText } from '../session/secrets.ts';

export const CODE_LIFETIME_MS = MINUTE_MS;

const CODE_BYTES = 32;

/** Maximum number of codes, the latest ones: each required a sign-in at the provider. */
const REMEMBERED_CODES = 10_000;

interface OneTimeCode<Value extends {}> {
  readonly value: Value;
  /** The state of the sign-in, which only its browser has. */
  readonly state: string;
  /** Real time, in ms. */
  readonly end: number;
}

export class OneTimeCodes<Value extends {}> {
  readonly #realTime: RealTime;
  readonly #codes = lruCache<string, OneTimeCode<Value>>(REMEMBERED_CODES);

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  make(value: Value, state: string): string {
    const code = randomText(CODE_BYTES);
    this.#codes.set(code, { value, state, end: this.#realTime.now() + CODE_LIFETIME_MS });
    return code;
  }

  /** Returns the value of a code, once. `undefined`: unknown, used, expired, or of another browser. */
  take(code: string, state: string | undefined): Value | undefined {
    const storedCode = this.#codes.get(code);
    this.#codes.delete(code);
    const isValid =
      storedCode !== undefined && storedCode.state === state && this.#realTime.now() < storedCode.end;
    return isValid ? storedCode.value : undefined;
  }
}
