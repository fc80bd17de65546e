/** Refusals and faults as answers: one table from kind to status, one body (contract section 3). */
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

/** In seconds, a year; an instance under development takes back what another told of the same name. */
const HTTPS_ONLY_SECONDS = { serve: 31_536_000, dev: 0 } as const;

/** What every answer says, whatever it is (contract section 16). */
export function secured(answer: Response, scheme: 'http' | 'https', mode: 'dev' | 'serve'): Response {
  answer.headers.set('X-Content-Type-Options', 'nosniff');
  if (scheme === 'https')
    answer.headers.set('Strict-Transport-Security', `max-age=${HTTPS_ONLY_SECONDS[mode]}`);
  return answer;
}

export interface ErrorContext {
  readonly pathname: string;
  readonly trackerId: string;
  readonly ambiente: string;
  /** `yyyy-MM-ddTHH:mm:ss`, Brasília. */
  readonly date: string;
  /** Whether problems say what they are about. */
  readonly tellsAbout?: boolean;
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

/** The module whose path was called; it prefixes codes and tags. */
export function mnemonicOf(pathname: string): string {
  if (/^\/catp(\/|$)/.test(pathname)) return 'CATP';
  if (/^\/portal(\/|$)/.test(pathname)) return 'PLAT';
  if (/^\/cadatributos(\/|$)/.test(pathname)) return 'CADA';
  return 'APPL';
}

/** An answer of which the text is known. */
export interface RefusalText {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The short body of a refusal of authentication (contract section 2). Its tag follows the path, as all do (section 3). */
export function shortAnswer(
  { message, code }: ShortRefusal,
  { pathname, trackerId }: Pick<ErrorContext, 'pathname' | 'trackerId'>,
): RefusalText {
  const tag = tagOf(mnemonicOf(pathname), trackerId);
  const body = { status: 422, message, code, tag, severity: 'ERROR' };
  return { status: 422, headers: { 'Content-Type': JSON_TYPE }, text: JSON.stringify(body) };
}

/** The answer's status, body and headers for whatever a request ended with. */
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
  /** Absent: that of the status. */
  readonly code?: string | undefined;
  readonly message: string;
  readonly field?: string | null | undefined;
  readonly path?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly problems?: readonly Problem[];
}

/** Any error with the one body of all. */
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
    detail: (parts.problems ?? []).map((problem) => printed(problem, context.tellsAbout === true)),
    info: { mnemonico, ambiente, url, trackerId },
  };
  return { status, headers, text: JSON.stringify(body) };
}

/** The name of one refusal: in its answer, in the log, in the journal. */
export const tagOf = (mnemonico: string, trackerId: string): string => `[${mnemonico}-${trackerId}]`;

/** Members in the order that the contract prints. */
const printed = ({ message, code, field, path, about }: Problem, tellsAbout: boolean): Problem => ({
  message,
  code,
  field,
  path,
  ...(tellsAbout && about !== undefined && { about }),
});

/** Operations of ours tell it to everybody, the specification's to who asks for it: our pages do. */
export const asksForAbout = (pathname: string, headers: Headers): boolean =>
  pathname.startsWith('/appliance/') || headers.get('prefer') === 'about';

/** The code of an answer that has none of its own. */
export function codeOf(status: number, pathname: string): string {
  if (status === 400) return MALFORMED_CODE;
  if (status === 500) return FAULT_CODE;
  return `${mnemonicOf(pathname)}-ER0${status}`;
}

const TRACKER_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const TRACKER_LENGTH = 10;

/** Ten random capital letters and digits: the name of one request in its answer and in the log. */
export function newTrackerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TRACKER_LENGTH));
  return Array.from(bytes, (byte) => TRACKER_LETTERS[byte % TRACKER_LETTERS.length]).join('');
}
