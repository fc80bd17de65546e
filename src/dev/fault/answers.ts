/** Builds the answers of a failing public service, without running the operation. */
import { type Clock, HOUR_MS } from '../../clock.ts';
import { DomainError, type Problem, type ShortRefusal } from '../../errors.ts';
import { pathnameOf } from '../../http/address.ts';
import {
  type RefusalText,
  errorAnswer,
  errorText,
  mnemonicOf,
  newTrackerId,
  shortAnswer,
  tagOf,
} from '../../http/answers.ts';
import type { SubstituteAnswer } from '../../http/request-hook.ts';
import { dailyStop, expiredToken, hourlyLimitExceeded } from '../../session/answers.ts';
import { localDateTime } from '../../validation/calendar.ts';

/** The hourly limit of the public service (contract section 1), used when the instance has none. */
const PUBLIC_HOURLY_LIMIT = 1000;
/** The usual Retry-After of an overloaded server. */
const RETRY_AFTER_SECONDS = '1';
const UNAVAILABLE = 503;
/** The codes that differ from the pipeline's code for the status. */
const CODE_OF: Readonly<Record<number, string>> = { 401: 'PUCX-ER0201' };

/** A fault's answer that has a status. */
export type StatusAnswer = SubstituteAnswer & { readonly status: number };

export class FaultAnswers {
  readonly #clock: Clock;
  readonly #ambiente: string;
  /** The number of requests per hour; 0 means no limit. */
  readonly #hourlyLimit: number;
  readonly #serverHeaders: (request: Request) => Readonly<Record<string, string>>;

  constructor(
    clock: Clock,
    ambiente: string,
    hourlyLimit: number,
    serverHeaders: (request: Request) => Readonly<Record<string, string>>,
  ) {
    this.#clock = clock;
    this.#ambiente = ambiente;
    this.#hourlyLimit = hourlyLimit;
    this.#serverHeaders = serverHeaders;
  }

  /** Returns any error with the body of contract section 3. */
  status(request: Request, status: number, code?: string, message?: string): StatusAnswer {
    const context = this.#context(request);
    const refusal = errorText(
      {
        status,
        code: code ?? CODE_OF[status],
        message: message ?? `Falha simulada com o status ${status}; nada desta requisição foi feito.`,
        headers: status === UNAVAILABLE ? { 'Retry-After': RETRY_AFTER_SECONDS } : {},
      },
      context,
    );
    return this.#substitute(request, refusal, tagOf(mnemonicOf(context.pathname), context.trackerId));
  }

  expiredToken(request: Request): StatusAnswer {
    return this.refusal(request, expiredToken());
  }

  hourlyLimit(request: Request): StatusAnswer {
    const now = this.#clock.now();
    const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
    return this.refusal(
      request,
      hourlyLimitExceeded(this.#hourlyLimit || PUBLIC_HOURLY_LIMIT, nextHour, now),
    );
  }

  /**
   * Returns the refusal of the daily stop: with the short body for an authentication, with the body of
   * contract section 3 for any other operation.
   */
  dailyStop(request: Request): StatusAnswer {
    const refusal = dailyStop();
    const context = this.#context(request);
    const { pathname, trackerId } = context;
    if (isSignIn(pathname))
      return this.#substitute(request, shortAnswer(refusal, context), tagOf(mnemonicOf(pathname), trackerId));
    return this.refusal(request, withLongBody(refusal));
  }

  /** Returns the HTML page of a faulty proxy. */
  garbage(request: Request): StatusAnswer {
    return this.#substitute(request, { status: 200, headers: { 'Content-Type': HTML_TYPE }, text: GARBAGE });
  }

  /** Returns a refusal with the body of contract section 3. */
  refusal(request: Request, refusal: DomainError): StatusAnswer {
    const context = this.#context(request);
    const tag = tagOf(mnemonicOf(context.pathname), context.trackerId);
    return this.#substitute(request, errorAnswer(refusal, context), tag, refusal.problems);
  }

  #context({ url }: Request) {
    return {
      pathname: pathnameOf(url),
      trackerId: newTrackerId(),
      ambiente: this.#ambiente,
      date: localDateTime(this.#clock.now()),
    };
  }

  #substitute(
    request: Request,
    { status, headers, text }: RefusalText,
    tag?: string,
    problems: readonly Problem[] = [],
  ): StatusAnswer {
    const all = new Headers({ ...headers, ...this.#serverHeaders(request) });
    return {
      status,
      headers: all,
      body: text,
      ...(tag !== undefined && { tag }),
      ...(problems.length > 0 && { problems }),
    };
  }
}

const HTML_TYPE = 'text/html; charset=utf-8';
const GARBAGE = `<!DOCTYPE html>
<html lang="pt-BR">
  <head><title>Portal Único Siscomex</title></head>
  <body><h1>Serviço temporariamente indisponível</h1><p>Tente novamente em alguns minutos.</p></body>
</html>
`;

const isSignIn = (pathname: string): boolean => /^\/portal\/api\/autenticar(\/|$)/.test(pathname);

const withLongBody = ({ message, code }: ShortRefusal): DomainError =>
  new DomainError('unprocessable', message, { code });
