/**
 * Logs a request without its headers and body, because these carry secrets. The reason of a refusal is the
 * text of the answer, which names no secret (contract section 3).
 */
import { DomainError, ShortRefusal } from '../errors.ts';
import { loggedPath } from './address.ts';
import { codeOf, newTrackerId } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { type Logger, faultOf } from '../log/log.ts';
import { reasonOf } from '../system/errors.ts';

/** Number of problems of one refusal that are listed. All of them are counted. */
const LISTED_PROBLEMS = 20;
/** Limit for member names that clients invent. */
const PATH_CHARACTERS = 100;

/** The caller, as reported by the connection or a trusted proxy (contract section 16). */
export interface Client {
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** Logs an exchange. `client`: the caller of a refusal, a fault or a sign-in, and for a sign-in who tried, and how. */
type LogExchange = (exchange: Exchange, client?: Client & Readonly<Record<string, string>>) => void;

/** Returns the function that logs exchanges. `masked`: masks a document. */
export function exchangeLog(log: Logger, masked: (documento: string) => string): LogExchange {
  // Most requests succeed, and most logs do not list them.
  const listsAll = log.isEnabledFor('debug');
  return (exchange, client) => {
    const isPlain = exchange.error === undefined && client === undefined && exchange.notices.length === 0;
    if (listsAll || !isPlain) logOne(log, exchange, masked, client);
  };
}

function logOne(
  log: Logger,
  exchange: Exchange,
  masked: (documento: string) => string,
  client: Parameters<LogExchange>[1],
): void {
  const { operationId, method, request, status, ms, trackerId, error, caller, notices } = exchange;
  const pathname = loggedPath(request);
  const facts = {
    // The answer to a success has no tag: the line gets its own.
    tag: trackerId || newTrackerId(),
    user: caller === undefined ? null : masked(caller),
    operation: operationId,
    method,
    path: pathname,
    status,
    ms: Math.round(ms * 100) / 100,
    ...client,
    ...(notices.length > 0 && {
      leftOut: notices.slice(0, LISTED_PROBLEMS).map(({ path }) => path.slice(0, PATH_CHARACTERS)),
    }),
  };
  if (error === undefined)
    log[client === undefined && notices.length === 0 ? 'debug' : 'info'](
      '{method} {path} {status} {tag}',
      facts,
    );
  else if (error instanceof DomainError)
    log.info('{method} {path} {status} {tag} {code} {message}', {
      ...facts,
      ...reasonsOf(error, status, pathname),
      ...(error instanceof ShortRefusal && error.reason !== undefined && { reason: error.reason }),
    });
  else
    log.error('{method} {path} {status} {tag} {code} {fault}', {
      ...facts,
      code: codeOf(status, pathname),
      fault: faultOf(error),
    });
}

/**
 * Returns code and message of the answer, and place and text of each problem, without the value that the text
 * already quotes.
 */
function reasonsOf({ message, problems, options }: DomainError, status: number, pathname: string): object {
  return {
    code: options.code ?? codeOf(status, pathname),
    message,
    ...(problems.length > 0 && {
      problems: problems.slice(0, LISTED_PROBLEMS).map(({ code, path }) => ({ code, path })),
      problemCount: problems.length,
    }),
    ...(options.cause !== undefined && { cause: reasonOf(options.cause) }),
  };
}
