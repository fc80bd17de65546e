/**
 * What `catp dev --log json` adds to the log: a line for each request of which the log says nothing, because it succeeded
 * or a fault answered it, and one for each delivery.
 */
import type { Logger } from '../../log/log.ts';
import { masked } from '../../session/model.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { pathOf, tagOfEntry } from '../journal/shown.ts';
import { withoutQuery } from './delivery-line.ts';
import type { Shown } from './shown.ts';

export function jsonLines(log: Logger): Shown {
  return {
    request: (entry) => {
      if (isTold(entry, log)) return;
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

/** Whether the log has a line of it: of what was refused, of sign-ins, and at its most talkative of everything. */
const isTold = ({ trackerId, refusal, operation }: JournalEntry, log: Logger): boolean =>
  trackerId !== undefined &&
  (refusal !== undefined || operation?.authenticates === true || log.isEnabledFor('debug'));
