import type { Notice } from '../validation/decoding.ts';

/** An answered request, as the pipeline reports it. */
export interface Exchange {
  /** The document of the caller. `undefined`: nobody is signed in. Logged with a mask. */
  readonly caller: string | undefined;
  readonly operationId: string;
  readonly method: string;
  readonly trackerId: string;
  readonly status: number;
  readonly ms: number;
  readonly error: unknown;
  readonly request: Request;
  /**
   * The source of the response. Reading the body of a Response turns a text into a stream, and a kept Headers
   * object costs the runtime garbage collection.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Answered;
  /** The members of the body that were left out. */
  readonly notices: readonly Notice[];
}

export type Answered = BodyInit | null;
