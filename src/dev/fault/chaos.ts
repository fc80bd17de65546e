/**
 * Faults drawn by a seed: which requests fail, and how, follows from the seed and from the place of a request among those to
 * its operation, and from nothing else. The same requests meet the same faults, after a reset and in another process too.
 */
import { SeededRandom } from '../../seeded-random.ts';
import type { Chaos, Fault, FaultKind } from './model.ts';

/** What is drawn for. */
export interface Drawable {
  /** operationId. */
  readonly operation: string;
  readonly isChange: boolean;
  readonly isSignIn: boolean;
}

export class Draws {
  readonly #chaos: Chaos;
  readonly #percent: number;
  /** How many requests to each operation were drawn for. */
  readonly #counts = new Map<string, number>();

  constructor(chaos: Chaos, percent: number) {
    this.#chaos = chaos;
    this.#percent = percent;
  }

  suits({ operation, ...request }: Drawable): boolean {
    const { operations, kinds } = this.#chaos;
    return operations?.includes(operation) !== false && kinds.some((kind) => isMet(kind, request));
  }

  /** Of a request that it suits, the fault that acts on it; each call is the next request. */
  next({ operation, ...request }: Drawable): Fault | undefined {
    const { seed, kinds } = this.#chaos;
    const index = this.#counts.get(operation) ?? 0;
    this.#counts.set(operation, index + 1);
    const random = new SeededRandom(seed, operation, index);
    if (!random.chance(this.#percent)) return undefined;
    return FAULT_OF[random.pick(kinds.filter((kind) => isMet(kind, request)))](random);
  }
}

type Request = Omit<Drawable, 'operation'>;

/** Whether the public service has that bad day with such a request. */
function isMet(kind: FaultKind, { isChange, isSignIn }: Request): boolean {
  if (kind === 'lost-answer') return isChange;
  return !isSignIn || !['expired-token', 'hourly-limit'].includes(kind);
}

const BAD_STATUSES = [500, 502, 503, 504];
const [DELAY_LEAST_MS, DELAY_MOST_MS] = [200, 2000];
/** Less than any answer has. */
const CUT_MOST_BYTES = 60;

const FAULT_OF: Readonly<Record<FaultKind, (random: SeededRandom) => Fault>> = {
  status: (random) => ({ kind: 'status', status: random.pick(BAD_STATUSES) }),
  delay: (random) => ({ kind: 'delay', ms: random.between(DELAY_LEAST_MS, DELAY_MOST_MS) }),
  truncate: (random) => ({ kind: 'truncate', bytes: random.below(CUT_MOST_BYTES) }),
  drop: () => ({ kind: 'drop' }),
  garbage: () => ({ kind: 'garbage' }),
  'expired-token': () => ({ kind: 'expired-token' }),
  'hourly-limit': () => ({ kind: 'hourly-limit' }),
  'daily-stop': () => ({ kind: 'daily-stop' }),
  'lost-answer': () => ({ kind: 'lost-answer' }),
};
