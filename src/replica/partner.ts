/**
 * The other machine of the two (contract section 26): asked at the start and then every second which epoch it is in. One that
 * does not answer says nothing: that the network is cut looks the same as that it is off.
 */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { exchange } from '../outgoing/exchange.ts';
import {
  type Epoch,
  type EpochReport,
  type KeptReport,
  epochIn,
  supersededBy,
  supersededByKept,
} from './epoch.ts';

export interface PartnerParts {
  readonly ask: () => Promise<PartnerAnswer>;
  readonly ours: () => Epoch;
  /** Networks keep no other. */
  readonly realTime: RealTime;
  /** What it reported before this start, when that ended the turn of this one. */
  readonly kept: KeptReport | undefined;
  /** Keeps it for the next start. */
  readonly keep: (report: Exclude<KeptReport, { kind: 'damaged' }>) => void;
  /** Told once, of one that serves: why it goes on with reading alone. */
  readonly onSuperseded: (reason: string) => void;
  /** Told why it is not heard any more, and `undefined` when it is again. */
  readonly onSilence: (reason: string | undefined) => void;
}

export type PartnerAnswer =
  | EpochReport
  /** `isLate`: it may be on, and be busy. `reason` is Portuguese. */
  | { readonly kind: 'silent'; readonly isLate: boolean; readonly reason: string };

const ASK_EVERY_MS = SECOND_MS;
const DEADLINE_MS = 2 * SECOND_MS;
/** A busy machine that took over answers late, and what this one writes until it is heard is lost; one that is off delays a start. */
const ASKED_AT_START = 3;

/** Never rejects. */
export async function askEpoch(
  address: string,
  time: Pick<RealTime, 'after'>,
  stopping = new AbortController().signal,
): Promise<PartnerAnswer> {
  const url = new URL('/readyz', address);
  const exchanged = await exchange(
    { url, method: 'GET', headers: { 'User-Agent': 'catp' }, headersOnly: true },
    { time, wholeMs: DEADLINE_MS, maxBytes: 0, stopping },
  );
  if (exchanged.kind === 'broken') {
    const isLate = exchanged.code === 'LATE';
    const reason = isLate ? `não respondeu em ${DEADLINE_MS} ms` : exchanged.code;
    return { kind: 'silent', isLate, reason };
  }
  return (
    epochIn(exchanged.headers) ?? {
      kind: 'silent',
      isLate: false,
      reason: `respondeu ${exchanged.status} sem dizer sua época`,
    }
  );
}

export class Partner {
  readonly #parts: PartnerParts;
  #superseded: string | undefined;
  #isSilent = false;
  #isAsking = false;
  #timer: Timer | undefined;
  #stopped = Promise.withResolvers<void>();

  constructor(parts: PartnerParts) {
    this.#parts = parts;
    const { kept, ours } = parts;
    this.#superseded = kept && supersededByKept(kept, ours());
  }

  /** Before anything is served: why it must not be, where the other says so. */
  async look(): Promise<string | undefined> {
    if (this.#superseded !== undefined) return this.#superseded;
    let answer = await this.#parts.ask();
    for (let asked = 1; answer.kind === 'silent' && answer.isLate && asked < ASKED_AT_START; asked += 1)
      answer = await this.#parts.ask();
    return this.#settle(answer);
  }

  /** What it says once stays said: also when it is silent later, and after the next start. */
  #settle(answer: PartnerAnswer): string | undefined {
    const { ours, keep, onSilence } = this.#parts;
    const isSilent = answer.kind === 'silent';
    if (isSilent !== this.#isSilent) onSilence(isSilent ? answer.reason : undefined);
    this.#isSilent = isSilent;
    if (isSilent) return undefined;
    const reason = supersededBy(answer, ours());
    if (reason === undefined) return undefined;
    this.#superseded = reason;
    keep(answer.kind === 'epoch' ? answer : { ...answer, ours: ours().number });
    return reason;
  }

  /** Asks by itself from now on. */
  start(): void {
    this.#isAsking = true;
    this.#stopped = Promise.withResolvers();
    this.#askLater();
  }

  stop(): void {
    this.#isAsking = false;
    this.#timer?.cancel();
    this.#stopped.resolve();
  }

  /** Why nothing is taken any more, for good. */
  get refusal(): DomainError | undefined {
    return this.#superseded === undefined
      ? undefined
      : new DomainError(
          'unavailable',
          `${this.#superseded} Esta atende só consultas; nada desta requisição foi gravado.`,
        );
  }

  /** Of one that was superseded, what ends when it stops: until then it does nothing by itself. */
  get rest(): Promise<void> | undefined {
    return this.#superseded === undefined ? undefined : this.#stopped.promise;
  }

  #askLater(): void {
    this.#timer?.cancel();
    if (this.#superseded === undefined)
      this.#timer = this.#parts.realTime.after(ASK_EVERY_MS, () => void this.#ask());
  }

  async #ask(): Promise<void> {
    const answer = await this.#parts.ask();
    if (!this.#isAsking) return; // the database may be closed
    const reason = this.#settle(answer);
    if (reason !== undefined) this.#parts.onSuperseded(reason);
    this.#askLater();
  }
}
