/** What the journal and the rules of faults answer (contract section 15). */

export interface JournalProblem {
  readonly message: string;
  readonly code: string | null;
  readonly field: string | null;
  /** A JSON pointer into the body, or the name of a parameter. */
  readonly path: string | null;
}

/** One line of the journal. */
export interface LoggedRequest {
  readonly id: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly operation: string | null;
  /** `null`: the connection was cut without an answer. */
  readonly status: number | null;
  readonly ms: number;
  readonly tag: string | null;
  readonly user: string | null;
  readonly fault: string | null;
  readonly problems: readonly JournalProblem[];
  /** What of the body was left out. */
  readonly notices: readonly { readonly path: string; readonly message: string }[];
}

export interface AdvisedProblem extends JournalProblem {
  readonly suggestion: string | null;
  readonly valid: unknown;
}

export interface RequestDetail extends LoggedRequest {
  readonly problems: readonly AdvisedProblem[];
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
  readonly truncated: boolean;
}

export interface FaultRule {
  readonly id: number;
  readonly operation: string | null;
  readonly method: string | null;
  readonly path: string | null;
  readonly cpfCnpjRaiz: string | null;
  readonly after: number;
  readonly times: number | null;
  readonly percent: number;
  readonly fault: {
    readonly kind: string;
    readonly status?: number;
    readonly code?: string;
    readonly message?: string;
    readonly ms?: number;
    readonly bytes?: number;
  };
  readonly matched: number;
  readonly acted: number;
}

/** The path with its query, as it was asked. */
export function addressOf({ path, query }: Pick<LoggedRequest, 'path' | 'query'>): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}=${value}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

/** `14:03:07` of `2026-11-22T14:03:07.123-03:00` */
export const timeOf = ({ at }: Pick<LoggedRequest, 'at'>): string => at.slice(11, 19);
