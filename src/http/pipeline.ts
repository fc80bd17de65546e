/**
 * Processes every request in the order of contract section 2: path and method, caller (401), hourly limit,
 * company (403), then all other checks of form (400, 413, 415), then the handler.
 */
import { DomainError, type Problem, ShortRefusal, malformed, notAdministrator } from '../errors.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import { decode } from '../validation/decode.ts';
import type { Note, Notice } from '../validation/decoding.ts';
import { asSchema, holdsSecrets } from '../validation/schema.ts';
import { decodePath, decodeQuery, refuseBrokenUtf8 } from '../validation/parameters.ts';
import type { Watch } from './request-hook.ts';
import { loggedPath, queryOf } from './address.ts';
import { JSON_TYPE, requestsAbout, errorAnswer, isOfPages, newTrackerId, shortAnswer } from './answers.ts';
import { countBody, readJson } from './body.ts';
import type { Answered, Exchange } from './exchange.ts';
import type { Hold, Holdings, WatchRights } from './holdings.ts';
import { type AnswerHeaders, JsonHeaders } from './json-headers.ts';
import { type Answer, type Operation, type RawParams, noContent } from './operation.ts';

/** The caller as the pipeline needs it. */
export interface Authenticated<Caller> {
  readonly caller: Caller;
  /** The caller in operations of administrators. `undefined`: the caller is no administrator. */
  readonly administrator: Caller | undefined;
  readonly documento: string;
  /** Headers that every answer to this caller carries. */
  readonly renewedHeaders: () => Readonly<Record<string, string>>;
  readonly watchRights?: WatchRights;
}

export interface PipelineOptions<Caller> {
  /** Throws 401. */
  readonly authenticate: (request: Request) => Authenticated<Caller> | Promise<Authenticated<Caller>>;
  /** Throws 422 over the limit. */
  readonly countAccess: (caller: Caller, operation: Operation<Caller>) => void;
  /** Returns the quota owner of the resources of an authorised request. */
  readonly quotaOwnerOf: (caller: Caller, params: RawParams, request: Request) => QuotaOwner;
  readonly holdings: Holdings;
  readonly bodyLimit: number;
  /** Unknown members of records are reported as notices and not refused (setting `corpo.desconhecidos`). */
  readonly notesUnknown: boolean;
  readonly ambiente: string;
  readonly localDateTime: () => string;
  readonly stopwatch: () => number;
  readonly onExchange: (exchange: Exchange) => void;
  /** Returns the headers that every answer to this request carries. */
  readonly serverHeaders: (request: Request) => Readonly<Record<string, string>>;
  /** Observes each exchange, on a development instance. */
  readonly watch?: Watch;
}

/** A call of an operation. Each step stores in it the values that the answer needs. */
interface Call<Caller> {
  readonly operation: Operation<Caller>;
  readonly request: Request;
  readonly started: number;
  readonly notices: Notice[];
  authenticated?: Authenticated<Caller>;
  hold?: Hold;
}

export class Pipeline<Caller> {
  readonly #authenticate: (request: Request) => Authenticated<Caller> | Promise<Authenticated<Caller>>;
  readonly #countAccess: (caller: Caller, operation: Operation<Caller>) => void;
  readonly #quotaOwnerOf: (caller: Caller, params: RawParams, request: Request) => QuotaOwner;
  readonly #holdings: Holdings;
  readonly #bodyLimit: number;
  readonly #notesUnknown: boolean;
  readonly #ambiente: string;
  readonly #localDateTime: () => string;
  readonly #stopwatch: () => number;
  readonly #onExchange: (exchange: Exchange) => void;
  readonly #serverHeaders: (request: Request) => Readonly<Record<string, string>>;
  readonly #watch: Watch | undefined;
  readonly #jsonHeaders = new JsonHeaders();

  constructor({
    authenticate,
    countAccess,
    quotaOwnerOf,
    holdings,
    bodyLimit,
    notesUnknown,
    ambiente,
    localDateTime,
    stopwatch,
    onExchange,
    serverHeaders,
    watch,
  }: PipelineOptions<Caller>) {
    this.#authenticate = authenticate;
    this.#countAccess = countAccess;
    this.#quotaOwnerOf = quotaOwnerOf;
    this.#holdings = holdings;
    this.#bodyLimit = bodyLimit;
    this.#notesUnknown = notesUnknown;
    this.#ambiente = ambiente;
    this.#localDateTime = localDateTime;
    this.#stopwatch = stopwatch;
    this.#onExchange = onExchange;
    this.#serverHeaders = serverHeaders;
    this.#watch = watch;
  }

