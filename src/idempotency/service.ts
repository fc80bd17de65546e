/**
 * Recognises requests that a client repeats after a lost answer (contract section 16). For 24 hours, a request
 * with the same `Idempotency-Key` and user gets the answer of the first one. The transaction that queues the
 * work also stores the key, so a refused request leaves no key.
 */
import { violated } from '../catalogue/codes.ts';
import { type Clock, DAY_MS, type EpochMs } from '../clock.ts';
import type { Transaction, Writer } from '../db/writer.ts';
import { DomainError, malformed, unprocessable } from '../errors.ts';
import { IDEMPOTENCY_KEY } from '../http/cors.ts';
import type { Caller } from '../session/model.ts';
import { fieldProblem } from '../validation/decoding.ts';
import { formatValue } from '../validation/format-value.ts';
import type { IdempotencyStore } from './store.ts';
import { t } from '../validation/type.ts';

const KEY_MAX = 200;
const KEY_PATTERN = `^[!-~]{1,${KEY_MAX}}$`;
const KEY_FORM = new RegExp(KEY_PATTERN);

/** The optional request header of each operation that starts long work. */
export const KEY_HEADER = {
  [IDEMPOTENCY_KEY]: t.Optional(
    t.String({
      minLength: 1,
      maxLength: KEY_MAX,
      pattern: KEY_PATTERN,
      'x-domain': `de 1 a ${KEY_MAX} caracteres visíveis, sem espaços nem acentos`,
      description:
        'Um texto seu, que só este pedido tem. Repetido em 24 horas pelo mesmo usuário, o pedido recebe a resposta do primeiro e nada é feito de novo. Com outro pedido é recusado: 422 CATP-ER1043. Um pedido recusado não gasta a chave.',
    }),
  ),
};

/** Writes the rows that belong to the work, in the transaction that queues it. */
export type AlsoWrite = (tx: Transaction, id: number) => void;

export interface RepeatableRequest {
  readonly caller: Caller;
  readonly request: Request;
  /** The operation and the whole content of its request. Any difference makes it another request. */
  readonly content: readonly unknown[];
  /** Throws 404 if the caller cannot see the work of the first request. */
  readonly find: (id: number) => unknown;
  /** Removes the uploaded files. Called only if no work started with them. */
  readonly discard?: () => Promise<void>;
}

/** Thrown in a transaction that would start the work of a key a second time. */
class RepeatedRequest extends Error {
  readonly id: number;

  constructor(id: number) {
    super('Repeated request.');
    this.id = id;
  }
}

export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #writer: Writer;
  readonly #clock: Clock;

  constructor(store: IdempotencyStore, writer: Writer, clock: Clock) {
    this.#store = store;
    this.#writer = writer;
    this.#clock = clock;
  }

  /**
   * Starts the work, or returns the id that the first request of this key returned. Throws 400, 422, and the
   * errors of `begin`.
   */
  async once(
    repeatable: RepeatableRequest,
    begin: (alsoWrite?: AlsoWrite) => Promise<number>,
  ): Promise<number> {
    const key = repeatable.request.headers.get(IDEMPOTENCY_KEY);
    if (key === null) return begin();
    let isBegun = false;
    try {
      const keyed = keyedRequest(repeatable, key);
      const first = this.#firstOf(keyed, this.#clock.now());
      if (first !== undefined) return await this.#repeat(repeatable, first);
      isBegun = true;
      return await begin((tx, id) => this.#put(keyed, id, tx)).catch((error: unknown) => {
        if (error instanceof RepeatedRequest) return this.#repeat(repeatable, error.id);
        // The first request may have caused this refusal in the meantime.
        const id = error instanceof DomainError ? this.#firstOf(keyed, this.#clock.now()) : undefined;
        if (id === undefined || this.#writer.trouble !== undefined) throw error;
        return this.#repeat(repeatable, id);
      });
    } finally {
      if (!isBegun) await repeatable.discard?.();
    }
  }

  /** Waits until the first request is on disk, then returns its answer. Throws 404. */
  async #repeat({ find }: RepeatableRequest, id: number): Promise<number> {
    await this.#writer.touch();
    find(id);
    return id;
  }

  #put(keyed: KeyedRequest, id: number, tx: Transaction): void {
    const first = this.#firstOf(keyed, tx.now);
    if (first !== undefined) throw new RepeatedRequest(first);
    const { documento, key, fingerprint } = keyed;
    this.#store.deleteOld(tx.now - DAY_MS);
    this.#store.put(documento, key, { fingerprint, answer: id }, tx.now);
  }

  /**
   * Returns the id of the work of this key's first request, or `undefined` if there is none. Throws 422 if that
   * request had other content.
   */
  #firstOf({ documento, key, fingerprint }: KeyedRequest, now: EpochMs): number | undefined {
    const first = this.#store.find(documento, key, now - DAY_MS);
    if (first === undefined || first.fingerprint === fingerprint) return first?.answer;
    const sentence = `recebido ${formatValue(key)}, que este usuário já enviou nas últimas 24 horas com outro pedido; repita aquele pedido como foi, ou use outra chave.`;
    throw unprocessable([violated('otherOrder', IDEMPOTENCY_KEY, sentence)]);
  }
}

interface KeyedRequest {
  readonly documento: string;
  readonly key: string;
  readonly fingerprint: string;
}

/** Validates the key and computes the fingerprint. Throws 400. */
function keyedRequest({ caller: { documento }, content }: RepeatableRequest, key: string): KeyedRequest {
  if (!KEY_FORM.test(key)) {
    const message = `recebido ${formatValue(key)}; aceita de 1 a ${KEY_MAX} caracteres visíveis, sem espaços nem acentos.`;
    throw malformed([fieldProblem(IDEMPOTENCY_KEY, message, IDEMPOTENCY_KEY)]);
  }
  const fingerprint = new Bun.CryptoHasher('sha256').update(JSON.stringify(content)).digest('hex');
  return { documento, key, fingerprint };
}
