import type { Notice } from '../validation/decoding.ts';

/** A request that was answered, as the pipeline tells of it. */
export interface Exchange {
  /** The document of who called; absent: nobody has signed in. Logged with a mask. */
  readonly caller: string | undefined;
  readonly operationId: string;
  readonly method: string;
  readonly pathname: string;
  readonly trackerId: string;
  readonly status: number;
  readonly ms: number;
  readonly error: unknown;
  readonly request: Request;
  /**
   * What the response was made of. Asked for its body, it would turn a text into a stream; and its headers, kept by somebody,
   * are one more thing for the runtime to clear away.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Answered;
  /** What of the body was left out. */
  readonly notices: readonly Notice[];
}

export type Answered = BodyInit | null;
