/** Checks every outgoing request: receiver, concurrency, delay, frequency. */
import type { EpochMs } from '../../src/clock.ts';
import type { Db } from '../../src/db/open.ts';
import { DELIVERY_DEADLINE_MS } from '../../src/notification/delivery/send/sender.ts';
import { PROMPT_MS, type SlotLimits } from '../../src/notification/delivery/work/slots.ts';
import { JITTER_MAX, type Ledger, type Owed, Violation } from './ledger.ts';
import { type Exchange, HEALTHY, type Host, type NetworkObserver } from './network.ts';
import { prepared } from './prepared.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface TrafficParts {
  readonly time: VirtualTime;
  readonly ledger: Ledger;
  readonly limits: SlotLimits;
  readonly hosts: readonly Host[];
  /** Returns the current database. */
  readonly db: () => Db;
  /** Returns the virtual time of the process start. */
  readonly upSince: () => number;
  readonly isStopping: () => boolean;
  readonly slotKey: (endpoint: string) => string;
}

interface OpenExchange {
  readonly exchange: Exchange;
  readonly isPrompt: boolean;
}

/** A healthy receiver waits at most until each of the others has failed once, and for its own queue. */
const HEALTHY_WAIT_MAX_MS = 5 * DELIVERY_DEADLINE_MS + 2000;

export class Traffic implements NetworkObserver {
  readonly counts = { sent: 0, received: 0, withdrawn: 0, duplicates: 0 };
  readonly #parts: TrafficParts;
  readonly #held = new Map<Owed, OpenExchange>();
  readonly #prompt = new Set<string>();
  /** Successfully received, even if the answer was lost. */
  readonly #accepted = new Set<Owed>();

  constructor(parts: TrafficParts) {
    this.#parts = parts;
  }

  died(): void {
    this.#held.clear();
    this.#prompt.clear();
    this.#parts.ledger.died();
  }

