/** Faults on demand: clients can test against the failures of the public service (contract section 15). */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Arrival, Attend, Run } from '../../http/attendance.ts';
import { plainPortOf } from '../../http/server.ts';
import type { Caller } from '../../session/model.ts';
import type { SessionStore } from '../../session/store.ts';
import { ownSocketTo } from '../../system/own-socket.ts';
import { FaultAnswers } from '../../dev/fault/answers.ts';
import { Injection } from '../../dev/fault/injection.ts';
import type { RuleRequest } from '../../dev/fault/forms.ts';
import type { NewRule } from '../../dev/fault/model.ts';
import { faultRoutes } from '../../dev/fault/routes.ts';
import { ruleOf } from '../../dev/fault/rule-of.ts';
import { FaultRules } from '../../dev/fault/rules.ts';

export interface FaultParts {
  /** Returns every operationId of the server. */
  readonly operationIds: () => readonly string[];
  readonly users: Pick<SessionStore, 'findUser'>;
  readonly keys: Pick<SessionStore, 'findKey'>;
  readonly corsHeaders: (request: Request) => Readonly<Record<string, string>> | undefined;
  /** Random source of `percent`, from 0 to below 1. */
  readonly random?: (() => number) | undefined;
}

export interface Faults extends Feature {
  readonly attend: Attend<Caller>;
  /** Removes all rules except the first one of the instance. */
  readonly restart: () => void;
  /** Sets the first rule of the instance. Throws 400. */
  readonly begin: (rule: RuleRequest) => void;
}

export function openFaults({ clock, realTime, settings }: AppContext, parts: FaultParts): Faults {
  const rules = new FaultRules(parts.random ?? Math.random);
  let first: NewRule | undefined;
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
    isAdministratorKey: (clientId) => {
      const key = parts.keys.findKey(clientId);
      return key !== undefined && parts.users.findUser(key.documento)?.administrador === true;
    },
    findSocket: (request) => {
      const port = plainPortOf(request);
      return port === undefined ? undefined : ownSocketTo(port);
    },
  });
  return {
    operations: () => faultRoutes({ rules, operationIds: parts.operationIds }),
    attend: (arrival: Arrival<Caller>, run: Run) =>
      isSpared(pathnameOf(arrival.request.url)) ? run() : injection.attend(arrival, run),
    restart: () => {
      rules.clear();
      if (first !== undefined) rules.add(first);
    },
    begin: (rule) => {
      first = ruleOf(rule, parts.operationIds);
      rules.add(first);
    },
  };
}

const HEALTH = ['/healthz', '/readyz', '/metrics'];

/** Returns true for paths without faults: the operations that remove a fault, and the health checks. */
const isSpared = (pathname: string): boolean =>
  pathname.startsWith('/appliance/api/') || HEALTH.includes(pathname);
