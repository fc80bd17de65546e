/** Checks the company of an operation before any other part of the request (contract section 2). */
import type { RawParams } from '../http/operation.ts';
import { requireRead, requireWrite } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { type CatalogueRules, isCompany } from '../validation/company.ts';

type CompanyGuard = (caller: Caller, params: RawParams, query: URLSearchParams) => void;

export interface CatalogueAccess {
  readonly readsPathCompany: CompanyGuard;
  readonly writesPathCompany: CompanyGuard;
  readonly readsQueryCompany: CompanyGuard;
  readonly writesQueryCompany: CompanyGuard;
  /** Guard of product lists: a query about a remote requires write access to the company. */
  readonly readsProductsOfQuery: CompanyGuard;
}

/**
 * An invalid company is left to the schemas, which return 400; for any other the caller must be a
 * representative.
 */
export function catalogueAccess(rules: CatalogueRules): CatalogueAccess {
  const checked = (cpfCnpjRaiz: string | null | undefined): cpfCnpjRaiz is string =>
    typeof cpfCnpjRaiz === 'string' && isCompany(cpfCnpjRaiz, rules);
  const reads: CompanyGuard = (caller, _params, query) => {
    const cpfCnpjRaiz = named(query);
    if (checked(cpfCnpjRaiz)) requireRead(caller, cpfCnpjRaiz);
  };
  const writes: CompanyGuard = (caller, _params, query) => {
    const cpfCnpjRaiz = named(query);
    if (checked(cpfCnpjRaiz)) requireWrite(caller, cpfCnpjRaiz);
  };
  const named = (query: URLSearchParams) => query.get('cpfCnpjRaiz')?.trim(); // trimmed as in its schema
  return {
    readsPathCompany: (caller, { cpfCnpjRaiz }) => {
      if (checked(cpfCnpjRaiz)) requireRead(caller, cpfCnpjRaiz);
    },
    writesPathCompany: (caller, { cpfCnpjRaiz }) => {
      if (checked(cpfCnpjRaiz)) requireWrite(caller, cpfCnpjRaiz);
    },
    readsQueryCompany: reads,
    writesQueryCompany: writes,
    readsProductsOfQuery: (caller, params, query) =>
      (asksOfRemotes(query) ? writes : reads)(caller, params, query),
  };
}

const asksOfRemotes = (query: URLSearchParams): boolean =>
  query.has('remote') || query.get('toMend')?.trim() === 'refused';
