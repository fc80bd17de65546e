/**
 * Estimates the end of a run, which a person sees before the start (contract section 18). It follows the
 * worker phase by phase, within the hourly limits of the remote, its downtime, its rests and the pace of
 * sign-ins. It ignores that a session ends after an hour: that costs two more requests per hour.
 */
import { DAY_MS, type EpochMs, HOUR_MS, SECOND_MS } from '../../clock.ts';
import { endOfDowntime, nextTime } from '../wire/governor.ts';
import type { Pace, WireOperation } from '../wire/model.ts';
import { PHASES } from './model.ts';
import type { OutcomeCount } from './store.ts';
import { listOf, operationOf } from './wire-words.ts';

/** The approximate time of a request. */
const PER_REQUEST_MS = SECOND_MS;
/** The horizon of the estimate. */
const HORIZON_MS = 366 * DAY_MS;

/** Open steps of one phase. Each has a request of its own and `lookupsPerStep` lookups. */
interface OpenPhase {
  readonly operation: WireOperation | undefined;
  readonly list: WireOperation;
  steps: number;
  readonly lookupsPerStep: number;
  readonly restsUntil: EpochMs;
}

/**
 * Returns the estimated end. `null`: nothing is open, or it takes more than a year. `counts` of a
 * simulation give the end of a run that starts now.
 */
export function estimatedEnd(counts: readonly OutcomeCount[], pace: Pace, now: EpochMs): EpochMs | null {
  const openPhases = openPhasesOf(counts).map((phase) => ({ ...phase, restsUntil: restOf(phase, pace) }));
  if (openPhases.length === 0) return null;
  const used = new HourlyUsage(pace, now);
  for (let at = now; at - now <= HORIZON_MS;) {
    const next = openPhases.find((phase) => phase.steps > 0 && isFree(phase, used, at));
    const stop = endOfDowntime(pace.downtime, at);
    if (stop !== undefined) at = stop;
    else if (next === undefined) at = Math.min(hourAfter(at), ...restsOf(openPhases, at));
    else at = advance(next, pace, used, at);
    if (openPhases.every(({ steps }) => steps === 0)) return at;
  }
  return null;
}

/** Returns the open steps in the order of processing. Uncertain steps come first, with one lookup each. */
function openPhasesOf(counts: readonly OutcomeCount[]): Omit<OpenPhase, 'restsUntil'>[] {
  const open = counts.filter((outcomeCount) => outcomeCount.open === 1);
  const uncertain = open
    .filter(({ outcome }) => outcome === 'uncertain' || outcome === 'intent')
    .map(({ kind, count }) => ({
      operation: undefined,
      list: listOf(kind),
      steps: count,
      lookupsPerStep: 1,
    }));
  const pending = PHASES.flatMap(([kind, operations]) =>
    operations.flatMap((operation) => {
      const outcomeCount = open.find(
        (count) => count.outcome === 'pending' && count.kind === kind && count.operation === operation,
      );
      if (outcomeCount === undefined) return [];
      const lookupsPerStep = outcomeCount.lookups / outcomeCount.count;
      return {
        operation: operationOf({ kind, operation }),
        list: listOf(kind),
        steps: outcomeCount.count,
        lookupsPerStep,
      };
    }),
  );
  return [...uncertain, ...pending];
}

/** Counts the requests of a clock hour. */
class HourlyUsage {
  readonly #pace: Pace;
  readonly #counts = new Map<WireOperation, number>();
  readonly #first: number;
  #hour: number;

  constructor(pace: Pace, now: EpochMs) {
    this.#pace = pace;
    this.#first = this.#hour = Math.floor(now / HOUR_MS);
  }

  free(operation: WireOperation, at: EpochMs): number {
    const hour = Math.floor(at / HOUR_MS);
    if (hour !== this.#hour) this.#counts.clear();
    this.#hour = hour;
    const before = hour === this.#first ? this.#pace.used(operation) : 0;
    return this.#pace.perHour - before - (this.#counts.get(operation) ?? 0);
  }

  use(operation: WireOperation, requests: number): void {
    this.#counts.set(operation, (this.#counts.get(operation) ?? 0) + requests);
  }
}

const operationsOf = ({
  operation,
  list,
  lookupsPerStep,
}: Omit<OpenPhase, 'restsUntil'>): readonly WireOperation[] => [
  ...(operation === undefined ? [] : [operation]),
  ...(lookupsPerStep > 0 ? [list] : []),
];

const restOf = (openPhase: Omit<OpenPhase, 'restsUntil'>, { restsUntil }: Pace): EpochMs =>
  Math.max(...operationsOf(openPhase).map(restsUntil));

const isFree = (openPhase: OpenPhase, used: HourlyUsage, at: EpochMs): boolean =>
  openPhase.restsUntil <= at && operationsOf(openPhase).every((operation) => used.free(operation, at) >= 1);

const restsOf = (openPhases: readonly OpenPhase[], at: EpochMs): EpochMs[] =>
  openPhases.flatMap(({ steps, restsUntil }) => (steps > 0 && restsUntil > at ? [restsUntil] : []));

const hourAfter = (at: EpochMs): EpochMs => (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;

/** Does as many steps as fit, at least one. Returns the time of their end. */
function advance(openPhase: OpenPhase, { downtime }: Pace, used: HourlyUsage, at: EpochMs): EpochMs {
  const { operation, list, lookupsPerStep } = openPhase;
  const requests = lookupsPerStep + (operation === undefined ? 0 : 1);
  const [from] = downtime?.split('-') ?? [];
  const until = Math.min(hourAfter(at), from === undefined ? Infinity : nextTime(from, at));
  const fits = [
    (until - at) / (requests * PER_REQUEST_MS),
    ...(operation === undefined ? [] : [used.free(operation, at)]),
    ...(lookupsPerStep > 0 ? [used.free(list, at) / lookupsPerStep] : []),
  ];
  const steps = Math.min(openPhase.steps, Math.max(1, Math.floor(Math.min(...fits))));
  if (operation !== undefined) used.use(operation, steps);
  if (lookupsPerStep > 0) used.use(list, steps * lookupsPerStep);
  openPhase.steps -= steps;
  return at + steps * requests * PER_REQUEST_MS;
}
