/** Placeholder that `scripts/build.ts` replaces with the built bundle. */
import type { WebBundle } from './assets.ts';
import { bundleFromSources } from './bundle.ts';

export const webBundle = (): WebBundle => bundleFromSources();
