/**
 * Limits the work under way (contract section 16, Limits). Over the limit, a request waits its turn, then
 * is refused.
 */
import type { RealTime } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Holder, ExceededLimit, FairShares } from '../fair-shares.ts';

export interface AdmissionParts {
  readonly shares: FairShares;
  readonly waitMs: number;
  readonly realTime: RealTime;
  /** Returns the exhausted limit in Portuguese, as the first half of a sentence. */
  readonly busyText: (exceededLimit: ExceededLimit, holder: Holder) => string;
}

interface Waiting {
  readonly holder: Holder;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 5;

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #waiting = new Set<Waiting>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when this holder gets a slot, in order of arrival. Each slot must be released with `leave`.
   * Throws `unavailable`.
   */
  enter(holder: Holder): Promise<void> {
    const { shares, waitMs, realTime } = this.#parts;
    if (holder.leaves?.aborted === true) return Promise.reject(departure(holder.leaves));
    if (shares.exceededLimit(holder) === undefined) {
      shares.take(holder);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onDeparture = (): void => waiting.refuse(departure(holder.leaves));
      const finish = (): void => {
        timer.cancel();
        holder.leaves?.removeEventListener('abort', onDeparture);
        this.#waiting.delete(waiting);
      };
      const timer = realTime.after(waitMs, () => waiting.refuse(this.tooMany(holder)));
      const waiting: Waiting = {
        holder,
        admit: () => {
          finish();
          shares.take(holder);
          resolve();
        },
        refuse: (error) => {
          finish();
          reject(error);
        },
      };
      holder.leaves?.addEventListener('abort', onDeparture);
      this.#waiting.add(waiting);
    });
  }

  /** Releases the slot, for the request that has waited longest and may take it. */
  leave(holder: Holder): void {
    this.#parts.shares.give(holder);
    this.#first()?.admit();
  }

  /** Returns true when somebody waits for a slot that this holder has. */
  isWaitedFor(holder: Holder): boolean {
    if (this.#waiting.size === 0) return false;
    const { shares } = this.#parts;
    shares.give(holder);
    const first = this.#first();
    shares.take(holder);
    return first !== undefined;
  }

  /** Refuses all waiting holders. */
  close(): void {
    for (const { refuse } of this.#waiting)
      refuse(new DomainError('unavailable', 'O serviço está sendo encerrado; nada foi lido.'));
  }

  /** Returns the refusal after the wait. */
  tooMany(holder: Holder): DomainError {
    const { shares, busyText } = this.#parts;
    return new DomainError(
      'unavailable',
      `${busyText(shares.exceededLimit(holder) ?? 'all', holder)}; tente de novo em ${RETRY_AFTER_SECONDS} segundos.`,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }

  #first(): Waiting | undefined {
    const { shares } = this.#parts;
    for (const waiting of this.#waiting)
      if (shares.exceededLimit(waiting.holder) === undefined) return waiting;
    return undefined;
  }
}

/** Returns the refusal that is the reason of the signal. Otherwise the client left, which only the log records. */
export const departure = (leaves: AbortSignal | undefined): DomainError =>
  leaves?.reason instanceof DomainError
    ? leaves.reason
    : new DomainError(
        'unavailable',
        'O cliente fechou a conexão antes da resposta; o trabalho foi encerrado.',
      );
