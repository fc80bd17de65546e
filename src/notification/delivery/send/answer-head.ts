/**
 * Parses the head of an HTTP response line by line (RFC 9112): status, framing of the body, lifetime of the
 * connection.
 */

/**
 * Reasons why a response is not valid HTTP. The codes are those of Node's parser, which many servers and
 * proxies use too: a search for them finds an explanation.
 */
export type AnswerFault =
  | 'HPE_INVALID_CONSTANT' // does not begin as a response
  | 'HPE_INVALID_VERSION'
  | 'HPE_INVALID_STATUS'
  | 'HPE_CR_EXPECTED'
  | 'HPE_INVALID_HEADER_TOKEN'
  | 'HPE_HEADER_OVERFLOW'
  | 'HPE_INVALID_CONTENT_LENGTH'
  | 'HPE_UNEXPECTED_CONTENT_LENGTH' // a second one
  | 'HPE_INVALID_TRANSFER_ENCODING' // next to a length
  | 'HPE_INVALID_CHUNK_SIZE';

/** `rest`: until the connection ends. A number: the length in bytes. */
export type Framing = number | 'chunked' | 'rest';

const BEGINNING = 'HTTP/';
const STATUS_LINE = /^HTTP\/(\d\.\d) (\d{3})(?: .*)?$/s;
/** The HTTP versions that a response may state, independent of the version of the request. */
const VERSIONS: ReadonlySet<string> = new Set(['0.9', '1.0', '1.1', '2.0']);
const FIELD_LINE = /^([!#$%&'*+.^_`|~\w-]+):([\t\x20-\x7e\x80-\xff]*)$/;

const SWITCHING_PROTOCOLS = 101;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** Returns true when a response may begin with `text`. Its first bytes are enough to reject it. */
export const canBeginAnswer = (text: string): boolean =>
  text.startsWith(BEGINNING.slice(0, text.length)) || text === '\r' || text === '\r\n';

export class AnswerHead {
  status = 0;
  #version = '';
  #length: number | undefined;
  #coding: string | undefined;
  #connection = '';
  #keepAlive = '';

  /** Reads the status line. */
  begin(line: string): AnswerFault | undefined {
    const [, version = '', status] = STATUS_LINE.exec(line) ?? [];
    if (status === undefined)
      return /^HTTP\/\d\.\d /.test(line) ? 'HPE_INVALID_STATUS' : 'HPE_INVALID_VERSION';
    if (!VERSIONS.has(version)) return 'HPE_INVALID_VERSION';
    this.#version = version;
    this.status = Number(status);
    return undefined;
  }

  /** Reads a header line. Keeps only what determines where this response ends. */
  add(line: string): AnswerFault | undefined {
    const [, name, value = ''] = FIELD_LINE.exec(line) ?? [];
    switch (name?.toLowerCase()) {
      case undefined:
        return 'HPE_INVALID_HEADER_TOKEN';
      case 'content-length':
        return this.#setLength(value.trim());
      case 'transfer-encoding':
        this.#coding = value;
        break;
      case 'connection':
        this.#connection += `,${value}`;
        break;
      case 'keep-alive':
        this.#keepAlive = value;
    }
    return undefined;
  }

  #setLength(digits: string): AnswerFault | undefined {
    if (this.#length !== undefined) return 'HPE_UNEXPECTED_CONTENT_LENGTH';
    this.#length = /^\d+$/.test(digits) ? Number(digits) : NaN;
    return Number.isSafeInteger(this.#length) ? undefined : 'HPE_INVALID_CONTENT_LENGTH';
  }

  /** Returns the fault of a complete head. */
  get fault(): AnswerFault | undefined {
    // A reader that trusts the length and one that trusts the coding would see different responses.
    return this.#length === undefined || this.#coding === undefined
      ? undefined
      : 'HPE_INVALID_TRANSFER_ENCODING';
  }

  /**
   * Returns true when the final response is still to come. A protocol switch counts as final, since no
   * request asks for it.
   */
  get isInterim(): boolean {
    return this.status >= 100 && this.status < 200 && this.status !== SWITCHING_PROTOCOLS;
  }

  get framing(): Framing {
    const hasNoBody = [SWITCHING_PROTOCOLS, NO_CONTENT, NOT_MODIFIED].includes(this.status);
    if (hasNoBody) return 0;
    if (this.#coding === undefined) return this.#length ?? 'rest';
    return tokensOf(this.#coding).at(-1) === 'chunked' ? 'chunked' : 'rest';
  }

  /** Returns the seconds for which the receiver keeps the connection open; `undefined`: not stated. */
  get keepAliveSeconds(): number | undefined {
    const tokens = tokensOf(this.#connection);
    const isKept = this.#version === '1.1' || (this.#version === '1.0' && tokens.includes('keep-alive'));
    if (!isKept || tokens.includes('close') || this.framing === 'rest') return 0;
    const [, seconds] = /^\s*timeout=(\d+)/i.exec(this.#keepAlive) ?? [];
    return seconds === undefined ? undefined : Number(seconds);
  }
}

const tokensOf = (list: string): readonly string[] => list.split(',').map((one) => one.trim().toLowerCase());
