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
    }
  | { readonly type: 'credit'; readonly id: number }
  | { readonly type: 'stop'; readonly id: number };

export type FromReader =
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number }
  /** `code`: what SQLite calls it, where it said it. */
  | {
      readonly type: 'error';
      readonly id: number;
      readonly message: string;
      readonly code?: string | undefined;
      /** It was refused, by these rules. */
      readonly problems?: readonly Problem[] | undefined;
    };
