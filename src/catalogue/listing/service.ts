import type { Holder } from '../../shares.ts';
import type { LongRead } from '../../reading/long-read.ts';

/** `list`: the compact array of a list operation. `export`: the pretty one of an export file. */
type ListingForm = 'list' | 'export';

/** What is listed or exported; plain values, since they cross to the reading Worker. */
export interface Listing<Kind extends string, Filter> {
  readonly kind: Kind;
  readonly form: ListingForm;
  readonly filter: Filter;
}

/** Who reads lists and exports for a feature's routes: a Worker, aside (reading/). */
export interface Listings<Request> {
  read(request: Request, holder: Holder): LongRead;
}
