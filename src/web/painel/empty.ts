/** Detects a catalogue without records. */
import type { CatalogueSummary } from '../api/answers.ts';

/** Returns true when there is no product and no operator, in any situation. */
export const isEmpty = ({ products, foreignOperators }: CatalogueSummary): boolean =>
  [products.ATIVADO, products.DESATIVADO, products.RASCUNHO].every((number) => number === 0) &&
  [foreignOperators.ATIVADO, foreignOperators.DESATIVADO].every((number) => number === 0);
