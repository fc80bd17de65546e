/** The list of figures, in the order in which they are measured. */
import type { Figure } from './figure.ts';
import { getProduct } from './figures/get-product.ts';
import { postProduct } from './figures/post-product.ts';

export const FIGURES: readonly Figure[] = [postProduct, getProduct];
