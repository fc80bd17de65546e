/** What the main thread and a reading Worker say to each other. */
import type { Problem } from '../errors.ts';

/** What is to be read; plain values, since they cross to the Worker. `texts.ts` says how each kind is read. */
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
      /** How many chunks may be sent before more are asked for. */
      readonly credit: number;
      /** The connection is closed with the read, and not kept for the next one. */
      readonly closes?: true;
    }
  | { readonly type: 'credit'; readonly id: number }
  | { readonly type: 'stop'; readonly id: number };

/** To a process that works for this one: also how many bytes of memory it may take from now on. */
export type ToWork<Request extends ReadRequest> =
  ToReader<Request> | { readonly type: 'memory'; readonly bytes: number };

/** `rss`: of the process that worked, in bytes. */
export type FromReader =
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number; readonly rss?: number }
  /** `code`: what SQLite calls it, where it said it. */
  | {
      readonly type: 'error';
      readonly id: number;
      readonly message: string;
      readonly code?: string | undefined;
      readonly rss?: number;
      /** It was refused, by these rules. */
      readonly problems?: readonly Problem[] | undefined;
    };