  /**
   * Runs one operation and always answers. Answers synchronously when nothing has to be awaited, which saves
   * a turn of promises.
   */
  run(operation: Operation<Caller>, request: Request, params: RawParams): Response | Promise<Response> {
    const call: Call<Caller> = { operation, request, started: this.#stopwatch(), notices: [] };
    const refused = (error: unknown): Response => this.#refused(call, error);
    try {
      const answered = then(this.#admit(call), () => this.#handled(call, params));
      return answered instanceof Promise ? answered.catch(refused) : answered;
    } catch (error) {
      return refused(error);
    }
  }

  /** Throws 401, 422 over the hourly limit, 403. */
  #admit(call: Call<Caller>): void | Promise<void> {
    const { operation, request } = call;
    if (operation.access === 'anybody') return;
    return then(this.#authenticate(request), (authenticated) => {
      call.authenticated = authenticated;
      this.#countAccess(authenticated.caller, operation);
      if (operation.access !== 'administrator') return;
      const { administrator } = authenticated;
      if (administrator === undefined) throw notAdministrator();
      call.authenticated = { ...authenticated, caller: administrator };
    });
  }

  #handled(call: Call<Caller>, rawParams: RawParams): Response | Promise<Response> {
    const { operation, request, authenticated, notices } = call;
    const caller = authenticated?.caller as Caller;
    const { problems, params, query } = this.#judge(operation, request, rawParams, caller);
    if (authenticated !== undefined) call.hold = this.#hold(request, rawParams, authenticated);
    const note = this.#notesUnknown ? noteIn(notices) : undefined;
    const received = isDecoded(operation)
      ? this.#body(operation, request, params, problems, note)
      : undefined;
    return then(received, (body) => {
      if (problems.length > 0) throw malformed(problems);
      // The operation's own schema has decoded each value.
      const input = { caller, params, query, body, request, note, quotaOwner: call.hold };
      const answer = operation.handle(input as never);
      return then(answer, (handled) => this.#answered(call, handled ?? noContent));
    });
  }

