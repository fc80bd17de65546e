/** Faults on demand: a client meets what the public service does on its bad days (contract section 15). */
import type { Feature } from '../feature.ts';
import type { Ground } from '../ground.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Arrival, Attend, Run } from '../../http/attendance.ts';
import { plainPortOf } from '../../http/server.ts';
import type { Caller } from '../../session/model.ts';
import { ownSocketTo } from '../../system/own-socket.ts';
import { FaultAnswers } from '../../dev/fault/answers.ts';
import { Injection } from '../../dev/fault/injection.ts';
import { faultRoutes } from '../../dev/fault/routes.ts';
import { FaultRules } from '../../dev/fault/rules.ts';

export interface FaultParts {
  /** Every operationId of the server. */
  readonly operationIds: () => readonly string[];
  readonly corsHeaders: (request: Request) => Readonly<Record<string, string>> | undefined;
  /** What `percent` is drawn with: from 0 up to, but not, 1. */
  readonly random?: (() => number) | undefined;
}

export interface Faults extends Feature {
  readonly attend: Attend<Caller>;
  /** No rule is left. */
  readonly clear: () => void;
}

export function openFaults({ clock, realTime, settings }: Ground, parts: FaultParts): Faults {
  const rules = new FaultRules(parts.random ?? Math.random);
  const injection = new Injection({
    rules,
    answers: new FaultAnswers({
      clock,
      ambiente: settings.ambiente,
      hourlyLimit: settings.limiteHorario,
      corsHeaders: parts.corsHeaders,
    }),
    bodyMax: settings['corpo.maximo'],
    realTime,
    findSocket: (request) => {
      const port = plainPortOf(request);
      return port === undefined ? undefined : ownSocketTo(port);
    },
  });
  return {
    operations: () => faultRoutes({ rules, operationIds: parts.operationIds }),
    attend: (arrival: Arrival<Caller>, run: Run) =>
      isSpared(pathnameOf(arrival.request.url)) ? run() : injection.attend(arrival, run),
    clear: () => rules.clear(),
  };
}

const HEALTH = ['/healthz', '/readyz', '/metrics'];

/** The way out of a fault must not fail, nor what says that the process lives. */
const isSpared = (pathname: string): boolean =>
  pathname.startsWith('/appliance/api/') || HEALTH.includes(pathname);
