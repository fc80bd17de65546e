/** How many long reads may be under way (contract section 16, Limits): over it they wait their turn, then are refused. */
import type { RealTime } from '../clock.ts';
import { DomainError } from '../errors.ts';

export interface AdmissionParts {
  readonly limit: number;
  readonly waitMs: number;
  readonly realTime: RealTime;
}

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (error: Error) => void;
}

const RETRY_AFTER_SECONDS = 5;

export class Admission {
  readonly #parts: AdmissionParts;
  readonly #waiting = new Set<Waiting>();
  #admitted = 0;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Resolves when there is room, first come first served; each needs a `leave`. Throws `unavailable`. */
  enter(): Promise<void> {
    const { limit, waitMs, realTime } = this.#parts;
    if (this.#admitted < limit) {
      this.#admitted += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = realTime.after(waitMs, () => waiting.refuse(tooMany(limit)));
      const waiting: Waiting = {
        admit: () => {
          timer.cancel();
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

  /** Hands the place on to whoever has waited longest. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#admitted -= 1;
      return;
    }
    this.#waiting.delete(next);
    next.admit();
  }

  /** Refuses all who wait. */
  close(): void {
    for (const { refuse } of this.#waiting)
      refuse(new DomainError('unavailable', 'O serviço está sendo encerrado; a lista não foi lida.'));
  }
}

const tooMany = (limit: number): DomainError =>
  new DomainError(
    'unavailable',
    `Há ${limit === 1 ? '1 lista ou exportação longa' : `${limit} listas ou exportações longas`} em andamento, o máximo desta instância (servidor.listas); tente de novo em ${RETRY_AFTER_SECONDS} segundos.`,
    { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  );
