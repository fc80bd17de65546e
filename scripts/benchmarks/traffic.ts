/** The mix of requests that users send. */
import { SHARED_NCMS, ncmOf, productContent } from './products.ts';
import type { LoadRequest } from './wrk.ts';

const COMPANY = '12345678';
const PRODUCTS_PATH = '/catp/api/ext/produto';
const PATH = `${PRODUCTS_PATH}/${COMPANY}`;

/** Large enough that a product rarely repeats before the others were requested. */
const REQUESTS = 40_000;
const WRITES_EVERY = 10;
const INCLUSIONS = 5000;

/**
 * Returns look-ups of the first version of random products; each tenth request includes a product or creates
 * a new version of one.
 */
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

/** Returns look-ups of random products. */
export function randomReads(products: number): LoadRequest[] {
  const random = randomUpTo(products);
  return Array.from({ length: REQUESTS }, () => ({ method: 'GET', path: `${PATH}/${random()}/1` }));
}

/** Returns inclusions of products that do not exist yet. */
export const inclusions = (products: number): LoadRequest[] =>
  Array.from({ length: INCLUSIONS }, (_, index) => ({
    method: 'POST',
    path: PATH,
    body: JSON.stringify(productContent(products + 1 + index)),
  }));

/** Returns five combined filters, with the same number of matches in any catalogue. */
export const fiveFilters = (): LoadRequest[] =>
  Array.from({ length: SHARED_NCMS }, (_, place) => ({ method: 'GET', path: filteredPath(place) }));

/** Returns lists of the ten products of one NCM. */
export const shortLists = (): LoadRequest[] =>
  Array.from({ length: SHARED_NCMS }, (_, place) => ({
    method: 'GET',
    path: `${PRODUCTS_PATH}?${new URLSearchParams({ cpfCnpjRaiz: COMPANY, ncm: ncmOf(place) })}`,
  }));

/** NCM, situation, modality, a text and a period. */
function filteredPath(place: number): string {
  const query = new URLSearchParams({
    cpfCnpjRaiz: COMPANY,
    ncm: ncmOf(place),
    situacao: '0',
    modalidade: 'IMPORTACAO',
    descricao: 'USO INDUSTRIAL',
    periodoRegistroInicio: '2000-01-01',
  });
  return `${PRODUCTS_PATH}?${query}`;
}

/**
 * Returns the same numbers at each call: both sides receive the same requests. Numerical Recipes' linear
 * congruential generator.
 */
function randomUpTo(most: number): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1 + Math.floor((state / 2 ** 32) * most);
  };
}
