/** What the main thread and the listing Worker say to each other. */
import type { ListingRequest } from './request.ts';

export type ToListingWorker =
  | {
      readonly type: 'start';
      readonly id: number;
      /** The database file. */
      readonly file: string;
      readonly request: ListingRequest;
      /** How many chunks may be sent before more are asked for. */
      readonly credit: number;
    }
  | { readonly type: 'credit'; readonly id: number }
  | { readonly type: 'stop'; readonly id: number };

export type FromListingWorker =
  | { readonly type: 'chunk'; readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'end'; readonly id: number }
  | { readonly type: 'error'; readonly id: number; readonly message: string };
