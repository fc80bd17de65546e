/** Turns refusals and faults into answers: one table from kind to status, one body (contract section 3). */
import { DomainError, type Problem, type RefusalKind, type ShortRefusal } from '../errors.ts';

export const STATUS_OF: Readonly<Record<RefusalKind, number>> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  tooSlow: 408,
  tooLarge: 413,
  unsupportedMediaType: 415,
  misdirected: 421,
  unprocessable: 422,
  headersTooLarge: 431,
  unavailable: 503,
};

export const JSON_TYPE = 'application/json; charset=utf-8';

const MALFORMED_CODE = 'PUCX-ER0010';
const FAULT_CODE = 'PUCX-ER0001';
const FAULT_MESSAGE =
  'Erro interno do servidor. Nada desta requisição foi gravado. Informe o código em "tag" ao operador do serviço.';

/**
 * One year, in seconds. A development instance sends 0, which revokes the value that another instance with
 * the same name sent.
 */
const HTTPS_ONLY_SECONDS = { serve: 31_536_000, dev: 0 } as const;

/** Returns the headers that every answer carries (contract section 16). */
export const securityHeaders = (
  scheme: 'http' | 'https',
  mode: 'dev' | 'serve',
): Readonly<Record<string, string>> => ({
  'X-Content-Type-Options': 'nosniff',
  ...(scheme === 'https' && { 'Strict-Transport-Security': `max-age=${HTTPS_ONLY_SECONDS[mode]}` }),
});

export interface ErrorContext {
  readonly pathname: string;
  readonly trackerId: string;
  readonly ambiente: string;
  /** `yyyy-MM-ddTHH:mm:ss`, Brasília. */
  readonly date: string;
  /** Problems carry the member `about`. */
  readonly includesAbout?: boolean;
  /** Problems carry the member `label`. */
  readonly includesLabel?: boolean;
}

export interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly field: string | null;
  readonly path: string | null;
  readonly tag: string;
  readonly date: string;
  readonly status: number;
  readonly severity: 'ERROR';
  readonly detail: readonly Problem[];
  readonly info: {
    readonly mnemonico: string;
    readonly ambiente: string;
    readonly url: string;
    readonly trackerId: string;
  };
}

/** Returns the module of the called path. It prefixes codes and tags. */
export function mnemonicOf(pathname: string): string {
  if (/^\/catp(\/|$)/.test(pathname)) return 'CATP';
  if (/^\/portal(\/|$)/.test(pathname)) return 'PLAT';
  if (/^\/cadatributos(\/|$)/.test(pathname)) return 'CADA';
  return 'APPL';
}

/** An answer whose text is known. */
export interface RefusalText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Builds the short body of a refusal of authentication (contract section 2). Its tag follows the path, as in
 * all answers (section 3).
 */
export function shortAnswer(
  { message, code }: ShortRefusal,
  { pathname, trackerId }: Pick<ErrorContext, 'pathname' | 'trackerId'>,
): RefusalText {
  const tag = tagOf(mnemonicOf(pathname), trackerId);
  const body = { status: 422, message, code, tag, severity: 'ERROR' };
  return { status: 422, headers: { 'Content-Type': JSON_TYPE }, text: JSON.stringify(body) };
}

/** Returns status, body and headers of the answer to any error that ended a request. */
export function errorAnswer(error: unknown, context: ErrorContext): RefusalText {
  const refusal = error instanceof DomainError ? error : undefined;
  const status = refusal === undefined ? 500 : STATUS_OF[refusal.kind];
  const { code, field, path, headers } = refusal?.options ?? {};
  const message = refusal?.message ?? FAULT_MESSAGE;
  const problems = refusal?.problems ?? [];
  return errorText({ status, code, message, field, path, headers, problems }, context);
}

export interface ErrorParts {
  readonly status: number;
  /** `undefined`: the code of the status. */
  readonly code?: string | undefined;
  readonly message: string;
  readonly field?: string | null | undefined;
  readonly path?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly problems?: readonly Problem[];
}

/** Builds the common error body. */
export function errorText(parts: ErrorParts, context: ErrorContext): RefusalText {
  const { status, message } = parts;
  const mnemonico = mnemonicOf(context.pathname);
  const code = parts.code ?? codeOf(status, context.pathname);
  const tag = tagOf(mnemonico, context.trackerId);
  const headers = { 'Content-Type': JSON_TYPE, ...parts.headers };
  const { pathname: url, trackerId, ambiente, date } = context;
  const body: ErrorBody = {
    message,
    code,
    field: parts.field ?? null,
    path: parts.path ?? null,
    tag,
    date,
    status,
    severity: 'ERROR',
    detail: (parts.problems ?? []).map((problem) => printed(problem, context)),
    info: { mnemonico, ambiente, url, trackerId },
  };
  return { status, headers, text: JSON.stringify(body) };
}

/** Returns the name of one refusal. The answer, the log and the journal use it. */
export const tagOf = (mnemonico: string, trackerId: string): string => `[${mnemonico}-${trackerId}]`;

/** Orders the members as the contract prints them. */
const printed = (
  { message, code, field, path, about, label }: Problem,
  { includesAbout, includesLabel }: ErrorContext,
): Problem => ({
  message,
  code,
  field,
  path,
  ...(includesAbout === true && about !== undefined && { about }),
  ...(includesLabel === true && label !== undefined && { label }),
});

/**
 * Returns true when problems carry `about`: always in our own operations, and in the specification's only
 * when the caller requests it, as our pages do.
 */
export const requestsAbout = (pathname: string, headers: Headers): boolean =>
  pathname.startsWith('/appliance/') || isOfPages(headers);

/** Returns true for a request of our pages. Its problems also carry `label`. */
export const isOfPages = (headers: Headers): boolean => headers.get('prefer') === 'about';

/** Returns the default code of a status. */
export function codeOf(status: number, pathname: string): string {
  if (status === 400) return MALFORMED_CODE;
  if (status === 500) return FAULT_CODE;
  return `${mnemonicOf(pathname)}-ER0${status}`;
}

const TRACKER_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const TRACKER_LENGTH = 10;

/** Returns ten random capital letters and digits. They identify one request in its answer and in the log. */
export function newTrackerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TRACKER_LENGTH));
  return Array.from(bytes, (byte) => TRACKER_LETTERS[byte % TRACKER_LETTERS.length]).join('');
}
