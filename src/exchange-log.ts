/** What the log says of a request: nothing of its headers and body, where secrets travel. */
import { DomainError } from './errors.ts';
import type { Exchange } from './http/pipeline.ts';
import type { Logger } from './log.ts';

export function logExchange(log: Logger, exchange: Exchange): void {
  const { operationId, method, pathname, status, ms, trackerId, error } = exchange;
  const facts = { operation: operationId, method, path: pathname, status, ms: Math.round(ms * 100) / 100 };
  if (error === undefined) log.debug('{method} {path} {status}', facts);
  else if (error instanceof DomainError)
    log.info('{method} {path} {status} {tag}', { ...facts, tag: trackerId });
  else
    log.error('{method} {path} {status} {tag} {fault}', { ...facts, tag: trackerId, fault: faultOf(error) });
}

/** What the log says of a fault of ours. */
export const faultOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
