/** Requests as users mix them. */
import { productContent } from './products.ts';
import type { LoadRequest } from './wrk.ts';

const PATH = '/catp/api/ext/produto/12345678';

/** Enough of them that a product rarely comes twice before the others had their turn. */
const REQUESTS = 40_000;
const WRITES_EVERY = 10;

/** Look-ups of the first version of random products; each tenth request includes a product or makes a new version of one. */
export function readsAmongWrites(products: number): LoadRequest[] {
  const random = randomUpTo(products);
  return Array.from({ length: REQUESTS }, (_, index) => {
    if (index % WRITES_EVERY !== 0) return { method: 'GET', path: `${PATH}/${random()}/1` };
    const body = JSON.stringify(productContent(random()));
    return index % (2 * WRITES_EVERY) === 0
      ? { method: 'POST', path: PATH, body }
      : { method: 'PUT', path: `${PATH}/${random()}`, body };
  });
}

/** The same numbers at each call: both sides are asked the same. Numerical Recipes' linear congruential generator. */
function randomUpTo(most: number): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * most);
  };
}
