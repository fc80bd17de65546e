/** Lists and exports for the routes: what is read of them is read aside (reading/). */
import type { Reads } from '../../reading/pool.ts';
import type { ListingRequest } from './request.ts';

export type Listings = Reads<ListingRequest>;
