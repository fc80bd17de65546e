/**
 * The other machine of the pair (contract section 26). This machine requests its epoch at the start and
 * then every second. Silence proves nothing: a broken network looks the same as a machine that is off.
 */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { exchange } from '../outgoing/exchange.ts';
import {
  type Epoch,
  type EpochReport,
  type StoredReport,
  epochIn,
  supersededBy,
  supersededByStored,
} from './epoch.ts';

export interface PartnerOptions {
  readonly pollOnce: () => Promise<PartnerAnswer>;
  readonly ownEpoch: () => Epoch;
  /** Real time, because the network knows no other. */
  readonly realTime: RealTime;
  /** A report from before this start that superseded this machine. */
  readonly storedReport: StoredReport | undefined;
  /** Stores a report for the next start. */
  readonly storeReport: (report: Exclude<StoredReport, { kind: 'damaged' }>) => void;
  /** Called once on a serving machine when it is superseded. It then only reads. */
  readonly onSuperseded: (reason: string) => void;
  /**
   * Called with the reason when the other machine becomes silent, and with `undefined` when it answers
   * again.
   */
  readonly onSilence: (reason: string | undefined) => void;
}

export type PartnerAnswer =
  | EpochReport
  /** `isLate`: the machine may be on and busy. `reason` is Portuguese. */
  | { readonly kind: 'silent'; readonly isLate: boolean; readonly reason: string };

const POLL_MS = SECOND_MS;
const DEADLINE_MS = 2 * SECOND_MS;
/**
 * Requests at the start. A busy machine that took over may answer late, and writes before its answer would
 * be lost. A machine that is off delays the start.
 */
const ATTEMPTS_AT_START = 3;

/** Requests the epoch of the other machine. Never rejects. */
export async function askEpoch(
  address: string,
  time: Pick<RealTime, 'after'>,
  stopping = new AbortController().signal,
): Promise<PartnerAnswer> {
  const url = new URL('/readyz', address);
  const exchanged = await exchange(
    { url, method: 'GET', headers: { 'User-Agent': 'catp' }, headersOnly: true },
    { time, totalMs: DEADLINE_MS, maxBytes: 0, stopping },
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
  readonly #pollOnce: () => Promise<PartnerAnswer>;
  readonly #ownEpoch: () => Epoch;
  readonly #realTime: RealTime;
  readonly #storeReport: (report: Exclude<StoredReport, { kind: 'damaged' }>) => void;
  readonly #onSuperseded: (reason: string) => void;
  readonly #onSilence: (reason: string | undefined) => void;
  #superseded: string | undefined;
  #isSilent = false;
  #isPolling = false;
  #timer: Timer | undefined;
  #stopped = Promise.withResolvers<void>();

  constructor({
    pollOnce,
    ownEpoch,
    realTime,
    storedReport,
    storeReport,
    onSuperseded,
    onSilence,
  }: PartnerOptions) {
    this.#pollOnce = pollOnce;
    this.#ownEpoch = ownEpoch;
    this.#realTime = realTime;
    this.#storeReport = storeReport;
    this.#onSuperseded = onSuperseded;
    this.#onSilence = onSilence;
    this.#superseded = storedReport && supersededByStored(storedReport, ownEpoch());
  }

  /**
   * Checks the other machine before anything is served. Returns the reason, in Portuguese, when it
   * superseded this one.
   */
  async checkBeforeStart(): Promise<string | undefined> {
    if (this.#superseded !== undefined) return this.#superseded;
    let answer = await this.#pollOnce();
    for (
      let attempts = 1;
      answer.kind === 'silent' && answer.isLate && attempts < ATTEMPTS_AT_START;
      attempts += 1
    )
      answer = await this.#pollOnce();
    return this.#evaluate(answer);
  }

  /**
   * Evaluates an answer. A report that supersedes this machine stays valid, also during later silence and
   * after the next start.
   */
  #evaluate(answer: PartnerAnswer): string | undefined {
    const isSilent = answer.kind === 'silent';
    if (isSilent !== this.#isSilent) this.#onSilence(isSilent ? answer.reason : undefined);
    this.#isSilent = isSilent;
    if (isSilent) return undefined;
    const reason = supersededBy(answer, this.#ownEpoch());
    if (reason === undefined) return undefined;
    this.#superseded = reason;
    this.#storeReport(answer.kind === 'epoch' ? answer : { ...answer, ours: this.#ownEpoch().number });
    return reason;
  }

  /** Starts the periodic requests. */
  start(): void {
    this.#isPolling = true;
    this.#stopped = Promise.withResolvers();
    this.#pollLater();
  }

  stop(): void {
    this.#isPolling = false;
    this.#timer?.cancel();
    this.#stopped.resolve();
  }

  /** Returns the permanent refusal of writes. `undefined`: this machine is not superseded. */
  get refusal(): DomainError | undefined {
    return this.#superseded === undefined
      ? undefined
      : new DomainError(
          'unavailable',
          `${this.#superseded} Esta atende só consultas; nada desta requisição foi gravado.`,
        );
  }

  /**
   * Returns a promise of a superseded machine that resolves at its stop. Until then, it runs no background
   * work.
   */
  get untilStopped(): Promise<void> | undefined {
    return this.#superseded === undefined ? undefined : this.#stopped.promise;
  }

  #pollLater(): void {
    this.#timer?.cancel();
    if (this.#superseded === undefined) this.#timer = this.#realTime.after(POLL_MS, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const answer = await this.#pollOnce();
    if (!this.#isPolling) return; // the database may be closed
    const reason = this.#evaluate(answer);
    if (reason !== undefined) this.#onSuperseded(reason);
    this.#pollLater();
  }
}
