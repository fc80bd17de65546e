/** One request and its answer, as they came. What is shown of them is made when somebody asks: see shown.ts. */
import type { EpochMs } from '../../clock.ts';
import { DomainError, type Problem, ShortRefusal } from '../../errors.ts';
import type { Arrival } from '../../http/attendance.ts';
import type { Operation } from '../../http/operation.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Excerpt } from './excerpt.ts';
import type { Caller } from '../../session/model.ts';

/** What the journal asks of an operation. */
export type JournalOperation = Pick<Operation<never>, 'id' | 'body' | 'params' | 'query' | 'headers'> &
  Partial<Pick<Operation<never>, 'authenticates'>>;

/** What the operator should know of a request; `path`: of which member of its body, `null` of none. */
export interface JournalNotice {
  readonly path: string | null;
  readonly message: string;
}

export class JournalEntry {
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
  readonly requestBody: Excerpt;
  responseBody = new Excerpt();
  /** Who called; absent: nobody has signed in. */
  caller: string | undefined;
  /** Absent: the pipeline has not answered it. */
  trackerId: string | undefined;
  refusal: Refusal | undefined;
  notices: readonly JournalNotice[] = [];
  status: number | null = null;
  /** As they were made: see shown.ts. */
  responseHeaders: Headers | Readonly<Record<string, string>> = {};
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
    this.requestBody = mayHaveBody(request) ? new Excerpt() : NO_BODY;
    this.operation = operation;
    this.isSecure = isSecure;
  }

  /** Whether a person sees it: of others than administrators its own, and what the pages ask by themselves only where they want that, too. */
  isSeenBy(
    { administrador, documento }: Pick<Caller, 'administrador' | 'documento'>,
    withPages: boolean,
  ): boolean {
    return (administrador || this.caller === documento) && (withPages || !this.isOfPages);
  }

  /** Whether a page has asked by itself. */
  get isOfPages(): boolean {
    return isOfPages(this.requestHeaders);
  }

  /** What the pipeline has answered. */
  answered({ caller, trackerId, status, headers, body, error, notices }: Exchange): void {
    this.caller = caller;
    this.trackerId = trackerId;
    this.status = status;
    this.responseHeaders = headers;
    if (typeof body === 'string') this.responseBody.keepText(body);
    else if (body instanceof Uint8Array) this.responseBody.keep(body);
    this.notices = notices;
    if (error instanceof ShortRefusal && error.reason !== undefined)
      this.notices = [{ path: null, message: error.reason }];
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

/** What the pages send along with what they ask by themselves. */
const PAGES_HEADER = 'x-catp-pagina';

export const isOfPages = (headers: Headers): boolean => headers.has(PAGES_HEADER);

/** Whether a request may have a body at all. */
export const mayHaveBody = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

/** One for all that have none: of what is kept of each request, thousands lie in memory under a flood. */
const NO_BODY = new Excerpt();

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

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DomainError)) return { message: 'Erro interno.', code: undefined, problems: [] };
  const { message, options, problems } = error;
  const { code, field = null, path = null } = options;
  return { message, code, field, path, problems };
}
