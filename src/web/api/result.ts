/** Response of the server as a value: a refusal is not an exception. */
import type { About } from '../../errors.ts';
import { problemText, readableSentence } from '../sentences.ts';
import { withCount } from '../words.ts';

/** One problem of a request. */
export interface Problem {
  readonly message: string;
  readonly code: string | null;
  /** JSON pointer into the body, without the first `/`, or the name of a parameter. */
  readonly place: string;
  readonly about?: About;
  /** Form field of the problem, if `place` does not name it (`useForm`). */
  readonly field?: string;
}

export interface ApiError {
  /** 0 if no response was received. */
  readonly status: number;
  readonly message: string;
  readonly code: string | null;
  readonly tag: string | null;
  readonly problems: readonly Problem[];
}

export type Result<T> =
  | { readonly ok: true; readonly value: T; readonly headers: Headers }
  | { readonly ok: false; readonly error: ApiError };

interface ErrorBody {
  readonly message?: string;
  readonly code?: string | null;
  readonly tag?: string | null;
  readonly field?: string | null;
  readonly path?: string | null;
  readonly about?: About;
  readonly label?: string;
  readonly detail?: readonly ErrorBody[] | null;
}

/** Returns the error of a response (contract section 3), also of one that a proxy sent. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => null)) as ErrorBody | null;
  const detail = body?.detail ?? [];
  const all = detail.length > 0 ? detail : body?.field != null ? [body] : [];
  const problems = all.map(({ message = '', code = null, path, field, about, label }) => {
    const place = (path ?? field ?? '').replace(/^\//, '');
    return {
      message: problemText({ message, label, about }, place),
      code,
      place,
      ...(about !== undefined && { about }),
    };
  });
  const message = body?.message ?? `O servidor respondeu ${answer.status} sem explicar o motivo.`;
  return {
    status: answer.status,
    code: body?.code ?? null,
    tag: body?.tag ?? null,
    problems,
    message: summaryOf(problems) ?? readableSentence(message),
  };
}

/** Returns the message of an answer with problems. `undefined`: it has none. */
function summaryOf([first, ...others]: readonly Problem[]): string | undefined {
  if (first === undefined || others.length === 0) return first?.message;
  return `${withCount(others.length + 1, 'problema', 'problemas')}; o primeiro: ${first.message}`;
}

/** Returns the result for a value that needed no request. */
export const resultOf = <T>(value: T): Result<T> => ({ ok: true, value, headers: new Headers() });

/** Returns an error that occurred in the client. */
export const faultOf = (message: string): ApiError => ({
  status: 0,
  message,
  code: null,
  tag: null,
  problems: [],
});
