/** What can be listed or exported; plain values, since they cross to the reading Worker. */
import type { ConcessionActFilter } from '../concession-act/list-query.ts';
import type { OperatorFilter } from '../foreign-operator/list-query.ts';
import type { LinkFilter } from '../manufacturer-link/list-query.ts';
import type { ProductFilter } from '../product/list-query.ts';

export type ListingRequest =
  | { readonly kind: 'products'; readonly form: ListingForm; readonly filter: ProductFilter }
  | { readonly kind: 'operators'; readonly form: ListingForm; readonly filter: OperatorFilter }
  | { readonly kind: 'links'; readonly form: ListingForm; readonly filter: LinkFilter }
  | { readonly kind: 'concessionActs'; readonly form: ListingForm; readonly filter: ConcessionActFilter };

/** `list`: the compact array of a list operation. `export`: the pretty one of an export file. */
export type ListingForm = 'list' | 'export';
