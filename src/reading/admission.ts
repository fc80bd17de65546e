/** How many long reads may be under way (contract section 16, Limits): over it they wait their turn, then are refused. */
import type { RealTime } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { type Holder, Shares, lackText } from '../shares.ts';

export interface AdmissionParts {
  readonly limit: number;
  readonly waitMs: number;
  readonly realTime: RealTime;
}

interface Waiting {
  readonly holder: Holder;
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 5;

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #shares: Shares;
  readonly #waiting = new Set<Waiting>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#shares = new Shares(parts.limit);
  }

  /** Resolves when there is room for this holder, first come first served; each needs a `leave`. Throws `unavailable`. */
  enter(holder: Holder): Promise<void> {
    const { waitMs, realTime } = this.#parts;
    if (this.#shares.lack(holder) === undefined) {
      this.#shares.take(holder);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = realTime.after(waitMs, () => waiting.refuse(this.#tooMany(holder)));
      const waiting: Waiting = {
        holder,
        admit: () => {
          timer.cancel();
          this.#waiting.delete(waiting);
          this.#shares.take(holder);
          resolve();
        },
        refuse: (error) => {
          timer.cancel();
          this.#waiting.delete(waiting);
          reject(error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  /** Hands the place on to whoever has waited longest, of those who may have it. */
  leave(holder: Holder): void {
    this.#shares.give(holder);
    this.#first()?.admit();
  }

  /** Whether somebody waits for a place that this holder has. */
  isWaitedFor(holder: Holder): boolean {
    if (this.#waiting.size === 0) return false;
    this.#shares.give(holder);
    const first = this.#first();
    this.#shares.take(holder);
    return first !== undefined;
  }

  /** Refuses all who wait. */
  close(): void {
    for (const { refuse } of this.#waiting)
      refuse(new DomainError('unavailable', 'O serviço está sendo encerrado; a lista não foi lida.'));
  }

  #first(): Waiting | undefined {
    for (const waiting of this.#waiting) if (this.#shares.lack(waiting.holder) === undefined) return waiting;
    return undefined;
  }

  #tooMany(holder: Holder): DomainError {
    const lack = lackText(this.#shares.lack(holder) ?? 'all', holder, 'servidor.listas');
    return new DomainError(
      'unavailable',
      `As listas e exportações longas em andamento são ${lack}; tente de novo em ${RETRY_AFTER_SECONDS} segundos.`,
      { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
    );
  }
}
