/**
 * Reports the requests that the public service would have refused, in any profile (contract section 21). Each
 * completed request to an operation of the specification is checked against the profile `portal`, and the
 * habits of each user against the rules of the public service. No request is refused because of the report.
 */
import type { EpochMs } from '../../clock.ts';
import { pathnameOf } from '../../http/address.ts';
import { mnemonicOf } from '../../http/answers.ts';
import type { Answer, Input, Operation } from '../../http/operation.ts';
import type { HourlyLimit } from '../../session/hourly-limit.ts';
import type { Caller } from '../../session/model.ts';
import type { SignInPace } from '../../session/sign-in-pace.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { OnEntry } from '../journal/journal.ts';
import { tryParseJson } from '../../validation/json.ts';
import { textMemberIn } from '../../validation/json-value.ts';
import { Findings } from './findings.ts';
import { type ItemResult, type Judge, resultsIn } from './judges.ts';
import { Renewals } from './renewals.ts';
import { Repetitions } from './repetitions.ts';
import type { ConformityReport, RuleName } from './model.ts';

export interface ConformityOptions {
  readonly judges: ReadonlyMap<string, Judge>;
  /** The limit and the pace of the profile `portal`. */
  readonly limit: HourlyLimit;
  readonly pace: SignInPace;
  readonly isAdministrator: (documento: string) => boolean;
  /** Receives an internal error of the comparison. The request is not affected. */
  readonly onError: (error: unknown) => void;
}

/** The result of the comparison of one completed request. */
interface ComparisonResult {
  readonly broken: readonly RuleName[];
  /** `undefined` for an operation that is open to anybody. */
  readonly caller: Caller | undefined;
  /** The user that the request authenticated. */
  readonly user: string | undefined;
  readonly items: readonly ItemResult[] | undefined;
}

export class Conformity {
  readonly #judges: ReadonlyMap<string, Judge>;
  readonly #limit: HourlyLimit;
  readonly #pace: SignInPace;
  readonly #isAdministrator: (documento: string) => boolean;
  readonly #onError: (error: unknown) => void;
  readonly #findings = new Findings();
  readonly #repetitions = new Repetitions();
  readonly #renewals = new Renewals();
  /** The results between the completion of a request and its journal entry. */
  readonly #results = new WeakMap<Request, ComparisonResult>();

  constructor({ judges, limit, pace, isAdministrator, onError }: ConformityOptions) {
    this.#judges = judges;
    this.#limit = limit;
    this.#pace = pace;
    this.#isAdministrator = isAdministrator;
    this.#onError = onError;
  }

  report(): ConformityReport {
    return this.#findings.report();
  }

  /** Forgets all findings and habits. */
  clear(): void {
    this.#findings.clear();
    this.#renewals.forget();
    this.forgetPace();
  }

  /**
   * Forgets habits after a restore or a reset, because the new state has no earlier requests or
   * authentications. Sessions and findings stay.
   */
  forgetPace(): void {
    this.#repetitions.forget();
    this.#limit.forget();
    this.#pace.forget();
  }

  /** Wraps an operation so that each of its completed requests is compared. */
  readonly compareEach = (operation: Operation<Caller>): Operation<Caller> => {
    if (!isPublic(operation.path)) return operation;
    const recordComparison = <T extends Answer | void>(
      input: Input<Caller, never, never, never>,
      answer: T,
    ): T => {
      this.#results.set(input.request, this.#judge(operation, input, answer ?? {}));
      return answer;
    };
    return {
      ...operation,
      handle: (input) => {
        const pending = operation.handle(input);
        return pending instanceof Promise
          ? pending.then((answer) => recordComparison(input, answer))
          : recordComparison(input, pending);
      },
    };
  };

  #judge(
    { id, authenticates, deprecated }: Operation<Caller>,
    { caller, body, request }: Input<Caller | undefined, unknown, unknown, unknown>,
    answer: Answer,
  ): ComparisonResult {
    const broken: RuleName[] = deprecated ? ['operacao-descontinuada'] : [];
    const isSuccess = (answer.status ?? 200) < 300;
    try {
      if (isSuccess) broken.push(...(this.#judges.get(id)?.({ body, request, answer }) ?? []));
    } catch (error) {
      this.#onError(error);
    }
    const user = authenticates ? subjectOf(answer.headers?.['Set-Token'] ?? '') : undefined;
    return { broken, caller, user, items: resultsIn(answer) };
  }

  /** Adds the findings of a request that the journal just recorded. An error never changes the answer. */
  readonly addFindings: OnEntry = (entry, request) => {
    try {
      this.#addFindings(entry, request);
    } catch (error) {
      this.#onError(error);
    }
  };

  #addFindings(...[entry, request]: Parameters<OnEntry>): void {
    const judged = this.#results.get(request);
    if (!isPublic(pathnameOf(entry.url)) || entry.isOfPages) return;
    const user = judged?.user ?? entry.caller ?? subjectOf(entry.requestHeaders.get('authorization') ?? '');
    const add = (rule: RuleName, details: { requests?: readonly number[]; until?: EpochMs } = {}): void => {
      if (user === undefined || !(judged?.caller?.administrador ?? this.#isAdministrator(user)))
        this.#findings.add(rule, { user, at: entry.at, requests: [entry.id], ...details });
    };
    for (const rule of judged?.broken ?? []) add(rule);
    for (let remaining = leftOut(entry, judged); remaining > 0; remaining -= 1) add('membro-desconhecido');
    if (user === undefined) return;
    if (judged?.user !== undefined && !this.#pace.admits(user, entry.at)) add('autenticacao-60s');
    const { operation, caller } = entry;
    const until = operation && caller && this.#limit.blockOf(caller, operation.id);
    if (until !== undefined && judged !== undefined) add('limite-horario', { until: Number(until) });
    if (this.#repetitions.isBlind(entry, user)) add('repeticao');
    const requests = this.#renewals.requestsWithoutRenewal(entry);
    if (requests !== undefined) add('csrf', { requests });
  }
}

/** Returns true for a path of the public service. All other paths belong to catp. */
const isPublic = (path: string): boolean => mnemonicOf(path) !== 'APPL';

/** Counts the records with ignored members. In a batch, only accepted items count. */
function leftOut({ notices }: JournalEntry, judged: ComparisonResult | undefined): number {
  if (notices.length === 0 || judged === undefined) return 0;
  const { items } = judged;
  if (items === undefined) return 1;
  const indexes = new Set(notices.map(({ path }) => Number(path?.split('/', 2)[1])));
  return [...indexes].filter((index) => items[index]?.sucesso === true).length;
}

/**
 * Returns the subject of a token that this instance issued, without verifying it: a request that a fault cut
 * off was not authenticated.
 */
function subjectOf(token: string): string | undefined {
  const [, payload = ''] = token.split('.');
  return textMemberIn(tryParseJson(Buffer.from(payload, 'base64url').toString()), 'sub');
}
