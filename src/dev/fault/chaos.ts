/**
 * Draws faults from a seed. The seed and the position of a request among those to its operation alone decide
 * which requests fail, and how. The same requests meet the same faults, also after a reset and in another
 * process.
 */
import { SeededRandom } from '../../seeded-random.ts';
import type { Chaos, Fault, FaultKind } from './model.ts';

/** A request that a fault can be drawn for. */
export interface ChaosRequestFacts {
  /** The operationId. */
  readonly operation: string;
  readonly isChange: boolean;
  readonly isSignIn: boolean;
}

export class Draws {
  readonly #chaos: Chaos;
  readonly #percent: number;
  /** The number of draws per operation. */
  readonly #counts = new Map<string, number>();

  constructor(chaos: Chaos, percent: number) {
    this.#chaos = chaos;
    this.#percent = percent;
  }

  suits({ operation, ...request }: ChaosRequestFacts): boolean {
    const { operations, kinds } = this.#chaos;
    return operations?.includes(operation) !== false && kinds.some((kind) => canOccur(kind, request));
  }

  /** Draws the fault for a suitable request, or `undefined`. Each call counts as the next request. */
  next({ operation, ...request }: ChaosRequestFacts): Fault | undefined {
    const { seed, kinds } = this.#chaos;
    const index = this.#counts.get(operation) ?? 0;
    this.#counts.set(operation, index + 1);
    const random = new SeededRandom(seed, operation, index);
    if (!random.chance(this.#percent)) return undefined;
    return FAULT_OF[random.pick(kinds.filter((kind) => canOccur(kind, request)))](random);
  }
}

type Request = Omit<ChaosRequestFacts, 'operation'>;

/** Returns true if the public service can fail in this way for such a request. */
function canOccur(kind: FaultKind, { isChange, isSignIn }: Request): boolean {
  if (kind === 'lost-answer') return isChange;
  return !isSignIn || !['expired-token', 'hourly-limit'].includes(kind);
}

const BAD_STATUSES = [500, 502, 503, 504];
const [DELAY_LEAST_MS, DELAY_MOST_MS] = [200, 2000];
/** The maximum of bytes before a cut, shorter than any answer. */
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
