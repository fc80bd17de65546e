/** What became of one attempt to deliver one notification (contract section 10). */

/** How far a request got. */
export type Phase =
  | 'request' // making it of what was to be sent
  | 'name' // looking the host up
  | 'connection'
  | 'tls'
  | 'answer' // connected: sending, and waiting for the headers of the answer
  | 'body'; // reading the answer's body

export type FailureReason =
  | 'request' // what was to be sent is no request: endpoint or header that cannot be sent
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
  /** From the start of the request, whole milliseconds. */
  readonly ms: number;
  readonly answer?: string;
}

export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** In which phase. */
  readonly phase: Phase;
  /** Where the receiver answered at all. */
  readonly status?: number;
  readonly ms: number;
  /** The beginning of what it said, without secrets. */
  readonly answer?: string;
  /** Portuguese, for the failure record: what happened, and after how many ms. Never a secret, path or query. */
  readonly description: string;
}

/** The caller's signal took the request back; what had not been sent by then never was. */
export interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly ms: number;
}

export type Outcome = Delivered | Failed | Withdrawn;
