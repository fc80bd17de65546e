/** Reads an HTTP/1.1 response as its bytes arrive (RFC 9112), and detects its end. */
import { type AnswerFault, AnswerHead, type Framing, canBeginAnswer } from './answer-head.ts';

/**
 * The size limit in bytes of a head together with the interim ones before it, of a chunk line, and of the
 * trailer.
 */
export const ANSWER_HEAD_BYTES = 64 * 1024;

export interface AnswerListener {
  /** Called when the head of the final response is complete. */
  readonly onHead: (status: number) => void;
  readonly onBody: (part: Uint8Array) => void;
}

type Line = 'status' | 'field' | 'chunk' | 'chunk-end' | 'trailer';
/** The part that follows; `rest`: bytes until the connection ends. */
type ExpectedPart = Line | 'body' | 'chunk-body' | 'rest' | 'nothing';

const LINE_FEED = 0x0a;
const LINE_END = '\r\n';
/** The size of a chunk, with optional extensions. */
const CHUNK_LINE = /^([\da-f]+)(?:;.*)?$/is;

export class AnswerReader {
  readonly #listener: AnswerListener;
  #head = new AnswerHead();
  #next: ExpectedPart = 'status';
  /** The current line, as far as it has arrived. */
  #line = '';
  #lineBytes = 0;
  /** Remaining bytes of the body or of its chunk. */
  #bytesLeft = 0;
  #hasSurplus = false;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  get isComplete(): boolean {
    return this.#next === 'nothing';
  }

  /**
   * Returns the seconds for which the connection may be reused; `undefined`: the receiver does not state it.
   */
  get keepAliveSeconds(): number | undefined {
    return this.isComplete && !this.#hasSurplus ? this.#head.keepAliveSeconds : 0;
  }

  /** Handles the end of the connection. Returns true when the response is complete. */
  end(): boolean {
    if (this.#next === 'rest') this.#next = 'nothing';
    return this.isComplete;
  }

  /**
   * Reads more bytes. Bytes after the end of the response belong to no response, and the connection is not
   * reused.
   */
  add(bytes: Buffer): AnswerFault | undefined {
    for (let offset = 0; offset < bytes.length;) {
      const next = this.#next;
      if (next === 'nothing') {
        this.#hasSurplus = true;
        return undefined;
      }
      if (next === 'body' || next === 'chunk-body' || next === 'rest') {
        offset = this.#takeBody(bytes, offset);
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, offset) + 1;
      const stop = end === 0 ? bytes.length : end;
      this.#line += bytes.toString('latin1', offset, stop);
      this.#lineBytes += stop - offset;
      offset = stop;
      const fault = this.#earlyFault() ?? (end === 0 ? undefined : this.#takeLine(next));
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #takeBody(bytes: Buffer, offset: number): number {
    const stop = this.#next === 'rest' ? bytes.length : Math.min(bytes.length, offset + this.#bytesLeft);
    this.#listener.onBody(bytes.subarray(offset, stop));
    this.#bytesLeft -= stop - offset;
    if (this.#next !== 'rest' && this.#bytesLeft === 0)
      this.#next = this.#next === 'body' ? 'nothing' : 'chunk-end';
    return stop;
  }

  /** Detects before its end a line that cannot become valid. */
  #earlyFault(): AnswerFault | undefined {
    if (this.#lineBytes > ANSWER_HEAD_BYTES) return 'HPE_HEADER_OVERFLOW';
    return this.#next === 'status' && !canBeginAnswer(this.#line) ? 'HPE_INVALID_CONSTANT' : undefined;
  }

  #takeLine(kind: Line): AnswerFault | undefined {
    if (!this.#line.endsWith(LINE_END)) return 'HPE_CR_EXPECTED';
    const line = this.#line.slice(0, -LINE_END.length);
    this.#line = '';
    switch (kind) {
      case 'status':
        if (line === '') return undefined; // left over from another response
        this.#next = 'field';
        return this.#head.begin(line);
      case 'field':
        return line === '' ? this.#endHead() : this.#head.add(line);
      case 'chunk':
        return this.#beginChunk(line);
      case 'chunk-end':
        if (line !== '') return 'HPE_CR_EXPECTED';
        this.#expectChunk();
        return undefined;
      case 'trailer':
        // Trailers are not used, but each line must be valid.
        if (line !== '') return new AnswerHead().add(line);
        this.#next = 'nothing';
        return undefined;
    }
  }

  #endHead(): AnswerFault | undefined {
    const { fault, framing, isInterim, status } = this.#head;
    if (fault !== undefined) return fault;
    if (isInterim) {
      this.#head = new AnswerHead();
      this.#next = 'status';
      return undefined;
    }
    this.#listener.onHead(status);
    this.#expectBody(framing);
    return undefined;
  }

  #expectBody(framing: Framing): void {
    if (framing === 'chunked') this.#expectChunk();
    else if (framing === 'rest') this.#next = 'rest';
    else {
      this.#bytesLeft = framing;
      this.#next = framing === 0 ? 'nothing' : 'body';
    }
  }

  #expectChunk(): void {
    this.#next = 'chunk';
    this.#lineBytes = 0;
  }

  #beginChunk(line: string): AnswerFault | undefined {
    const [, size] = CHUNK_LINE.exec(line) ?? [];
    this.#bytesLeft = size === undefined ? NaN : Number.parseInt(size, 16);
    if (!Number.isSafeInteger(this.#bytesLeft)) return 'HPE_INVALID_CHUNK_SIZE';
    this.#next = this.#bytesLeft === 0 ? 'trailer' : 'chunk-body';
    return undefined;
  }
}
