/** Faults on demand: a client meets what the public service does on its bad days (contract section 15). */
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
  /** Every operationId of the server. */
  readonly operationIds: () => readonly string[];
  readonly users: Pick<SessionStore, 'findUser'>;
  readonly keys: Pick<SessionStore, 'findKey'>;
  readonly corsHeaders: (request: Request) => Readonly<Record<string, string>> | undefined;
  /** What `percent` is drawn with: from 0 up to, but not, 1. */
  readonly random?: (() => number) | undefined;
}

export interface Faults extends Feature {
  readonly attend: Attend<Caller>;
  /** No rule is left but what the instance began with. */
  readonly restart: () => void;
  /** A rule that the instance begins with. Throws 400. */
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
    isAdministrators: (clientId) => {
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

/** The way out of a fault must not fail, nor what says that the process lives. */
const isSpared = (pathname: string): boolean =>
  pathname.startsWith('/appliance/api/') || HEALTH.includes(pathname);
