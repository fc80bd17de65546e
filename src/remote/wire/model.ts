/**
 * One remote as its callers see it (contract section 18): a request goes out, and one of four things is known afterwards.
 * What a remote does is a value, never an exception: only a fault of our own is thrown.
 */

/** The names that the hourly limit counts by: operations of the specification (`operationId`). */
export type WireOperation = string;

export interface WireRequest {
  readonly operation: WireOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With its query, from the root of the interface: `/catp/api/ext/produto?…`. */
  readonly path: string;
  readonly body?: unknown;
}

export interface Rest {
  readonly is: 'rest';
  readonly until: number;
  readonly of: WireOperation | 'all';
  readonly reason: string;
}

export type WireAnswer =
  /** Readable, and the remote's own word: below 500, JSON (or empty where the operation has none). */
  | { readonly is: 'answer'; readonly status: number; readonly body: unknown }
  /** The request left and no readable answer came (cut, late, 5xx, HTML): nobody knows whether it was done. `until`: nothing is sent before. */
  | { readonly is: 'unknown'; readonly reason: string; readonly until?: number }
  /** Nothing was done there, or nothing left at all (hourly limit, perHour, daily stop, downtime, 429, not reachable): ask again at `until`. */
  | Rest
  /** Three sign-ins refused, a certificate that does not verify, another ambiente, the instance itself: a person has to look. */
  | { readonly is: 'stopped'; readonly reason: string };

/** One remote, one request at a time; all by the Clock. Counts are on the disk before a request leaves. */
export interface Wire {
  ask(request: WireRequest): Promise<WireAnswer>;
  /** An export, streamed to a file of the folder of imports (60 s without a byte end it). */
  download(request: WireRequest, file: string): Promise<WireAnswer>;
  close(): void;
}

/** Where wires come from: opened by a remote's number, for a comparison, a run or a test of it. */
export interface Wires {
  open(remoteId: number): Wire;
}

/** How a remote is reached. */
export interface Way {
  /** Without the path of an operation. */
  readonly url: string;
  /** The Role-Type. */
  readonly perfil: string;
  readonly clientId: string | null;
  /** `null`: emptied with the keys of the folder; a person gives it again. */
  readonly secret: WaySecret | null;
  /** PEM of authorities beside the usual ones. */
  readonly ca: string | null;
  /** Requests that leave in a clock hour, at most, of each operation. */
  readonly perHour: number;
  /** `01:00-03:00`, Brasília: nothing leaves. */
  readonly downtime: string | null;
  readonly otherEnvironment: boolean;
}

export type WaySecret =
  | { readonly clientSecret: string }
  /** PEM. */
  | { readonly certificate: string; readonly key: string };

/** What a first sign-in says (contract section 18, Set up). */
export interface Tried {
  readonly ok: boolean;
  readonly message: string;
  readonly documento: string | null;
  readonly nome: string | null;
  readonly ambiente: string | null;
  readonly until: number | null;
}
