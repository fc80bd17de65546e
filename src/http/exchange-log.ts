/**
 * What the log says of a request: nothing of its headers and body, where secrets travel. The reason of a refusal stands
 * there in the words of the answer, which names no secret (contract section 3).
 */
import { DomainError, ShortRefusal } from '../errors.ts';
import { codeOf, newTrackerId } from './answers.ts';
import type { Exchange } from './exchange.ts';
import { type Logger, faultOf } from '../log/log.ts';
import { reasonOf } from '../system/errors.ts';

/** Problems of one refusal that are listed; all of them are counted. */
const LISTED_PROBLEMS = 20;
/** Names of members that others made up. */
const PATH_CHARACTERS = 100;

/** Who called, as far as the connection or a trusted proxy tells (contract section 16). */
export interface Client {
  readonly address: string;
  readonly scheme: 'http' | 'https';
}

/** `client`: where it is worth a line, which is a refusal, a fault and a sign-in; of the latter who tried, and how. `masked`: a document as it may be shown. */
export function logExchange(
  log: Logger,
  exchange: Exchange,
  masked: (documento: string) => string,
  client?: Client & Readonly<Record<string, string>>,
): void {
  const { operationId, method, pathname, status, ms, trackerId, error, caller, notices } = exchange;
  // Most requests succeed, and most logs do not tell of them.
  const isPlain = client === undefined && notices.length === 0;
  if (error === undefined && isPlain && !log.isEnabledFor('debug')) return;
  const facts = {
    // A success has no name in its answer: one for the line alone.
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
  if (error === undefined) log[isPlain ? 'debug' : 'info']('{method} {path} {status} {tag}', facts);
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

/** Code and message of the answer; of each problem where and what, without the value that it names once more. */
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
