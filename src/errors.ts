/**
 * Refusals. A rule that says no throws a `DomainError`; one table in `http/answers.ts` gives each kind its status.
 * Anything else that is thrown is our own fault: 500, logged, silent to the caller.
 */

import { lastMemberOf, memberOf, placeText } from './pointer.ts';

/** What a problem is about, as data: whoever shows it at its field or mends it need not read its sentence. */
export interface About {
  /** The attribute, or the part of a compound, by its code. */
  readonly attribute?: string;
  /** The accepted name or value nearest to what was received. */
  readonly suggestion?: string;
  /** The code of the product that is the same. */
  readonly twin?: number;
}

/** Where in a spreadsheet a problem is: `H17`, what the column is called, where it goes. */
export interface SheetPlace {
  readonly cell?: string;
  readonly heading?: string;
  readonly member?: string;
}

/** One violated rule, in the words and form of contract section 3. */
export interface Problem {
  /** Catalogued code, for instance `CATP-ER1012` or `PUCX-ER0010`. */
  readonly code: string;
  /** Portuguese: what was received, what is accepted, what to do. */
  readonly message: string;
  /** The member of the record, the header or parameter by its printed name; `null` when the whole body is meant. */
  readonly field: string | null;
  /** RFC 6901 pointer into the body, or the name of the header, query or path parameter. */
  readonly path: string | null;
  /** Told under `/appliance` only, and to those who ask for it: the specification's bodies have no such member. */
  readonly about?: About;
  readonly at?: SheetPlace;
}

/** A rule that can be violated: published codes never change their meaning. */
export interface RuleCode {
  readonly code: string;
  readonly meaning: string;
}

/** A table of rules, each written as its code, a space, and what it means (Portuguese). */
export const rulesOf = <const Rule extends string>(
  table: Readonly<Record<Rule, string>>,
): Readonly<Record<Rule, RuleCode>> =>
  Object.fromEntries(
    Object.entries<string>(table).map(([rule, text]) => {
      const [code = ''] = text.split(' ', 1);
      return [rule, { code, meaning: text.slice(code.length + 1) }];
    }),
  ) as Record<Rule, RuleCode>;

type Placed = Pick<Problem, 'message' | 'about'> & SheetPlace & { readonly path: string | null };

/**
 * The message of a problem where nothing else of it is shown: it begins with its place (contract section 3). What is wrong
 * with a cell of a spreadsheet begins with the heading as it is.
 */
export function messageAlone({ message, path, about, heading }: Placed): string {
  if (heading !== undefined || path === null || !path.startsWith('/')) return message;
  const attribute = about?.attribute;
  const isNested = path.includes('/', 1);
  const place = placeText(path);
  const words = attribute === undefined || place === '' ? place : `${place} (${attribute})`;
  const own = [lastMemberOf(path), memberOf(path) ?? ''].find((name) => message.startsWith(`${name}: `));
  if (own === undefined) return `${words}: ${message}`;
  return isNested || attribute !== undefined ? words + message.slice(own.length) : message;
}

/** What is wrong with one item of a file or batch. */
export interface ItemProblem extends Pick<Problem, 'message' | 'code' | 'about'>, SheetPlace {
  /** RFC 6901 pointer into the item; empty when all of it is meant. */
  readonly path: string;
}

export type RefusalKind =
  | 'malformed' // 400
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'notFound' // 404
  | 'methodNotAllowed' // 405
  | 'notAcceptable' // 406
  | 'tooSlow' // 408
  | 'tooLarge' // 413
  | 'unsupportedMediaType' // 415
  | 'misdirected' // 421
  | 'headersTooLarge' // 431
  | 'unprocessable' // 422
  | 'unavailable'; // 503

export interface RefusalOptions {
  /** Code of the whole answer, where it is not the one that its status gives. */
  readonly code?: string;
  readonly field?: string | null;
  readonly path?: string | null;
  readonly problems?: readonly Problem[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly kind: RefusalKind;
  readonly options: RefusalOptions;

  constructor(kind: RefusalKind, message: string, options: RefusalOptions = {}) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.options = options;
  }

  get problems(): readonly Problem[] {
    return this.options.problems ?? [];
  }
}

/** What a rule has found to be near what was received, where it has. */
export const near = (suggestion: string | undefined): Pick<Problem, 'about'> =>
  suggestion === undefined ? {} : { about: { suggestion } };

/** A refusal of authentication, which has a short body of its own (contract section 2). */
export class ShortRefusal extends DomainError {
  readonly code: string;
  /** Why, for the operator alone: the answer does not carry it. */
  readonly reason: string | undefined;

  constructor(code: string, message: string, reason?: string) {
    super('unprocessable', message, { code });
    this.code = code;
    this.reason = reason;
  }
}

export const malformed = (problems: readonly Problem[]): DomainError =>
  new DomainError('malformed', summary('Requisição malformada', problems), { problems });

export const unprocessable = (problems: readonly Problem[]): DomainError =>
  new DomainError('unprocessable', summary('Regra de negócio violada', problems), { problems });

export const notFound = (message: string): DomainError => new DomainError('notFound', message);

export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

/** Nothing is wrong with what was asked; it cannot be done now. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.kind === 'unavailable';

function summary(title: string, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first === undefined) return `${title}.`;
  if (problems.length === 1) return messageAlone(first);
  return `${title}: ${problems.length} problemas; o primeiro: ${messageAlone(first)}`;
}

/** What the operator did or has to do; a command shows it as it is, without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** A flag, an argument or a setting that says nothing sensible, or names a file that cannot be read: it has an exit code of its own. */
export class UsageError extends OperatorError {}
