/** Simulated faults: a client can test how it handles the failures of the public service (contract section 15). */
import type { Feature } from '../feature.ts';
import type { AppContext } from '../app-context.ts';
import { pathnameOf } from '../../http/address.ts';
import type { Arrival, RequestHook, Run } from '../../http/request-hook.ts';
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
  readonly serverHeaders: (request: Request) => Readonly<Record<string, string>>;
  /** Random source of `percent`, from 0 to below 1. */
  readonly random?: (() => number) | undefined;
}

export interface Faults extends Feature {
  readonly hook: RequestHook<Caller>;
  /** Removes all rules, then adds the initial rule again, if there is one. */
  readonly reset: () => void;
  /** Sets the rule that the instance starts with. Throws 400. */
  readonly setInitialRule: (rule: RuleRequest) => void;
}

export function openFaults({ clock, realTime, settings }: AppContext, parts: FaultParts): Faults {
  const rules = new FaultRules(parts.random ?? Math.random);
  let initialRule: NewRule | undefined;
  const injection = new Injection({
    rules,
    answers: new FaultAnswers(clock, settings.ambiente, settings.limiteHorario, parts.serverHeaders),
    maxBodyBytes: settings['corpo.maximo'],
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
    operations: () => faultRoutes(rules, parts.operationIds),
    hook: (arrival: Arrival<Caller>, run: Run) =>
      isExempt(pathnameOf(arrival.request.url)) ? run() : injection.hook(arrival, run),
    reset: () => {
      rules.clear();
      if (initialRule !== undefined) rules.add(initialRule);
    },
    setInitialRule: (rule) => {
      initialRule = ruleOf(rule, parts.operationIds);
      rules.add(initialRule);
    },
  };
}

const HEALTH_PATHS = ['/healthz', '/readyz', '/metrics'];

/** Returns true for paths that never get a fault: the operations that remove faults, and the health checks. */
const isExempt = (pathname: string): boolean =>
  pathname.startsWith('/appliance/api/') || HEALTH_PATHS.includes(pathname);
