/** What the server answered, as a value: a refusal is nothing exceptional. */
import type { About } from '../../errors.ts';
import { worded } from '../sentences.ts';

/** One thing that is wrong with what was sent. */
export interface Problem {
  readonly message: string;
  readonly code: string | null;
  /** Pointer into the body, or the name of a parameter; without the first `/`. */
  readonly place: string;
  readonly about?: About;
  /** The field of a form that it belongs to, where the place does not say it (`useForm`). */
  readonly field?: string;
}

export interface ApiError {
  /** 0: no answer came. */
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
  readonly detail?: readonly ErrorBody[] | null;
}

/** The error of an answer (contract section 3), or of one that something between us and the server gave. */
export async function errorOf(answer: Response): Promise<ApiError> {
  const body = (await answer.json().catch(() => null)) as ErrorBody | null;
  const detail = body?.detail ?? [];
  const all = detail.length > 0 ? detail : body?.field != null ? [body] : [];
  const problems = all.map(({ message = '', code = null, path, field, about }) => {
    const place = (path ?? field ?? '').replace(/^\//, '');
    return { message: worded(message, place), code, place, ...(about !== undefined && { about }) };
  });
  const message = body?.message ?? `O servidor respondeu ${answer.status}, sem dizer por quê.`;
  return {
    status: answer.status,
    code: body?.code ?? null,
    tag: body?.tag ?? null,
    problems,
    // Of several problems it repeats the first.
    message: worded(message, problems[0]?.place),
  };
}

/** Of a value that no request was needed for. */
export const resultOf = <T>(value: T): Result<T> => ({ ok: true, value, headers: new Headers() });

/** Something that went wrong on this side. */
export const faultOf = (message: string): ApiError => ({
  status: 0,
  message,
  code: null,
  tag: null,
  problems: [],
});
