/** What the change of many products needs to know: the products as they are now, their NCMs, and which day it is. */
import { api } from '../../api/api.ts';
import type { Query } from '../../api/client.ts';
import type { ApiError, Result } from '../../api/result.ts';
import { type NcmAnswer, prepareNcm } from '../../attribute/ncm.ts';
import { count } from '../../words.ts';
import type { ListedProduct } from '../product.ts';
import { everyProduct } from '../sheet.ts';
import type { Ncms } from './plan.ts';

interface FormRules {
  /** The server's day. */
  readonly today: string;
  readonly attributeTable: string | null;
}

export interface Gathered {
  readonly products: readonly ListedProduct[];
  readonly ncms: Ncms;
  readonly day: string;
}

/** `query`: all that it finds; `chosen`: these, asked anew, since others may have changed them meanwhile. */
export async function gather(
  company: string,
  from: { readonly query: Query } | { readonly chosen: readonly number[] },
  /** Hears what is being read; `false` ends it. */
  onProgress: (what: string) => boolean,
): Promise<Result<Gathered>> {
  const form = await api.get<FormRules>('/appliance/api/product-form');
  if (!form.ok) return form;
  const products: ListedProduct[] = [];
  const questions =
    'query' in from ? [from.query] : from.chosen.map((codigo) => ({ cpfCnpjRaiz: company, codigo }));
  for (const query of questions) {
    const found = await everyProduct(query, (fetched) => {
      return onProgress(`${count(products.length + fetched)} produtos lidos…`);
    });
    if (!found.ok) return found;
    products.push(...found.value);
  }
  const ncms = new Map<string, ReturnType<typeof prepareNcm>>();
  for (const ncm of new Set(products.map((product) => product.ncm))) {
    if (ncm === null || form.value.attributeTable === null) continue;
    if (!onProgress(`Lendo os atributos da NCM ${ncm}…`)) break;
    const answer = await api.get<NcmAnswer>(`/cadatributos/api/ext/atributo-ncm/${ncm}`);
    if (answer.ok) ncms.set(ncm, prepareNcm(answer.value));
    else if (answer.error.status !== NOT_FOUND) return answer satisfies { error: ApiError };
  }
  return { ...form, value: { products, ncms, day: form.value.today } };
}

/** The table has not this NCM, or there is no table: its products are left as they are. */
const NOT_FOUND = 404;
