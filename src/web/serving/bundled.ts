/** `scripts/build.ts` puts what it has built in the place of this file. */
import type { WebBundle } from './assets.ts';
import { bundleFromSources } from './bundle.ts';

export const webBundle = (): WebBundle => bundleFromSources();
