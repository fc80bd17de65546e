import type { Instance, StartOptions } from './index.d.mts';

/** `prepare` roda uma vez, antes do primeiro teste: o que ele faz está lá no começo de cada um. */
export function fixture(
  options?: StartOptions & { readonly prepare?: (catp: Instance) => unknown },
): Instance;
