/** Shares the headers of JSON answers: those of a session in one turn of the event loop are the same. */
import { JSON_TYPE } from './answers.ts';

type HeaderRecord = Readonly<Record<string, string>>;

/** The headers of an answer. */
export interface AnswerHeaders {
  readonly record: HeaderRecord;
  /** The form that a response takes. */
  readonly init: Headers | HeaderRecord;
}

/** Headers with the records that they are made of. Each of these never changes. */
interface SharedHeaders {
  /** The headers of the caller. `undefined`: nobody is signed in. */
  readonly renewed: HeaderRecord | undefined;
  readonly everyAnswer: HeaderRecord;
  readonly server: HeaderRecord;
  readonly record: HeaderRecord;
  /** Set at the second use: a response copies it faster than the record, but it must be made first. */
  headers: Headers | undefined;
}

export class JsonHeaders {
  /** The last headers. They are used again only for the same sources. */
  #latest: SharedHeaders | undefined;

  /** Returns the headers of an answer without headers of its own. */
  of(renewed: HeaderRecord | undefined, everyAnswer: HeaderRecord, server: HeaderRecord): AnswerHeaders {
    const latest = this.#latest;
    if (
      latest !== undefined &&
      latest.renewed === renewed &&
      latest.everyAnswer === everyAnswer &&
      latest.server === server
    )
      return { record: latest.record, init: (latest.headers ??= new Headers(latest.record)) };
    const record = { ...renewed, ...everyAnswer, ...server, 'Content-Type': JSON_TYPE };
    this.#latest = { renewed, everyAnswer, server, record, headers: undefined };
    return { record, init: record };
  }
}
