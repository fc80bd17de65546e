/** One request and its answer, as they came. What is shown of them is made when somebody asks: see shown.ts. */
import type { EpochMs } from '../../clock.ts';
import { DomainError, type Problem } from '../../errors.ts';
import type { Arrival } from '../../http/attendance.ts';
import type { Operation } from '../../http/operation.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Excerpt } from './excerpt.ts';

/** What the journal asks of an operation. */
export type JournalOperation = Pick<Operation<never>, 'id' | 'body' | 'params' | 'query' | 'headers'>;

export class Entry {
  /** Given when the answer is there: rows stand in that order. */
  id = 0;
  ms = 0;
  readonly at: EpochMs;
  readonly started: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly operation: JournalOperation | undefined;
  readonly isSecure: boolean;
  readonly requestBody = new Excerpt();
  responseBody = new Excerpt();
  exchange: Pick<Exchange, 'caller' | 'trackerId' | 'pathname'> | undefined;
  refusal: Refusal | undefined;
  status: number | null = null;
  responseHeaders: Headers = NO_HEADERS;
  fault: string | null = null;

  constructor(
    request: Request,
    operation: JournalOperation | undefined,
    { at, started, isSecure }: { readonly at: EpochMs; readonly started: number; readonly isSecure: boolean },
  ) {
    this.at = at;
    this.started = started;
    this.method = request.method;
    this.url = request.url;
    this.requestHeaders = request.headers;
    this.operation = operation;
    this.isSecure = isSecure;
  }

  /** What the pipeline has answered. */
  answered({ caller, trackerId, pathname, status, response, body, error }: Exchange): void {
    this.exchange = { caller, trackerId, pathname };
    this.status = status;
    this.responseHeaders = response.headers;
    if (typeof body === 'string') this.responseBody.keepText(body);
    else if (body instanceof Uint8Array) this.responseBody.keep(body);
    if (error !== undefined) this.refusal = refusalOf(error);
  }

  /** What a fault has answered in its place, and which fault it was. */
  attended({ fault, instead }: Arrival<never>): void {
    this.fault = fault ?? null;
    if (instead === undefined) return;
    this.status = instead.status;
    this.responseHeaders = instead.headers;
    this.responseBody = new Excerpt();
    if (instead.body !== null) this.responseBody.keepText(instead.body);
    this.refusal = { message: '', code: undefined, tag: instead.tag, problems: instead.problems ?? [] };
  }
}

export interface Refusal {
  readonly message: string;
  /** Absent: that of the status. */
  readonly code: string | undefined;
  /** Absent: made of the exchange's. */
  readonly tag?: string | undefined;
  readonly field?: string | null;
  readonly path?: string | null;
  readonly problems: readonly Problem[];
}

const NO_HEADERS = new Headers();

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DomainError)) return { message: 'Erro interno.', code: undefined, problems: [] };
  const { message, options, problems } = error;
  const { code, field = null, path = null } = options;
  return { message, code, field, path, problems };
}
