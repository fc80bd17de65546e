/** Reads an answer of HTTP/1.1 as its bytes come (RFC 9112), and says where it ends. */
import { type AnswerFault, AnswerHead, type Framing, mayBeAnswer } from './answer-head.ts';

/** So many bytes may a head have, with those before it; the line of a chunk; and what follows the last chunk. */
export const ANSWER_HEAD_BYTES = 64 * 1024;

export interface AnswerListener {
  /** The head of the answer proper has come. */
  readonly onHead: (status: number) => void;
  readonly onBody: (part: Uint8Array) => void;
}

type Line = 'status' | 'field' | 'chunk' | 'chunk-end' | 'trailer';
/** What comes next; `rest`: bytes until the connection ends. */
type Next = Line | 'body' | 'chunk-body' | 'rest' | 'nothing';

const LINE_FEED = 0x0a;
const LINE_END = '\r\n';
/** With what may be said of the chunk. */
const CHUNK_LINE = /^([\da-f]+)(?:;.*)?$/is;

export class AnswerReader {
  readonly #listener: AnswerListener;
  #head = new AnswerHead();
  #next: Next = 'status';
  /** As far as it has come. */
  #line = '';
  #lineBytes = 0;
  /** Of the body or of its chunk. */
  #bytesLeft = 0;
  #hasSurplus = false;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  get isComplete(): boolean {
    return this.#next === 'nothing';
  }

  /** For how many seconds the connection may serve again; `undefined`: the other side does not say. */
  get keptSeconds(): number | undefined {
    return this.isComplete && !this.#hasSurplus ? this.#head.keptSeconds : 0;
  }

  /** The connection has ended: whether that was the end of the answer too. */
  end(): boolean {
    if (this.#next === 'rest') this.#next = 'nothing';
    return this.isComplete;
  }

  /** What comes after the end of the answer belongs to none, and its connection serves no other. */
  add(bytes: Buffer): AnswerFault | undefined {
    for (let at = 0; at < bytes.length;) {
      const next = this.#next;
      if (next === 'nothing') {
        this.#hasSurplus = true;
        return undefined;
      }
      if (next === 'body' || next === 'chunk-body' || next === 'rest') {
        at = this.#takeBody(bytes, at);
        continue;
      }
      const end = bytes.indexOf(LINE_FEED, at) + 1;
      const stop = end === 0 ? bytes.length : end;
      this.#line += bytes.toString('latin1', at, stop);
      this.#lineBytes += stop - at;
      at = stop;
      const fault = this.#faultSoFar() ?? (end === 0 ? undefined : this.#takeLine(next));
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  #takeBody(bytes: Buffer, at: number): number {
    const stop = this.#next === 'rest' ? bytes.length : Math.min(bytes.length, at + this.#bytesLeft);
    this.#listener.onBody(bytes.subarray(at, stop));
    this.#bytesLeft -= stop - at;
    if (this.#next !== 'rest' && this.#bytesLeft === 0)
      this.#next = this.#next === 'body' ? 'nothing' : 'chunk-end';
    return stop;
  }

  /** What never becomes a line is refused before its end. */
  #faultSoFar(): AnswerFault | undefined {
    if (this.#lineBytes > ANSWER_HEAD_BYTES) return 'HPE_HEADER_OVERFLOW';
    return this.#next === 'status' && !mayBeAnswer(this.#line) ? 'HPE_INVALID_CONSTANT' : undefined;
  }

  #takeLine(kind: Line): AnswerFault | undefined {
    if (!this.#line.endsWith(LINE_END)) return 'HPE_CR_EXPECTED';
    const line = this.#line.slice(0, -LINE_END.length);
    this.#line = '';
    switch (kind) {
      case 'status':
        if (line === '') return undefined; // left over from another answer
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
        // Nothing in them matters here, but a line must be one.
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
