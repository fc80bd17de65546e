/** The properties of a request that rules match. Its companies are read only when a rule names one. */
import { pathnameOf, queryOf } from '../../http/address.ts';
import type { Arrival } from '../../http/request-hook.ts';
import { readAhead } from '../../http/read-ahead.ts';
import { tryParseJson } from '../../validation/json.ts';
import { isOfPages } from '../journal/entry.ts';
import type { ChaosRequestFacts } from './chaos.ts';
import type { RuleMatch } from './model.ts';

const COMPANY = 'cpfCnpjRaiz';
const DOCUMENT = '/openapi.json';

export class RequestFacts {
  readonly #arrival: Arrival<never>;
  readonly #bodyMax: number;
  readonly #pathname: string;
  #companies: Promise<ReadonlySet<string>> | undefined;

  /** `bodyMax`: the maximum of bytes of a body that is read for its companies. */
  constructor(arrival: Arrival<never>, bodyMax: number) {
    this.#arrival = arrival;
    this.#bodyMax = bodyMax;
    this.#pathname = pathnameOf(arrival.request.url);
  }

  async matches({ operation, method, path, cpfCnpjRaiz }: RuleMatch): Promise<boolean> {
    const { request } = this.#arrival;
    if (operation !== null && this.#arrival.operation?.id !== operation) return false;
    if (method !== null && request.method !== method) return false;
    if (path !== null && !isOnPath(this.#pathname, path)) return false;
    return cpfCnpjRaiz === null || (await (this.#companies ??= this.#findCompanies())).has(cpfCnpjRaiz);
  }

  /**
   * Returns the request for a chaos draw. Returns `undefined` for a request that chaos never affects:
   * `/openapi.json`, an automatic request of a page, an unknown operation, and the authentication of an
   * administrator, which leads to the operations that never fail.
   */
  chaosFactsFor(isAdministratorKey: (clientId: string) => boolean): ChaosRequestFacts | undefined {
    const { operation, request } = this.#arrival;
    const { headers } = request;
    if (operation === undefined || this.#pathname === DOCUMENT || isOfPages(headers)) return undefined;
    if (operation.authenticates && isAdministratorKey(headers.get('client-id') ?? '')) return undefined;
    const isChange = request.method !== 'GET' && request.method !== 'HEAD' && !operation.authenticates;
    return { operation: operation.id, isChange, isSignIn: operation.authenticates };
  }

  async #findCompanies(): Promise<ReadonlySet<string>> {
    const { request, params } = this.#arrival;
    const query = queryOf(request.url);
    const companies = new Set(query === undefined ? [] : new URLSearchParams(query).getAll(COMPANY));
    const inPath = params[COMPANY];
    if (inPath !== undefined && inPath !== null) companies.add(inPath);
    const bytes = await readAhead(request, this.#bodyMax, 'chunked too');
    for (const item of itemsOf(bytes)) {
      const company: unknown = (item as Readonly<Record<string, unknown>> | null)?.[COMPANY];
      if (typeof company === 'string') companies.add(company);
    }
    return companies;
  }
}

function isOnPath(pathname: string, path: string): boolean {
  return path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path;
}

/**
 * Returns the items of a list, or a single record as one item. A body that is not JSON has no items; the
 * operation refuses it later.
 */
function itemsOf(bytes: Uint8Array | undefined): readonly unknown[] {
  const value = bytes && tryParseJson(new TextDecoder().decode(bytes));
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
