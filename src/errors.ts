/**
 * Refusals. A violated rule throws a `DomainError`. One table in `http/answers.ts` maps each kind to its
 * status. Any other error is our own fault: 500, logged, without details for the caller.
 */

import { isPointer, placeText } from './pointer.ts';

/**
 * The subject of a problem as data, so that clients can show it at its field or correct it without parsing
 * its sentence.
 */
export interface About {
  /** The code of the attribute, or of the part of a compound. */
  readonly attribute?: string;
  /** The accepted name or value nearest to the received one. */
  readonly suggestion?: string;
  /** The code of the identical product. */
  readonly twin?: number;
  /** The accepted content of a required member that is missing: `um texto de 1 a 35 caracteres`. */
  readonly missing?: string;
}

/**
 * The position of a problem in a spreadsheet: its cell `H17`, the name of the column, the target of the
 * column.
 */
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
  /**
   * The name with which `message` begins, before its colon. Absent: it begins with none. Only the pages
   * receive it.
   */
  readonly label?: string;
  /** The printed name of the record's member, of the header or of the parameter. `null`: the whole body. */
  readonly field: string | null;
  /** RFC 6901 pointer into the body, or the name of the header, query or path parameter. */
  readonly path: string | null;
  /**
   * Sent only under `/appliance`, and to clients that request it: the specification's bodies have no such
   * member.
   */
  readonly about?: About;
  readonly at?: SheetPlace;
}

/** A rule that can be violated. Published codes never change their meaning. */
export interface RuleCode {
  readonly code: string;
  readonly meaning: string;
}

/** Parses a table of rules, each written as its code, a space, and its meaning (Portuguese). */
export const rulesOf = <const Rule extends string>(
  table: Readonly<Record<Rule, string>>,
): Readonly<Record<Rule, RuleCode>> =>
  Object.fromEntries(
    Object.entries<string>(table).map(([rule, text]) => {
      const [code = ''] = text.split(' ', 1);
      return [rule, { code, meaning: text.slice(code.length + 1) }];
    }),
  ) as Record<Rule, RuleCode>;

interface Labelled {
  readonly message: string;
  readonly label?: string | undefined;
}

type Placed = Pick<Problem, 'message' | 'label' | 'about'> & SheetPlace & { readonly path: string | null };

/**
 * Returns the message of a problem for display without its other members: it begins with its position
 * (contract section 3). A problem with a spreadsheet cell already begins with the heading.
 */
export function messageAlone({ message, label, path, about, heading }: Placed): string {
  if (heading !== undefined || path === null || !isPointer(path)) return message;
  const attribute = about?.attribute;
  const isNested = path.includes('/', 1);
  const place = placeText(path);
  const words = attribute === undefined || place === '' ? place : `${place} (${attribute})`;
  if (label === undefined) return `${words}: ${message}`;
  return isNested || attribute !== undefined ? relabelled({ message, label }, words) : message;
}

/** Begins a message with a name. */
export const withLabel = (label: string, sentence: string): Pick<Problem, 'message' | 'label'> => ({
  message: `${label}: ${sentence}`,
  label,
});

interface Spoken extends Labelled {
  readonly about?: About | undefined;
}

/** Returns the message for people. It begins with `name` instead of the name of the member, if it has one. */
export const messageFor = ({ message, label, about }: Spoken, name: string): string =>
  label !== undefined && about?.missing !== undefined
    ? `${name}: falta; informe ${about.missing}.`
    : relabelled({ message, label }, name);

/** Returns the message with another name at its beginning, if it begins with one. */
const relabelled = ({ message, label }: Labelled, name: string): string =>
  label === undefined ? message : name + message.slice(label.length);

/** A problem of one item of a file or batch. */
export interface ItemProblem extends Pick<Problem, 'message' | 'label' | 'code' | 'about'>, SheetPlace {
  /** RFC 6901 pointer into the item. Empty: the whole item. */
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
  /** Code of the whole answer, if it differs from the code of its status. */
  readonly code?: string;
  readonly field?: string | null;
  readonly path?: string | null;
  /** The member that names a missing record, in an item; a single operation has it in its path. */
  readonly member?: string;
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

/** Returns the suggestion of a rule as a member, if it has one. */
export const near = (suggestion: string | undefined): Pick<Problem, 'about'> =>
  suggestion === undefined ? {} : { about: { suggestion } };

/** A refusal of authentication, with its own short body (contract section 2). */
export class ShortRefusal extends DomainError {
  readonly code: string;
  /** The reason, for the operator only: the answer does not carry it. */
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

export const notFound = (message: string, options: RefusalOptions = {}): DomainError =>
  new DomainError('notFound', message, options);

export const forbidden = (message: string): DomainError => new DomainError('forbidden', message);

export const notAdministrator = (): DomainError =>
  forbidden('Esta operação é reservada ao administrador desta instalação.');

/** Returns true when the request is valid but cannot be processed now. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.kind === 'unavailable';

function summary(title: string, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first === undefined) return `${title}.`;
  if (problems.length === 1) return messageAlone(first);
  return `${title}: ${problems.length} problemas; o primeiro: ${messageAlone(first)}`;
}

/** A mistake or a task of the operator. A command prints it without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
}

/** A flag, argument or setting that is invalid, or names an unreadable file. It has its own exit code. */
export class UsageError extends OperatorError {}
