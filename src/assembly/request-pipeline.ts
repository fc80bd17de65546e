/** Request pipeline of every operation: authentication, limits, CORS, metrics and log. */
import type { Clock } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import { type Client, exchangeLog } from '../http/exchange-log.ts';
import type { Watch } from '../http/request-hook.ts';
import { queryOf } from '../http/address.ts';
import { Holdings } from '../http/holdings.ts';
import type { RawParams } from '../http/operation.ts';
import { type Authenticated, Pipeline } from '../http/pipeline.ts';
import type { Logger } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Guard, SignedIn } from '../session/guard.ts';
import type { HourlyLimit } from '../session/hourly-limit.ts';
import { type Attempt, type Caller, masked } from '../session/model.ts';
import type { QuotaOwner } from '../fair-shares.ts';
import { localDateTime } from '../validation/calendar.ts';

export interface RequestPipelineParts {
  readonly guard: Guard;
  readonly limit: HourlyLimit;
  readonly serverHeaders: (request: Request) => Readonly<Record<string, string>>;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly stopwatch: () => number;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly clientOf: (request: Request) => Client;
  readonly attempts: WeakMap<Request, Attempt>;
  /** Called with an unexpected error, because it may come from the storage. */
  readonly failed: (error: unknown) => void;
  /** Present only in a development instance. */
  readonly watch?: Watch | undefined;
}

/**
 * Path of our own operations. The public service limits only its own operations, so a page that polls does
 * not use up that limit.
 */
const OUR_OWN = '/appliance/';

/**
 * Returns the quota owner of a request for the named company, if the caller acts for it. Each company has its
 * own share.
 */
function quotaOwnerOf(caller: Caller, { cpfCnpjRaiz: inPath }: RawParams, request: Request): QuotaOwner {
  const query = queryOf(request.url);
  const named = inPath ?? (query === undefined ? null : new URLSearchParams(query).get('cpfCnpjRaiz'));
  return { user: caller.documento, company: companyOf(caller, named) };
}

function companyOf({ companies }: Caller, named: string | null): string | undefined {
  if (named !== null && companies.has(named)) return named;
  const [only] = companies.keys();
  return companies.size === 1 ? only : undefined;
}

export function createPipeline(parts: RequestPipelineParts): Pipeline<Caller> {
  const {
    guard,
    limit,
    serverHeaders,
    settings,
    clock,
    stopwatch,
    metrics,
    log,
    clientOf,
    attempts,
    failed,
    watch,
  } = parts;
  const logExchange = exchangeLog(log, masked);
  const authenticated = (signedIn: SignedIn): Authenticated<Caller> => {
    const { caller, claims } = signedIn;
    return {
      caller,
      administrator: guard.administratorOf(signedIn),
      documento: caller.documento,
      renewedHeaders: () => guard.renewedHeaders(claims),
      watchRights: (lost) => guard.watch(claims, lost),
    };
  };
  return new Pipeline<Caller>({
    authenticate: ({ headers }) => {
      const signedIn = guard.signedIn({
        authorization: headers.get('authorization'),
        csrf: headers.get('x-csrf-token'),
        cookie: () => headers.get('cookie'),
      });
      return signedIn instanceof Promise ? signedIn.then(authenticated) : authenticated(signedIn);
    },
    quotaOwnerOf,
    holdings: new Holdings(settings['servidor.simultaneas'], settings['corpo.memoria']),
    countAccess: ({ documento }, { id, path }) => {
      if (!path.startsWith(OUR_OWN)) limit.count(documento, id);
    },
    bodyLimit: settings['corpo.maximo'],
    notesUnknown: settings['corpo.desconhecidos'] === 'anotar',
    ambiente: settings.ambiente,
    localDateTime: () => localDateTime(clock.now()),
    stopwatch,
    onExchange: (exchange) => {
      if (exchange.status === 500) failed(exchange.error);
      metrics.request(exchange.operationId, exchange.status, exchange.ms);
      const attempt = attempts.get(exchange.request);
      const needsClient = exchange.error !== undefined || attempt !== undefined;
      logExchange(exchange, needsClient ? { ...clientOf(exchange.request), ...attempt } : undefined);
    },
    serverHeaders,
    ...(watch && { watch }),
  });
}
