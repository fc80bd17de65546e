/** What the main thread asks of the Worker that works out an impact, and what it answers. */
import type { ImpactForm, ImpactRequest } from './impact.ts';

export type AskImpact =
  | {
      readonly type: 'start';
      /** The database file. */
      readonly database: string;
      readonly request: ImpactRequest;
      readonly form: ImpactForm;
    }
  | { readonly type: 'next' };

/** `undefined`: there is no more. */
export type ImpactAnswer = Uint8Array<ArrayBuffer> | undefined;
