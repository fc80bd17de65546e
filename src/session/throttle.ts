/**
 * Delays answers to wrong keys: after ten failures of one client id or address within a minute, further wrong keys
 * are answered after one second, for a minute. Uses real time, also with a test clock (contract
 * section 2). A correct secret never waits, so wrong attempts of one client cannot lock another user out.
 */
import { MINUTE_MS, type RealTime, SECOND_MS } from '../clock.ts';
import { lruCache } from '../system/lru-cache.ts';

export const FAILURES_BEFORE_BLOCK = 10;
const WINDOW_MS = MINUTE_MS;
const BLOCK_MS = MINUTE_MS;
const WAIT_MS = SECOND_MS;
/** Maximum delayed answers per address. Further attempts are answered at once, so that memory stays bounded. */
export const WAITING_PER_ADDRESS = 50;
/**
 * Maximum number of sources in memory, the latest ones, so that many invented ids cannot fill it.
 */
const REMEMBERED_SOURCES = 10_000;

const NEVER = Number.NEGATIVE_INFINITY;

interface Failures {
  /** Real time, in ms. */
  times: number[];
  blockedUntil: number;
}

export class Throttle {
  readonly #realTime: RealTime;
  readonly #failures = lruCache<string, Failures>(REMEMBERED_SOURCES);
  readonly #waiting = new Map<string, number>();

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Number of attempts that wait for their refusal. */
  get waiting(): number {
    let sum = 0;
    for (const count of this.#waiting.values()) sum += count;
    return sum;
  }

  /** Records a wrong secret. Resolves when the refusal may be sent. */
  async recordFailure(clientId: string, address: string): Promise<void> {
    const sources = sourcesOf(clientId, address);
    if (!sources.some((source) => this.#isBlocked(source))) for (const source of sources) this.#count(source);
    else await this.#waitOneSecond(address);
  }

  recordSuccess(clientId: string, address: string): void {
    for (const source of sourcesOf(clientId, address)) this.#failures.delete(source);
  }

  #isBlocked(source: string): boolean {
    return (this.#failures.get(source)?.blockedUntil ?? NEVER) > this.#realTime.now();
  }

  #count(source: string): void {
    const now = this.#realTime.now();
    const failures = this.#failures.get(source) ?? { times: [], blockedUntil: NEVER };
    this.#failures.set(source, failures);
    failures.times = failures.times.filter((time) => now - time < WINDOW_MS);
    failures.times.push(now);
    if (failures.times.length < FAILURES_BEFORE_BLOCK) return;
    failures.times = [];
    failures.blockedUntil = now + BLOCK_MS;
  }

  async #waitOneSecond(address: string): Promise<void> {
    const before = this.#waiting.get(address) ?? 0;
    if (before >= WAITING_PER_ADDRESS) return;
    this.#waiting.set(address, before + 1);
    await new Promise<void>((resolve) => this.#realTime.after(WAIT_MS, resolve));
    const remaining = (this.#waiting.get(address) ?? 1) - 1;
    if (remaining === 0) this.#waiting.delete(address);
    else this.#waiting.set(address, remaining);
  }
}

const sourcesOf = (clientId: string, address: string): readonly string[] => [
  `id ${clientId}`,
  `address ${address}`,
];
