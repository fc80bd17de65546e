/**
 * Counts the server resources that a request holds until its answer, within the share of its caller (contract
 * section 16, Limits).
 */
import { DomainError } from '../errors.ts';
import { type Holder, FairShares, lackText } from '../fair-shares.ts';
import { passing } from './passing.ts';

const RETRY_AFTER_SECONDS = 2;

/** Returns the error of a request that can be retried later. `message` says why. */
export const notNow = (message: string): DomainError =>
  new DomainError('unavailable', `${message} Tente de novo em ${RETRY_AFTER_SECONDS} segundos.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });

export class Holdings {
  readonly #requests: FairShares;
  readonly #bytes: FairShares;

  /** Settings `servidor.simultaneas` and `corpo.memoria`. */
  constructor(requests: number, bodyBytes: number) {
    this.#requests = new FairShares(requests);
    this.#bytes = new FairShares(bodyBytes);
  }

  /** Registers a request under way. Throws 503 over the share. */
  begin(holder: Holder): Hold {
    const lack = this.#requests.lack(holder);
    if (lack !== undefined)
      throw notNow(
        `As requisições em andamento são ${lackText(lack, holder, 'servidor.simultaneas')}; nada desta foi feito.`,
      );
    return new Hold(holder, this.#requests, this.#bytes);
  }
}

/** Calls `lost` when a right of the caller ends. Returns a function that stops the watch. */
type WatchRights = (lost: () => void) => () => void;

const rightEnded = (): Error =>
  new DomainError('forbidden', 'O direito do usuário a esta resposta terminou enquanto ela era enviada.');

export class Hold {
  readonly holder: Holder;
  readonly #requests: FairShares;
  readonly #bytes: FairShares;
  #body = 0;
  #isOver = false;

  constructor(holder: Holder, requests: FairShares, bytes: FairShares) {
    this.holder = holder;
    this.#requests = requests;
    this.#bytes = bytes;
    requests.take(holder);
  }

  /** Counts further received bytes of the body. Throws 503 over the share. */
  received(bytes: number): void {
    const { holder } = this;
    const lack = this.#bytes.lack(holder, bytes, this.#body);
    if (lack !== undefined)
      throw notNow(
        `Os corpos recebidos e ainda não respondidos ocupam ${lackText(lack, holder, 'corpo.memoria')}; nada desta requisição foi feito.`,
      );
    this.#bytes.take(holder, bytes);
    this.#body += bytes;
  }

  /**
   * Keeps the hold for the answer. A stream stays under way until it has been read, its reader leaves, or the
   * right to it ends, which cuts it off. `watch` reports the end of the right.
   */
  until<Content>(content: Content, watch?: WatchRights): Content | ReadableStream<Uint8Array> {
    if (!(content instanceof ReadableStream)) {
      this.end();
      return content;
    }
    const rights = new AbortController();
    const unwatch = watch?.(() => rights.abort(rightEnded()));
    const over = (): void => {
      unwatch?.();
      this.end();
    };
    return passing(content, { over, cut: rights.signal });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#requests.give(this.holder);
    this.#bytes.give(this.holder, this.#body);
  }
}
