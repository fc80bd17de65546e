/** One request and its answer, unmodified. display.ts formats it on demand. */
import type { EpochMs } from '../../clock.ts';
import { DomainError, type Problem, ShortRefusal } from '../../errors.ts';
import type { Arrival } from '../../http/request-hook.ts';
import type { Operation } from '../../http/operation.ts';
import type { Exchange } from '../../http/exchange.ts';
import { Excerpt } from './excerpt.ts';
import type { Caller } from '../../session/model.ts';

/** The part of an operation that the journal uses. */
export type JournalOperation = Pick<Operation<never>, 'id' | 'body' | 'params' | 'query' | 'headers'> &
  Partial<Pick<Operation<never>, 'authenticates'>>;

/**
 * A notice about a request for the operator. `path` points to the member of the body; `null` means no member.
 */
export interface JournalNotice {
  readonly path: string | null;
  readonly message: string;
}

export class JournalEntry {
  /** The position in the journal, assigned when the answer is complete. */
  id = 0;
  ms = 0;
  readonly at: EpochMs;
  /** Arrival by the clock of the machine, which no test clock moves. */
  readonly arrivedAt: EpochMs;
  readonly started: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Headers;
  readonly operation: JournalOperation | undefined;
  readonly isSecure: boolean;
  readonly requestBody: Excerpt;
  responseBody = new Excerpt();
  /** The document of the caller. `undefined` without authentication. */
  caller: string | undefined;
  /** `undefined` until the pipeline answers. */
  trackerId: string | undefined;
  refusal: Refusal | undefined;
  notices: readonly JournalNotice[] = [];
  status: number | null = null;
  /** The headers before masking: see display.ts. */
  responseHeaders: Headers | Readonly<Record<string, string>> = {};
  fault: string | null = null;

  constructor(
    request: Request,
    operation: JournalOperation | undefined,
    { at, arrivedAt, started, isSecure }: Pick<JournalEntry, 'at' | 'arrivedAt' | 'started' | 'isSecure'>,
  ) {
    this.at = at;
    this.arrivedAt = arrivedAt;
    this.started = started;
    this.method = request.method;
    this.url = request.url;
    this.requestHeaders = request.headers;
    this.requestBody = mayHaveBody(request) ? new Excerpt() : NO_BODY;
    this.operation = operation;
    this.isSecure = isSecure;
  }

  /**
   * Returns true if this person may see the entry. Only administrators see entries of others. Automatic
   * requests of the pages appear only when `withPages` is true.
   */
  isSeenBy(
    { administrador, documento }: Pick<Caller, 'administrador' | 'documento'>,
    withPages: boolean,
  ): boolean {
    return (administrador || this.caller === documento) && (withPages || !this.isOfPages);
  }

  /** Returns true for an automatic request of a page. */
  get isOfPages(): boolean {
    return isOfPages(this.requestHeaders);
  }

  /** Records the answer of the pipeline. */
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

  /** Records which simulated fault acted and the answer that it put in place of the real one. */
  attended({ fault, substitute }: Arrival<never>): void {
    this.fault = fault ?? null;
    if (substitute === undefined) return;
    this.status = substitute.status;
    this.responseHeaders = substitute.headers;
    this.responseBody = new Excerpt();
    if (substitute.body !== null) this.responseBody.keepText(substitute.body);
    this.refusal = { message: '', code: undefined, tag: substitute.tag, problems: substitute.problems ?? [] };
  }
}

/** The header that the pages send with their automatic requests. */
const PAGES_HEADER = 'x-catp-pagina';

export const isOfPages = (headers: Headers): boolean => headers.has(PAGES_HEADER);

/** Returns true if the method allows a request body. */
export const mayHaveBody = ({ method }: Request): boolean => method !== 'GET' && method !== 'HEAD';

/** Shared by all entries without a body, to save memory: a flood of requests keeps thousands of entries. */
const NO_BODY = new Excerpt();

export interface Refusal {
  readonly message: string;
  /** `undefined` means the code of the status. */
  readonly code: string | undefined;
  /** `undefined` means the tag built from the tracker id of the exchange. */
  readonly tag?: string | undefined;
  readonly field?: string | null;
  readonly path?: string | null;
  readonly problems: readonly Problem[];
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof DomainError)) return { message: 'Erro interno.', code: undefined, problems: [] };
  const { message, options, problems } = error;
  const { code, field = null, path = null } = options;
  // The label gives the pages the position of a name in the message. The journal does not need it.
  return { message, code, field, path, problems: problems.map(({ label: _, ...problem }) => problem) };
}
