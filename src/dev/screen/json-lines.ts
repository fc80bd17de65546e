/**
 * Adds to the log, with `catp dev --log json`, a line for each delivery and for each request that the log
 * omits because it succeeded or a fault answered it.
 */
import type { Logger } from '../../log/log.ts';
import { masked } from '../../session/model.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { pathOf, tagOfEntry } from '../journal/display.ts';
import { withoutQuery } from './delivery-line.ts';
import type { RequestDisplay } from './request-display.ts';

export function jsonLines(log: Logger): RequestDisplay {
  return {
    request: (entry) => {
      if (isLogged(entry, log)) return;
      const { caller, operation, method, status, ms, fault } = entry;
      log.info('{method} {path} {status}', {
        tag: tagOfEntry(entry),
        user: caller === undefined ? null : masked(caller),
        operation: operation?.id ?? 'none',
        method,
        path: pathOf(entry),
        status,
        ms: Math.round(ms * 100) / 100,
        fault,
      });
    },
    attempt: (outcome, { id, evento, endpoint }) => {
      if (outcome.kind === 'withdrawn') return;
      const facts = { delivery: id, evento, endpoint: withoutQuery(endpoint), ms: outcome.ms };
      if (outcome.kind === 'delivered')
        log.info('entrega {delivery} {evento} {endpoint} {status}', { ...facts, status: outcome.status });
      else
        log.info('entrega {delivery} {evento} {endpoint} falhou: {description}', {
          ...facts,
          status: outcome.status ?? null,
          description: outcome.description,
        });
    },
  };
}

/**
 * Returns true if the log already has a line for the request: a refusal, an authentication, or any request at
 * level debug.
 */
const isLogged = ({ trackerId, refusal, operation }: JournalEntry, log: Logger): boolean =>
  trackerId !== undefined &&
  (refusal !== undefined || operation?.authenticates === true || log.isEnabledFor('debug'));
