/** The outcome of one attempt to deliver one notification (contract section 10). */

/** The phase that a request reached. */
export type Phase =
  | 'request' // building the request
  | 'name' // name look-up
  | 'connection'
  | 'tls'
  | 'answer' // connected: sending, and waiting for the headers of the response
  | 'body'; // reading the body of the response

export type FailureReason =
  | 'request' // the request cannot be built: its endpoint or a header cannot be sent
  | 'name'
  | 'forbidden-address'
  | 'connection'
  | 'tls'
  | 'certificate'
  | 'timeout'
  | 'answer' // not HTTP, or cut off before its end
  | 'redirect'
  | 'status';

export interface Delivered {
  readonly kind: 'delivered';
  readonly status: number;
  /** Whole milliseconds from the start of the request. */
  readonly ms: number;
  readonly answer?: string;
}

export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** The phase in which it failed. */
  readonly phase: Phase;
  /** Absent when no response arrived. */
  readonly status?: number;
  readonly ms: number;
  /** The beginning of the response, without secrets. */
  readonly answer?: string;
  /**
   * Portuguese, for the failure record: what happened, and after how many ms. Contains no secret, path or
   * query.
   */
  readonly description: string;
}

/** The caller withdrew the request. What was not yet sent then is never sent. */
export interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly ms: number;
}

export type Outcome = Delivered | Failed | Withdrawn;
