/** Messages between the main thread and a reading Worker. */
import type { Problem } from '../errors.ts';

/**
 * A read request. Holds plain values, because it crosses to the Worker. `texts.ts` defines how each kind is
 * read.
 */
export interface ReadRequest {
  readonly kind: string;
}

export type ToReader<Request extends ReadRequest> =
  | {
      readonly type: 'start';
      readonly id: number;
      /** The database file. */
      readonly database: string;
      readonly request: Request;
      /** The number of chunks that may be sent before more credit arrives. */
      readonly credit: number;
      /** The connection is closed with the read instead of kept for the next one. */
      readonly closes?: true;
    }
  | { readonly type: 'credit'; readonly id: number }
  | { readonly type: 'stop'; readonly id: number };

/** Messages to a worker process: also its memory limit in bytes from now on. */
export type ToWork<Request extends ReadRequest> =
  ToReader<Request> | { readonly type: 'memory'; readonly bytes: number };

/** `rss`: of the worker process, in bytes. */
export type FromReader =
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number; readonly rss?: number }
  /** `code`: the SQLite code, if there is one. */
  | {
      readonly type: 'error';
      readonly id: number;
      readonly message: string;
      readonly code?: string | undefined;
      readonly rss?: number;
      /** The rules that refused the read. */
      readonly problems?: readonly Problem[] | undefined;
    };
