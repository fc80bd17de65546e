/**
 * The other machine of the two (contract section 26): asked at the start and then every second which epoch it is in. One that
 * does not answer says nothing: that the network is cut looks the same as that it is off.
 */
import { type RealTime, SECOND_MS, type Timer } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { exchange } from '../outgoing/exchange.ts';
import { type Epoch, epochIn, supersededBy } from './epoch.ts';

export interface PartnerParts {
  readonly ask: () => Promise<Told>;
  readonly ours: () => Epoch;
  /** Networks keep no other. */
  readonly realTime: RealTime;
  /** What it told before this start, when it had taken over. */
  readonly heard: Epoch | undefined;
  /** For the next start. */
  readonly keep: (theirs: Epoch) => void;
  /** Told once, of one that serves: why it goes on with reading alone. */
  readonly onSuperseded: (reason: string) => void;
  /** Told why it is not heard any more, and `undefined` when it is again. */
  readonly onSilence: (reason: string | undefined) => void;
}

export interface Told {
  /** Absent: why it is not known, in Portuguese. */
  readonly epoch?: Epoch;
  /** It may be there, and be busy. */
  readonly isLate?: boolean;
  readonly message: string;
}

const ASK_EVERY_MS = SECOND_MS;
const DEADLINE_MS = 2 * SECOND_MS;
/** A busy machine that took over answers late, and what this one writes until it is heard is lost; one that is off delays a start. */
const ASKED_AT_START = 3;
/** What /readyz says is short. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** Never rejects. */
export async function askEpoch(
  address: string,
  time: Pick<RealTime, 'after'>,
  stopping = new AbortController().signal,
): Promise<Told> {
  const url = new URL('/readyz', address);
  const exchanged = await exchange(
    { url, method: 'GET', headers: { 'User-Agent': 'catp' } },
    { time, wholeMs: DEADLINE_MS, maxBytes: ANSWER_MAX_BYTES, stopping },
  );
  if (exchanged.kind === 'broken')
    return exchanged.code === 'LATE'
      ? { isLate: true, message: `não respondeu em ${DEADLINE_MS} ms` }
      : { message: exchanged.code };
  const epoch = epochIn(exchanged.headers);
  return epoch === undefined
    ? { message: `respondeu ${exchanged.status} sem dizer sua época` }
    : { epoch, message: `está na época ${epoch.number}` };
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
    const { heard, ours } = parts;
    this.#superseded = heard && supersededBy(heard, ours());
  }

  /** Before anything is served: why it must not be, where the other says so. */
  async look(): Promise<string | undefined> {
    if (this.#superseded !== undefined) return this.#superseded;
    let told = await this.#parts.ask();
    for (let asked = 1; told.isLate && asked < ASKED_AT_START; asked += 1) told = await this.#parts.ask();
    return this.#settle(told);
  }

  /** What it says once stays said: also when it is silent later, and after the next start. */
  #settle(told: Told): string | undefined {
    const reason = this.#judge(told);
    if (reason !== undefined && told.epoch !== undefined) {
      this.#superseded = reason;
      this.#parts.keep(told.epoch);
    }
    return reason;
  }

  #judge({ epoch, message }: Told): string | undefined {
    const { ours, onSilence } = this.#parts;
    const isSilent = epoch === undefined;
    if (isSilent !== this.#isSilent) onSilence(isSilent ? message : undefined);
    this.#isSilent = isSilent;
    return epoch && supersededBy(epoch, ours());
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
    const told = await this.#parts.ask();
    if (!this.#isAsking) return; // the database may be closed
    const reason = this.#settle(told);
    if (reason !== undefined) this.#parts.onSuperseded(reason);
    this.#askLater();
  }
}
