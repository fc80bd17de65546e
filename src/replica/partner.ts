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
  type KeptReport,
  epochIn,
  supersededBy,
  supersededByKept,
} from './epoch.ts';

export interface PartnerParts {
  readonly ask: () => Promise<PartnerAnswer>;
  readonly ours: () => Epoch;
  /** Real time, because the network knows no other. */
  readonly realTime: RealTime;
  /** A report from before this start that superseded this machine. */
  readonly kept: KeptReport | undefined;
  /** Stores a report for the next start. */
  readonly keep: (report: Exclude<KeptReport, { kind: 'damaged' }>) => void;
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

const ASK_EVERY_MS = SECOND_MS;
const DEADLINE_MS = 2 * SECOND_MS;
/**
 * Requests at the start. A busy machine that took over may answer late, and writes before its answer would
 * be lost. A machine that is off delays the start.
 */
const ASKED_AT_START = 3;

/** Requests the epoch of the other machine. Never rejects. */
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

  /**
   * Checks the other machine before anything is served. Returns the reason, in Portuguese, when it
   * superseded this one.
   */
  async look(): Promise<string | undefined> {
    if (this.#superseded !== undefined) return this.#superseded;
    let answer = await this.#parts.ask();
    for (
      let attempts = 1;
      answer.kind === 'silent' && answer.isLate && attempts < ASKED_AT_START;
      attempts += 1
    )
      answer = await this.#parts.ask();
    return this.#settle(answer);
  }

  /**
   * Evaluates an answer. A report that supersedes this machine stays valid, also during later silence and
   * after the next start.
   */
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

  /** Starts the periodic requests. */
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