  #answered({ operation, request, started, notices, authenticated, hold }: Call<Caller>, answer: Answer) {
    const headers = this.#headers(operation, answer, request, authenticated?.renewedHeaders());
    const content = this.#content(answer, request);
    const body = hold === undefined ? content : hold.until(content);
    const status = answer.status ?? 200;
    const response = new Response(body, { status, headers: headers.init });
    const answered = { status, headers: headers.record, body, notices };
    this.#report(operation.id, request, started, answered, undefined, '', authenticated?.documento);
    return response;
  }

  #refused({ operation, request, started, authenticated, hold }: Call<Caller>, error: unknown): Response {
    hold?.end();
    const headers = { ...authenticated?.renewedHeaders(), ...operation.everyAnswer };
    return this.refuse(operation.id, error, request, started, headers, authenticated?.documento);
  }

  /** Throws 503 over the caller's share. */
  #hold(request: Request, params: RawParams, { caller, watchRights }: Authenticated<Caller>): Hold {
    const hold = this.#holdings.begin(request, this.#quotaOwnerOf(caller, params, request), watchRights);
    if (request.method !== 'GET') countBody(request, (bytes) => hold.received(bytes));
    return hold;
  }

  /** Checks the right to the company (403), then path and query. */
  #judge(operation: Operation<Caller>, request: Request, rawParams: RawParams, caller: Caller) {
    const text = queryOf(request.url);
    const query = text === undefined ? NO_QUERY : new URLSearchParams(text);
    operation.guard?.(caller, rawParams, query, operation.right);
    const problems: Problem[] = [];
    if (text !== undefined) refuseBrokenUtf8(text, problems);
    const isReadable = problems.length === 0;
    const params = operation.params && decodePath(asSchema(operation.params), rawParams, problems);
    const decodedQuery =
      operation.query && isReadable ? decodeQuery(asSchema(operation.query), query, problems) : undefined;
    return { problems, params, query: decodedQuery };
  }

  async #body(
    operation: Operation<Caller>,
    request: Request,
    params: unknown,
    problems: Problem[],
    note: Note | undefined,
  ): Promise<unknown> {
    const optional = operation.bodyForm === 'optional-json';
    const limit = operation.bodyLimit ?? this.#bodyLimit;
    const discreet = operation.body !== undefined && holdsSecrets(asSchema(operation.body));
    let received: unknown;
    try {
      received = await readJson(request, { limit, optional, discreet });
    } catch (error) {
      // Problems of path and query come first. An unreadable body only adds to them.
      if (!(error instanceof DomainError) || problems.length === 0) throw error;
      problems.push(...error.problems);
      return undefined;
    }
    if (received === undefined || operation.body === undefined) return undefined;
    const { repeats } = operation;
    const isAddressed = repeats !== undefined && problems.length === 0;
    const decoded = decode(asSchema(operation.body), received, {
      note,
      repeats: isAddressed ? () => repeats(params as never) : undefined, // decoded by its schema
    });
    problems.push(...decoded.problems);
    return decoded.value;
  }

  #headers(
    { everyAnswer }: Operation<Caller>,
    answer: Answer,
    request: Request,
    renewed: Readonly<Record<string, string>> | undefined,
  ): AnswerHeaders {
    const server = this.#serverHeaders(request);
    const isJson = answer.content === undefined && answer.body !== undefined;
    if (isJson && answer.headers === undefined) return this.#jsonHeaders.of(renewed, everyAnswer, server);
    const headers: Record<string, string> = { ...renewed, ...everyAnswer, ...answer.headers, ...server };
    if (isJson) headers['Content-Type'] = JSON_TYPE;
    return { record: headers, init: headers };
  }

  #content({ content, body }: Answer, request: Request): Answered {
    if (content !== undefined)
      return content instanceof ReadableStream && this.#watch !== undefined
        ? this.#watch.streamed(request, content)
        : content;
    if (body === undefined) return null;
    return 'json' in body ? body.json : JSON.stringify(body);
  }

  /**
   * Answers a request that reached no operation. This needs no token. Valid tokens are renewed too, because
   * clients keep the tokens of every answer (contract section 2).
   */
  async refuseUnrouted(
    error: unknown,
    request: Request,
    started: number,
    operationId = 'none',
  ): Promise<Response> {
    const recognized = await this.#recognized(request);
    return this.refuse(
      operationId,
      error,
      request,
      started,
      recognized?.renewedHeaders(),
      recognized?.documento,
    );
  }

  /** Ignores every failure: it does not change the answer. */
  async #recognized(request: Request): Promise<Authenticated<Caller> | undefined> {
    try {
      return await this.#authenticate(request);
    } catch {
      return undefined;
    }
  }

  /** Answers a refused request, also one that reached no operation. */
  refuse(
    operationId: string,
    error: unknown,
    request: Request,
    started: number,
    further: Readonly<Record<string, string>> = {},
    caller?: string,
  ): Response {
    const trackerId = newTrackerId();
    const context = {
      pathname: loggedPath(request),
      trackerId,
      ambiente: this.#ambiente,
      date: this.#localDateTime(),
      includesAbout: requestsAbout(loggedPath(request), request.headers),
      includesLabel: isOfPages(request.headers),
    };
    const refusal = error instanceof ShortRefusal ? shortAnswer(error, context) : errorAnswer(error, context);
    const headers = { ...refusal.headers, ...further, ...this.#serverHeaders(request) };
    const response = new Response(refusal.text, { status: refusal.status, headers });
    const answer = { status: refusal.status, headers, body: refusal.text, notices: [] };
    this.#report(operationId, request, started, answer, error, trackerId, caller);
    return response;
  }

  #report(
    operationId: string,
    request: Request,
    started: number,
    { status, headers, body, notices }: Pick<Exchange, 'status' | 'headers' | 'body' | 'notices'>,
    error: unknown,
    tracker: string,
    caller: string | undefined,
  ): void {
    const exchange: Exchange = {
      caller,
      operationId,
      method: request.method,
      trackerId: tracker,
      status,
      ms: this.#stopwatch() - started,
      error,
      request,
      headers,
      body,
      notices,
    };
    this.#onExchange(exchange);
    this.#watch?.exchange(exchange);
  }
}

/** Maximum number of notices: further notices add no information. */
const NOTICES_MAX = 100;

const noteIn =
  (notices: Notice[]): Note =>
  (notice) => {
    if (notices.length < NOTICES_MAX) notices.push(notice);
  };

const isDecoded = ({ bodyForm }: Operation<never>): boolean => bodyForm !== 'ignored' && bodyForm !== 'raw';

/** Calls `next` with a value as soon as it is available. */
const then = <T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> =>
  value instanceof Promise ? value.then(next) : next(value);

const NO_QUERY = new URLSearchParams();
