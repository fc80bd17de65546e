/**
 * Serves a fixed text that is encoded once. A long text is compressed once as well, for clients that accept
 * it (contract section 16).
 */
import { nodeZlib } from '../system/builtin.ts';

/** Bytes. A shorter text is one packet anyway. */
const COMPRESSED_OVER_BYTES = 1400;
/** Compresses nearly as well as the maximum, within milliseconds: a request waits for it. */
const BROTLI_QUALITY = 5;

type Bytes = Uint8Array<ArrayBuffer>;
type Coding = 'br' | 'gzip';
const CODINGS: readonly Coding[] = ['br', 'gzip'];

export interface Sent {
  readonly bytes: Bytes;
  /** Headers of the answer. `Vary` is present also without compression. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServedOptions {
  /** The compressed bytes, if they exist already. */
  readonly brotli?: Bytes;
  /** A zip is served the same way, without compression. */
  readonly isText?: boolean;
}

export class ServedText {
  readonly #plain: Bytes;
  readonly #isCompressed: boolean;
  readonly #made = new Map<Coding, Promise<Bytes>>();

  constructor(text: string | Bytes, { brotli, isText = true }: ServedOptions = {}) {
    this.#plain = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    this.#isCompressed = brotli !== undefined || (isText && this.#plain.length > COMPRESSED_OVER_BYTES);
    if (brotli !== undefined) this.#made.set('br', Promise.resolve(brotli));
  }

  async sentTo(request: Request, vary = 'Accept-Encoding'): Promise<Sent> {
    const coding = this.#isCompressed ? codingFor(request) : undefined;
    if (coding === undefined) return { bytes: this.#plain, headers: { vary } };
    const coded = this.#made.get(coding) ?? compressed(this.#plain, coding);
    this.#made.set(coding, coded);
    return { bytes: await coded, headers: { vary, 'content-encoding': coding } };
  }
}

function compressed(bytes: Bytes, coding: Coding): Promise<Bytes> {
  const { brotliCompress, gzip, constants } = nodeZlib();
  return new Promise((resolve, reject) => {
    const done = (error: Error | null, result: Buffer): void =>
      error === null ? resolve(new Uint8Array(result)) : reject(error);
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    if (coding === 'br') brotliCompress(bytes, { params }, done);
    else gzip(bytes, done);
  });
}

/**
 * Returns the best coding that the client names, directly or with `*`, and does not refuse with a weight of
 * zero.
 */
function codingFor({ headers }: Request): Coding | undefined {
  const weights = new Map<string, number>();
  for (const one of (headers.get('accept-encoding') ?? '').toLowerCase().split(',')) {
    const [coding = '', ...parameters] = one.split(';').map((part) => part.trim());
    const weight = parameters.find((part) => part.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return CODINGS.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0);
}