  /** Releases the slots of recorded outcomes. */
  settled(): void {
    for (const [owed, { exchange }] of this.#held) if (owed.exchange !== exchange) this.#held.delete(owed);
  }

  onSend(exchange: Exchange): void {
    const { ledger, time, db } = this.#parts;
    ledger.catchUp(db(), time.now);
    this.settled();
    this.counts.sent += 1;
    const owed = this.#owedBy(exchange);
    if (this.#isDeleted(owed))
      throw new Violation(`delivery ${owed.id} is sent after its subscription's deletion`);
    if (exchange.request.endpoint !== owed.sub.endpoint)
      throw new Violation(
        `delivery ${owed.id} goes to ${exchange.request.endpoint}, not to ${owed.sub.endpoint}`,
      );
    if (owed.state !== 'pending')
      throw new Violation(`delivery ${owed.id} is sent though it is ${owed.state}`);
    if (owed.exchange !== undefined) throw new Violation(`delivery ${owed.id} is sent twice`);
    this.#checkTime(owed);
    this.#checkTurn(owed);
    owed.exchange = exchange;
    owed.wasReplay = owed.isReplay;
    this.#held.set(owed, { exchange, isPrompt: this.#prompt.has(exchange.secret) });
    this.#checkLimits(exchange);
  }

  onReceived(exchange: Exchange): void {
    const owed = this.#owedBy(exchange);
    this.counts.received += 1;
    if (this.#isDeleted(owed))
      throw new Violation(`delivery ${owed.id} arrives after its subscription's deletion`);
    if (this.#accepted.has(owed)) this.counts.duplicates += 1;
    if (exchange.willSucceed) this.#accepted.add(owed);
  }

  onEnd(exchange: Exchange): void {
    const owed = this.#owedBy(exchange);
    const { outcome } = exchange;
    for (const sub of this.#parts.ledger.subs.values()) sub.isMoved = false;
    if (outcome === undefined) throw new Error('an exchange ended without an outcome');
    if (outcome.kind !== 'withdrawn') {
      const isPrompt = outcome.kind === 'delivered' && outcome.ms <= PROMPT_MS;
      if (isPrompt) this.#prompt.add(exchange.secret);
      else this.#prompt.delete(exchange.secret);
      return;
    }
    this.counts.withdrawn += 1;
    if (!this.#isDeleted(owed) && !this.#parts.isStopping())
      throw new Violation(`delivery ${owed.id} is withdrawn though its subscription is active`);
    this.#prompt.delete(exchange.secret);
    owed.exchange = undefined;
    this.#held.delete(owed);
  }

  /** Checks the deliveries that wait for a slot again when an attempt ends. */
  onMove(): void {
    for (const sub of this.#parts.ledger.subs.values()) sub.isMoved = true;
  }

  /** Checks that no due delivery with a free slot waits. */
  checkNothingLies(): void {
    const { ledger, time } = this.#parts;
    for (const owed of ledger.owed.values())
      if (!owed.sub.isMoved && this.#isWaiting(owed, time.now) && this.#isAdmitted(owed))
        throw new Violation(
          `delivery ${owed.id} is due for ${turnOf(owed)} and has a free slot, but is left lying`,
        );
  }

  /** Checks that no repeat waits longer than the maximum, even after the clock was set back. */
  checkNothingIsFar(): void {
    const { ledger, time } = this.#parts;
    const latest = time.now + Math.ceil(ledger.longestRepeat * (1 + JITTER_MAX));
    for (const { id, state, attempts, dueAt } of ledger.owed.values())
      if (state === 'pending' && attempts > 0 && dueAt > latest)
        throw new Violation(`delivery ${id} is to wait for ${dueAt - time.now} ms`);
  }

  #owedBy({ event, secret }: Exchange): Owed {
    const owed = this.#parts.ledger.byKey.get(`${event}/${secret}`);
    if (owed === undefined) throw new Violation(`event ${event} is sent to ${secret}, who is not owed it`);
    return owed;
  }

  #isDeleted({ sub }: Owed): boolean {
    const row = prepared<[number], { deletedAt: EpochMs | null }>(
      this.#parts.db(),
      'SELECT deleted_at AS deletedAt FROM subscription WHERE id = ?',
    ).get(sub.id);
    return row?.deletedAt !== null;
  }

  #checkTime(owed: Owed): void {
    const { ledger, time, upSince, hosts } = this.#parts;
    const isRepeat = owed.attempts > 0 && !owed.isReplay;
    const isPulledForward = owed.isClockSetBack && owed.dueAt > time.now + ledger.longestRepeat;
    if (isRepeat && owed.dueAt > time.now && !isPulledForward)
      throw new Violation(`delivery ${owed.id} is repeated ${owed.dueAt - time.now} ms too early`);
    const isFirst = owed.attempts === 0 && !owed.isReplay;
    const waited = time.elapsed - Math.max(owed.publishedAt, upSince());
    const isHealthy =
      owed.sub.endpoint.includes(hosts[HEALTHY]?.name ?? '') && this.#prompt.has(owed.sub.secret);
    if (isFirst && isHealthy && waited > HEALTHY_WAIT_MAX_MS)
      throw new Violation(
        `delivery ${owed.id} to a healthy receiver waited ${waited} ms for its first attempt`,
      );
  }

  /** Checks that first attempts go before repeats. */
  #checkTurn(owed: Owed): void {
    if (owed.attempts === 0) return;
    for (const other of this.#parts.ledger.owed.values())
      if (other.attempts === 0 && this.#isWaiting(other, this.#parts.time.now) && this.#isAdmitted(other))
        throw new Violation(`delivery ${owed.id} is repeated before the first attempt of ${other.id}`);
  }

  #isWaiting({ state, exchange, attempts, dueAt }: Owed, now: EpochMs): boolean {
    return state === 'pending' && exchange === undefined && (attempts === 0 || dueAt <= now);
  }

  /** Returns whether the slots admit a delivery; an independent implementation of the rule. */
  #isAdmitted({ sub }: Owed): boolean {
    const { limits, slotKey } = this.#parts;
    const held = [...this.#held.values()];
    const receiver = slotKey(sub.endpoint);
    const ofReceiver = held.filter(({ exchange }) => slotKey(exchange.request.endpoint) === receiver);
    if (held.length >= limits.total || ofReceiver.length >= limits.perReceiver) return false;
    if (this.#prompt.has(sub.secret)) return true;
    const others = held.filter(({ isPrompt }) => !isPrompt);
    const share = held.some(({ exchange }) => exchange.secret === sub.secret)
      ? limits.total / 4
      : limits.total / 2;
    const othersHere = ofReceiver.filter(({ isPrompt }) => !isPrompt);
    return others.length < Math.floor(share) && othersHere.length < Math.floor(limits.perReceiver / 2);
  }

  #checkLimits({ request }: Exchange): void {
    const { limits, slotKey } = this.#parts;
    const receiver = slotKey(request.endpoint);
    const held = [...this.#held.values()];
    if (held.length > limits.total)
      throw new Violation(`${held.length} deliveries at once, ${limits.total} allowed`);
    const count = held.filter(({ exchange }) => slotKey(exchange.request.endpoint) === receiver).length;
    if (count > limits.perReceiver)
      throw new Violation(`${count} deliveries at once to ${receiver}, ${limits.perReceiver} allowed`);
  }
}

const turnOf = ({ attempts, isReplay }: Owed): string =>
  isReplay ? 'a replay' : attempts === 0 ? 'its first attempt' : 'a repeat';
