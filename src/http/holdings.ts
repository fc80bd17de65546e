/**
 * Counts the server resources that a request holds until its answer, within the share of its caller (contract
 * section 16, Limits).
 */
import { DomainError } from '../errors.ts';
import { type QuotaOwner, FairShares, exceededLimitText } from '../fair-shares.ts';
import { observeStream } from './observe-stream.ts';

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
  begin(quotaOwner: QuotaOwner, watch?: WatchRights): Hold {
    const exceededLimit = this.#requests.exceededLimit(quotaOwner);
    if (exceededLimit !== undefined)
      throw notNow(
        `As requisições em andamento são ${exceededLimitText(exceededLimit, quotaOwner, 'servidor.simultaneas')}; nada desta foi feito.`,
      );
    return new Hold(quotaOwner, this.#requests, this.#bytes, watch);
  }
}

/**
 * Calls `lost` with the refusal when a right of the caller ends. Returns a function that stops the watch.
 */
export type WatchRights = (lost: (refusal: DomainError) => void) => () => void;

export class Hold {
  /** The quota owner of the request. Its `signal` also aborts when a right of the caller ends. */
  readonly quotaOwner: QuotaOwner;
  readonly #requests: FairShares;
  readonly #bytes: FairShares;
  readonly #watch: WatchRights | undefined;
  #rights: AbortController | undefined;
  #unwatch: (() => void) | undefined;
  #leaves: AbortSignal | undefined;
  #body = 0;
  #isOver = false;

  constructor(owner: QuotaOwner, requests: FairShares, bytes: FairShares, watch?: WatchRights) {
    const abortSignal = (): AbortSignal =>
      (this.#leaves ??= AbortSignal.any(signalsOf(owner, this.#watchRights())));
    this.quotaOwner = {
      user: owner.user,
      company: owner.company,
      // Most requests never need the signal, and a watch costs a query.
      get signal() {
        return abortSignal();
      },
    };
    this.#requests = requests;
    this.#bytes = bytes;
    this.#watch = watch;
    requests.take(owner);
  }

  /** Counts further received bytes of the body. Throws 503 over the share. */
  received(bytes: number): void {
    const { quotaOwner } = this;
    const exceededLimit = this.#bytes.exceededLimit(quotaOwner, bytes, this.#body);
    if (exceededLimit !== undefined)
      throw notNow(
        `Os corpos recebidos e ainda não respondidos ocupam ${exceededLimitText(exceededLimit, quotaOwner, 'corpo.memoria')}; nada desta requisição foi feito.`,
      );
    this.#bytes.take(quotaOwner, bytes);
    this.#body += bytes;
  }

  /**
   * Keeps the hold until the answer has been sent. A streamed answer counts as under way until the stream has
   * been read, its reader closes it, or the right of the caller ends, which cuts the stream.
   */
  until<Content>(content: Content): Content | ReadableStream<Uint8Array> {
    if (!(content instanceof ReadableStream)) {
      this.end();
      return content;
    }
    return observeStream(content, { onEnd: () => this.end(), signal: this.#watchRights() });
  }

  #watchRights(): AbortSignal {
    if (this.#rights === undefined) {
      const rights = new AbortController();
      this.#rights = rights;
      if (!this.#isOver) this.#unwatch = this.#watch?.((refusal) => rights.abort(refusal));
    }
    return this.#rights.signal;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#unwatch?.();
    this.#requests.give(this.quotaOwner);
    this.#bytes.give(this.quotaOwner, this.#body);
  }
}

const signalsOf = ({ signal: leaves }: QuotaOwner, rights: AbortSignal): AbortSignal[] =>
  leaves === undefined ? [rights] : [leaves, rights];
