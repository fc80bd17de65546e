/** Chooses the fault of a request and simulates it. */
import type { RealTime } from '../../clock.ts';
import { DomainError } from '../../errors.ts';
import type { Arrival, Run } from '../../http/request-hook.ts';
import type { OwnSocket } from '../../system/own-socket.ts';
import type { FaultAnswers, StatusAnswer } from './answers.ts';
import { cutConnection, truncateAnswer } from './cut.ts';
import { RequestFacts } from './facts.ts';
import { parseFaultHeader } from './header.ts';
import { FAULT_HEADER, type Fault } from './model.ts';
import type { FaultRules } from './rules.ts';

export interface InjectionContext {
  readonly rules: FaultRules;
  readonly answers: FaultAnswers;
  /** Maximum size of a request body, in bytes. */
  readonly maxBodyBytes: number;
  readonly realTime: RealTime;
  /** Returns true if the access key belongs to an administrator. */
  readonly isAdministratorKey: (clientId: string) => boolean;
  /** Returns the server's socket of a request, or `undefined` where the system does not expose it. */
  readonly findSocket: (request: Request) => OwnSocket | undefined;
}

export class Injection {
  readonly #context: InjectionContext;

  constructor(context: InjectionContext) {
    this.#context = context;
  }

  /**
   * Simulates the fault of the request, if any. A fault in the request header has priority over the rules,
   * and the rules do not count that request.
   */
  hook<Caller>(arrival: Arrival<Caller>, run: Run): Response | Promise<Response> {
    const header = arrival.request.headers.get(FAULT_HEADER);
    if (header !== null) return this.#byHeader(header, arrival, run);
    return this.#context.rules.isEmpty ? run() : this.#byRule(arrival, run);
  }

  #byHeader<Caller>(header: string, arrival: Arrival<Caller>, run: Run): Response | Promise<Response> {
    let fault: Fault;
    try {
      fault = parseFaultHeader(header);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return answerFault(arrival, this.#context.answers.refusal(arrival.request, error));
    }
    return this.#simulate(fault, arrival, run);
  }

  async #byRule<Caller>(arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { rules, maxBodyBytes, isAdministratorKey } = this.#context;
    const facts = new RequestFacts(arrival, maxBodyBytes);
    const fault = await rules.choose(
      (match) => facts.matches(match),
      facts.chaosFactsFor(isAdministratorKey),
    );
    return fault === undefined ? run() : this.#simulate(fault, arrival, run);
  }

  async #simulate<Caller>(fault: Fault, arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { answers, realTime, findSocket } = this.#context;
    const { request } = arrival;
    arrival.fault = fault.kind;
    switch (fault.kind) {
      case 'status':
        return answerFault(arrival, answers.status(request, fault.status, fault.code, fault.message));
      case 'garbage':
        return answerFault(arrival, answers.garbage(request));
      case 'expired-token':
        return answerFault(arrival, answers.expiredToken(request));
      case 'hourly-limit':
        return answerFault(arrival, answers.hourlyLimit(request));
      case 'daily-stop':
        return answerFault(arrival, answers.dailyStop(request));
      case 'drop':
        arrival.substitute = { status: null, headers: new Headers(), body: null };
        return cutConnection();
      case 'delay':
        await new Promise<void>((resolve) => void realTime.after(fault.ms, resolve));
        return run();
      case 'truncate':
        return truncateAnswer(await run(), fault.bytes, () => findSocket(request), realTime);
      case 'lost-answer': {
        const lostAnswer = await run();
        await lostAnswer.body?.cancel();
        return cutConnection();
      }
    }
  }
}

function answerFault<Caller>(arrival: Arrival<Caller>, answer: StatusAnswer): Response {
  arrival.substitute = answer;
  return new Response(answer.body, { status: answer.status, headers: answer.headers });
}
