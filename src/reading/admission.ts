/**
 * Limits the work under way (contract section 16, Limits). Over the limit, a request waits its turn, then
 * is refused.
 */
import type { RealTime } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { QuotaOwner, ExceededLimit, FairShares } from '../fair-shares.ts';

interface Waiting {
  readonly quotaOwner: QuotaOwner;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 5;

export class Admission {
  readonly #shares: FairShares;
  readonly #waitMs: number;
  readonly #realTime: RealTime;
  /** Returns the exhausted limit in Portuguese, as the first half of a sentence. */
  readonly #busyText: (exceededLimit: ExceededLimit, quotaOwner: QuotaOwner) => string;
  readonly #waiting = new Set<Waiting>();

  constructor(
    shares: FairShares,
    waitMs: number,
    realTime: RealTime,
    busyText: (exceededLimit: ExceededLimit, quotaOwner: QuotaOwner) => string,
  ) {
    this.#shares = shares;
    this.#waitMs = waitMs;
    this.#realTime = realTime;
    this.#busyText = busyText;
  }

  /**
   * Resolves when this quota owner gets a slot, in order of arrival. Each slot must be released with `leave`.
   * Throws `unavailable`.
   */
  enter(quotaOwner: QuotaOwner): Promise<void> {
    if (quotaOwner.signal?.aborted === true) return Promise.reject(departure(quotaOwner.signal));
    if (this.#shares.exceededLimit(quotaOwner) === undefined) {
      this.#shares.take(quotaOwner);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onDeparture = (): void => waiting.refuse(departure(quotaOwner.signal));
      const finish = (): void => {
        timer.cancel();
        quotaOwner.signal?.removeEventListener('abort', onDeparture);
        this.#waiting.delete(waiting);
      };
      const timer = this.#realTime.after(this.#waitMs, () => waiting.refuse(this.tooMany(quotaOwner)));
      const waiting: Waiting = {
        quotaOwner,
        admit: () => {
          finish();
          this.#shares.take(quotaOwner);
          resolve();
        },
        refuse: (error) => {
          finish();
          reject(error);
        },
      };
      quotaOwner.signal?.addEventListener('abort', onDeparture);
      this.#waiting.add(waiting);
    });
  }

  /** Releases the slot, for the request that has waited longest and may take it. */
  leave(quotaOwner: QuotaOwner): void {
    this.#shares.give(quotaOwner);
    this.#first()?.admit();
  }

  /** Returns true when somebody waits for a slot that this quota owner has. */
  isWaitedFor(quotaOwner: QuotaOwner): boolean {
    if (this.#waiting.size === 0) return false;
    this.#shares.give(quotaOwner);
    const first = this.#first();
    this.#shares.take(quotaOwner);
    return first !== undefined;
  }

  /** Refuses all waiting holders. */
  close(): void {
    for (const { refuse } of this.#waiting)
      refuse(new DomainError('unavailable', 'O serviço está sendo encerrado; nada foi lido.'));
  }

  /** Returns the refusal after the wait. */
  tooMany(quotaOwner: QuotaOwner): DomainError {
    return new DomainError(
      'unavailable',
      `${this.#busyText(this.#shares.exceededLimit(quotaOwner) ?? 'all', quotaOwner)}; tente de novo em ${RETRY_AFTER_SECONDS} segundos.`,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }

  #first(): Waiting | undefined {
    for (const waiting of this.#waiting)
      if (this.#shares.exceededLimit(waiting.quotaOwner) === undefined) return waiting;
    return undefined;
  }
}

/** Returns the refusal that is the reason of the signal. Otherwise the client left, which only the log records. */
export const departure = (signal: AbortSignal | undefined): DomainError =>
  signal?.reason instanceof DomainError
    ? signal.reason
    : new DomainError(
        'unavailable',
        'O cliente fechou a conexão antes da resposta; o trabalho foi encerrado.',
      );
