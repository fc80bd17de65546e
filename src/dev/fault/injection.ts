/** Chooses the fault of a request and simulates it. */
import type { RealTime } from '../../clock.ts';
import { DomainError } from '../../errors.ts';
import type { Arrival, Run } from '../../http/attendance.ts';
import type { OwnSocket } from '../../system/own-socket.ts';
import type { FaultAnswers, StatusAnswer } from './answers.ts';
import { cut, truncated } from './cut.ts';
import { Facts } from './facts.ts';
import { FAULT_HEADER, parseFaultHeader } from './header.ts';
import type { Fault } from './model.ts';
import type { FaultRules } from './rules.ts';

export interface InjectionParts {
  readonly rules: FaultRules;
  readonly answers: FaultAnswers;
  readonly bodyMax: number;
  readonly realTime: RealTime;
  /** Returns true if the access key belongs to an administrator. */
  readonly isAdministratorKey: (clientId: string) => boolean;
  /** Returns the server's socket of a request, or `undefined` where the system does not expose it. */
  readonly findSocket: (request: Request) => OwnSocket | undefined;
}

export class Injection {
  readonly #parts: InjectionParts;

  constructor(parts: InjectionParts) {
    this.#parts = parts;
  }

  /**
   * Simulates the fault of the request, if any. The header wins over the rules, which do not count such a
   * request.
   */
  attend<Caller>(arrival: Arrival<Caller>, run: Run): Response | Promise<Response> {
    const header = arrival.request.headers.get(FAULT_HEADER);
    if (header !== null) return this.#byHeader(header, arrival, run);
    return this.#parts.rules.isEmpty ? run() : this.#byRule(arrival, run);
  }

  #byHeader<Caller>(header: string, arrival: Arrival<Caller>, run: Run): Response | Promise<Response> {
    let fault: Fault;
    try {
      fault = parseFaultHeader(header);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return answerInstead(arrival, this.#parts.answers.refusal(arrival.request, error));
    }
    return this.#act(fault, arrival, run);
  }

  async #byRule<Caller>(arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { rules, bodyMax, isAdministratorKey } = this.#parts;
    const facts = new Facts(arrival, bodyMax);
    const fault = await rules.choose((match) => facts.matches(match), facts.drawableBy(isAdministratorKey));
    return fault === undefined ? run() : this.#act(fault, arrival, run);
  }

  async #act<Caller>(fault: Fault, arrival: Arrival<Caller>, run: Run): Promise<Response> {
    const { answers, realTime, findSocket } = this.#parts;
    const { request } = arrival;
    arrival.fault = fault.kind;
    switch (fault.kind) {
      case 'status':
        return answerInstead(arrival, answers.status(request, fault.status, fault.code, fault.message));
      case 'garbage':
        return answerInstead(arrival, answers.garbage(request));
      case 'expired-token':
        return answerInstead(arrival, answers.expiredToken(request));
      case 'hourly-limit':
        return answerInstead(arrival, answers.hourlyLimit(request));
      case 'daily-stop':
        return answerInstead(arrival, answers.dailyStop(request));
      case 'drop':
        arrival.instead = { status: null, headers: new Headers(), body: null };
        return cut();
      case 'delay':
        await new Promise<void>((resolve) => void realTime.after(fault.ms, resolve));
        return run();
      case 'truncate':
        return truncated(await run(), fault.bytes, () => findSocket(request), realTime);
      case 'lost-answer': {
        const lost = await run();
        await lost.body?.cancel();
        return cut();
      }
    }
  }
}

function answerInstead<Caller>(arrival: Arrival<Caller>, instead: StatusAnswer): Response {
  arrival.instead = instead;
  return new Response(instead.body, { status: instead.status, headers: instead.headers });
}
