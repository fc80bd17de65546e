/** A scripted network on virtual time: receivers that flap, hang, redirect and move. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/clock.ts';
import type { Outcome } from '../../src/notification/delivery/send/outcome.ts';
import {
  DELIVERY_DEADLINE_MS,
  type DeliveryRequest,
  type Sender,
} from '../../src/notification/delivery/send/sender.ts';
import type { Random } from './random.ts';
import type { Lifecycle, VirtualTime } from './virtual-time.ts';

const REGIMES = ['up', 'slow', 'hang', 'refuse', 'error', 'redirect', 'noname'] as const;
type Regime = (typeof REGIMES)[number];

interface Period<T> {
  readonly from: number;
  readonly is: T;
}

export interface Host {
  readonly name: string;
  readonly regimes: readonly Period<Regime>[];
  readonly addresses: readonly Period<string>[];
}

/** One request in transit. */
export interface Exchange {
  readonly request: DeliveryRequest;
  /** Identifies the subscription: each has its own secret. */
  readonly secret: string;
  /** Identifies the event: each body has its own number. */
  readonly event: number;
  readonly host: Host;
  readonly startedAt: number;
  /** The result for the receiver. */
  willSucceed: boolean;
  outcome?: Outcome;
}

/** The observer of the network. */
export interface NetworkObserver {
  onSend(exchange: Exchange): void;
  /** The request reached its receiver. */
  onReceived(exchange: Exchange): void;
  onEnd(exchange: Exchange): void;
  /** Called when a name resolved to a new address. */
  onMove(): void;
}

/** The first host is always up and has its own address. */
export const HEALTHY = 0;
const HOSTS = 5;

export function scriptHosts(random: Random, until: number): readonly Host[] {
  return Array.from({ length: HOSTS }, (_, index) => ({
    name: `h${index}.exemplo`,
    regimes: index === HEALTHY ? [{ from: 0, is: 'up' }] : scriptRegimes(random, until),
    addresses: index === HEALTHY ? [{ from: 0, is: '10.0.0.1' }] : scriptAddresses(random, until),
  }));
}

/** Creates the regimes. Some hosts are down most of the time, so that subscriptions are deleted. */
function scriptRegimes(random: Random, until: number): Period<Regime>[] {
  const isMostlyDown = random.chance(0.5);
  const periods: Period<Regime>[] = [{ from: 0, is: random.pick(isMostlyDown ? DOWN : REGIMES) }];
  for (let from = 0; ;) {
    from += random.magnitude(MINUTE_MS, isMostlyDown ? 120 * DAY_MS : 20 * DAY_MS);
    if (from > until) return periods;
    periods.push({ from, is: random.pick(isMostlyDown && random.chance(0.7) ? DOWN : REGIMES) });
  }
}

const DOWN: readonly Regime[] = ['hang', 'refuse', 'error', 'redirect', 'noname'];

function scriptAddresses(random: Random, until: number): Period<string>[] {
  const periods: Period<string>[] = [];
  for (let from = 0; from <= until; from += random.magnitude(HOUR_MS, 40 * DAY_MS))
    periods.push({ from, is: `10.0.0.${random.integer(2, 5)}` });
  return periods;
}

const during = <T>(periods: readonly Period<T>[], at: number): T => {
  const period = periods.findLast(({ from }) => from <= at);
  if (period === undefined) throw new Error('the script begins too late');
  return period.is;
};

/** The course of an exchange: the time of receipt, and the time and kind of its end. */
interface Course {
  readonly receivedAfter?: number;
  readonly ms: number;
  readonly outcome: Outcome;
}

/** The network seen by one process. */
export class SimulatedSender implements Sender {
  readonly #lastDialled = new Map<string, string>();
  readonly #parts;

  constructor(parts: {
    readonly time: VirtualTime;
    readonly random: Random;
    readonly hosts: readonly Host[];
    readonly observer: NetworkObserver;
    readonly lifecycle: Lifecycle;
  }) {
    this.#parts = parts;
  }

  send(request: DeliveryRequest): Promise<Outcome> {
    const { time, random, observer, lifecycle } = this.#parts;
    if (!lifecycle.alive) return new Promise(() => undefined);
    const host = this.#hostOf(request.endpoint);
    const exchange: Exchange = {
      request,
      secret: request.headers['secret'] ?? '',
      event: (JSON.parse(request.body) as { n: number }).n,
      host,
      startedAt: time.elapsed,
      willSucceed: false,
    };
    observer.onSend(exchange);
    const course = this.#courseOf(host, random);
    exchange.willSucceed = course.outcome.kind === 'delivered';
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        if (exchange.outcome !== undefined) return;
        exchange.outcome = outcome;
        observer.onEnd(exchange);
        resolve(outcome);
      };
      const { receivedAfter, ms } = course;
      if (receivedAfter !== undefined)
        time.after(
          receivedAfter,
          () => exchange.outcome === undefined && observer.onReceived(exchange),
          lifecycle,
        );
      time.after(ms, () => end(course.outcome), lifecycle);
      request.withdrawal?.onWithdrawn(() =>
        end({ kind: 'withdrawn', ms: time.elapsed - exchange.startedAt }),
      );
    });
  }

  slotKey(endpoint: string): string {
    const { name } = this.#hostOf(endpoint);
    return this.#lastDialled.get(name) ?? `${name}:443`;
  }

  close(): void {
    this.#lastDialled.clear();
  }

  /** Dials after the time of the name lookup. */
  #dialSoon(host: Host): void {
    const { time, lifecycle, observer } = this.#parts;
    const address = `${during(host.addresses, time.elapsed)}:443`;
    time.after(
      1,
      () => {
        const isNew = this.#lastDialled.get(host.name) !== address;
        this.#lastDialled.set(host.name, address);
        if (isNew) observer.onMove();
      },
      lifecycle,
    );
  }

  #hostOf(endpoint: string): Host {
    const { hostname } = new URL(endpoint);
    const host = this.#parts.hosts.find(({ name }) => name === hostname);
    if (host === undefined) throw new Error(`there is no ${hostname}`);
    return host;
  }

  #courseOf(host: Host, random: Random): Course {
    const regime = during(host.regimes, this.#parts.time.elapsed);
    if (regime === 'noname') return failing('name', random.integer(1, 200));
    this.#dialSoon(host);
    const receivedAfter = random.integer(2, 30);
    const soon = receivedAfter + random.integer(1, 60);
    switch (regime) {
      case 'up':
        return { receivedAfter, ms: soon, outcome: { kind: 'delivered', status: 200, ms: soon } };
      case 'slow': {
        const ms = random.integer(SECOND_MS, 4 * SECOND_MS);
        if (ms <= DELIVERY_DEADLINE_MS)
          return { receivedAfter, ms, outcome: { kind: 'delivered', status: 200, ms } };
        return { receivedAfter, ...failing('timeout', DELIVERY_DEADLINE_MS) };
      }
      case 'hang':
        return { ...(random.chance(0.5) && { receivedAfter }), ...failing('timeout', DELIVERY_DEADLINE_MS) };
      case 'refuse':
        return failing('connection', soon);
      case 'error':
        return { receivedAfter, ...failing('status', soon, 500) };
      case 'redirect':
        return { receivedAfter, ...failing('redirect', soon, 302) };
    }
  }
}

type Reason = Extract<Outcome, { kind: 'failed' }>['reason'];

const failing = (reason: Reason, ms: number, status?: number): Course => ({
  ms,
  outcome: {
    kind: 'failed',
    reason,
    phase: 'answer',
    ms,
    description: `${reason}, após ${ms} ms.`,
    ...(status !== undefined && { status }),
  },
});
