/** Which products wait to be mended, and what their NCMs ask: fetched as far as the API hands it out. */
import type { PreparedNcm } from '../../../catalogue/attribute/check/prepare.ts';
import type { Modalidade } from '../../../catalogue/attribute/model.ts';
import { api } from '../../api/api.ts';
import type { Query } from '../../api/client.ts';
import type { ApiError, Result } from '../../api/result.ts';
import { attributeProblems } from '../../attribute/fields.ts';
import { type NcmAnswer, prepareNcm } from '../../attribute/ncm.ts';
import { PRODUCT_PAGES, type ListedProduct } from '../../produtos/product.ts';
import { type Impact, TABLES } from '../model.ts';
import type { Rules, Waiting } from './plan.ts';

/** `sistema`: deactivated by the system; else the number of a table that would make them invalid. */
export const BY_SYSTEM = 'sistema';

export interface Asked {
  readonly source: string;
  readonly cpfCnpjRaiz: string;
  /** Today, by the clock of the server. */
  readonly day: string;
  /** The day on which the table is looked at; '' is today. */
  readonly on: string;
  readonly signal: AbortSignal;
}

export interface Found {
  readonly waiting: readonly Waiting[];
  readonly rules: Rules;
}

const PAGE = 500;
const NOT_FOUND = 404;

export async function findWaiting(asked: Asked): Promise<Result<Found>> {
  const { source, cpfCnpjRaiz, day, signal } = asked;
  try {
    const told = source === BY_SYSTEM ? undefined : await toldByTable(asked);
    const products =
      told === undefined
        ? await productsOf({ cpfCnpjRaiz, deactivatedBySystem: true }, signal)
        : await productsTold(told, cpfCnpjRaiz, signal);
    const rules = await rulesOf(products, signal);
    const waiting = products.map((product) => ({
      product,
      problems: told?.get(product.codigo)?.problems ?? problemsOf(product, rules, day),
    }));
    return { ok: true, value: { waiting, rules }, headers: new Headers() };
  } catch (refusal) {
    if (refusal instanceof Refused) return { ok: false, error: refusal.error };
    throw refusal;
  }
}

/** What one of many answers was; it ends the others. */
class Refused extends Error {
  readonly error: ApiError;
  constructor(error: ApiError) {
    super(error.message);
    this.error = error;
  }
}

async function get<T>(path: string, query: Query, signal: AbortSignal): Promise<T> {
  const answer = await api.get<T>(path, { query, signal });
  if (!answer.ok) throw new Refused(answer.error);
  return answer.value;
}

interface Told {
  readonly ncm: string;
  readonly problems: readonly string[];
}

async function toldByTable({ source, cpfCnpjRaiz, on, signal }: Asked): Promise<ReadonlyMap<number, Told>> {
  const { invalid } = await get<Impact>(`${TABLES}/${source}/impact`, { on }, signal);
  const own = invalid.filter((product) => product.cpfCnpjRaiz === cpfCnpjRaiz);
  return new Map(
    own.map(({ codigo, ncm, problems }) => [
      codigo,
      { ncm, problems: problems.map(({ message }) => message) },
    ]),
  );
}

async function productsOf(query: Query, signal: AbortSignal): Promise<readonly ListedProduct[]> {
  const products: ListedProduct[] = [];
  let after: string | undefined;
  for (;;) {
    const page = await get<{ readonly items: readonly ListedProduct[]; readonly next: string | null }>(
      PRODUCT_PAGES,
      { ...query, limit: PAGE, after },
      signal,
    );
    products.push(...page.items);
    if (page.next === null) return products;
    after = page.next;
  }
}

/** By their NCMs: a few questions instead of one for each. */
async function productsTold(
  told: ReadonlyMap<number, Told>,
  cpfCnpjRaiz: string,
  signal: AbortSignal,
): Promise<readonly ListedProduct[]> {
  const products: ListedProduct[] = [];
  for (const ncm of new Set([...told.values()].map((one) => one.ncm))) {
    const all = await productsOf({ cpfCnpjRaiz, ncm }, signal);
    products.push(...all.filter(({ codigo }) => told.has(codigo)));
  }
  return products.toSorted((a, b) => a.codigo - b.codigo);
}

async function rulesOf(products: readonly ListedProduct[], signal: AbortSignal): Promise<Rules> {
  const rules = new Map<string, PreparedNcm>();
  for (const ncm of new Set(products.flatMap((product) => product.ncm ?? []))) {
    const answer = await api.get<NcmAnswer>(`/cadatributos/api/ext/atributo-ncm/${ncm}`, { signal });
    if (answer.ok) rules.set(ncm, prepareNcm(answer.value));
    else if (answer.error.status !== NOT_FOUND) throw new Refused(answer.error);
  }
  return rules;
}

function problemsOf(product: ListedProduct, rules: Rules, day: string): readonly string[] {
  const prepared = rules.get(product.ncm ?? '');
  if (prepared === undefined) return [`A NCM ${product.ncm ?? ''} não está na tabela em vigor.`];
  const modalidade = (product.modalidade ?? 'AMBOS') as Modalidade; // as the server stores it
  return attributeProblems({ prepared, day, modalidade }, product).map(({ message }) => message);
}
