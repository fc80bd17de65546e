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
  begin(request: Request, quotaOwner: QuotaOwner, watch?: WatchRights): Hold {
    const exceededLimit = this.#requests.exceededLimit(quotaOwner);
    if (exceededLimit !== undefined)
      throw notNow(
        `As requisições em andamento são ${exceededLimitText(exceededLimit, quotaOwner, 'servidor.simultaneas')}; nada desta foi feito.`,
      );
    return new Hold(request, quotaOwner, this.#requests, this.#bytes, watch);
  }
}

/**
 * Calls `lost` with the refusal when a right of the caller ends. Returns a function that stops the watch.
 */
export type WatchRights = (lost: (refusal: DomainError) => void) => () => void;

/** The resources of a request, which is itself the quota owner of the work that it starts. */
export class Hold implements QuotaOwner {
  readonly user: string;
  readonly company: string | undefined;
  readonly #request: Request;
  readonly #requests: FairShares;
  readonly #bytes: FairShares;
  readonly #watch: WatchRights | undefined;
  #rights: AbortController | undefined;
  #unwatch: (() => void) | undefined;
  #leaves: AbortSignal | undefined;
  #body = 0;
  #isOver = false;

  constructor(
    request: Request,
    { user, company }: QuotaOwner,
    requests: FairShares,
    bytes: FairShares,
    watch?: WatchRights,
  ) {
    this.user = user;
    this.company = company;
    this.#request = request;
    this.#requests = requests;
    this.#bytes = bytes;
    this.#watch = watch;
    requests.take(this);
  }

  /**
   * Aborts when the client disconnects, or when a right of the caller ends. Created on access: most requests
   * never need it, and a watch costs a query.
   */
  get signal(): AbortSignal {
    return (this.#leaves ??= AbortSignal.any([this.#request.signal, this.#watchRights()]));
  }

  /** Counts further received bytes of the body. Throws 503 over the share. */
  received(bytes: number): void {
    const exceededLimit = this.#bytes.exceededLimit(this, bytes, this.#body);
    if (exceededLimit !== undefined)
      throw notNow(
        `Os corpos recebidos e ainda não respondidos ocupam ${exceededLimitText(exceededLimit, this, 'corpo.memoria')}; nada desta requisição foi feito.`,
      );
    this.#bytes.take(this, bytes);
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
    this.#requests.give(this);
    if (this.#body > 0) this.#bytes.give(this, this.#body);
  }
}
