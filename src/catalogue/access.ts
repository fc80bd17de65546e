/** Checks the company of an operation before any other part of the request (contract section 2). */
import type { CompanyGuard as GuardOf } from '../http/operation.ts';
import { requireRead, requireRepresentation, requireRight } from '../session/guard.ts';
import type { Caller } from '../session/model.ts';
import { type CatalogueRules, isCompany } from '../validation/company.ts';

type CompanyGuard = GuardOf<Caller>;

export interface CatalogueAccess {
  readonly readsPathCompany: CompanyGuard;
  /** Guard of operations that write, with their right. */
  readonly writesPathCompany: CompanyGuard;
  readonly readsQueryCompany: CompanyGuard;
  /** Guard of reads that need a representative. */
  readonly representsQueryCompany: CompanyGuard;
  /** Guard of product lists: a query about a remote requires a representative of the company. */
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
  const represents: CompanyGuard = (caller, _params, query) => {
    const cpfCnpjRaiz = named(query);
    if (checked(cpfCnpjRaiz)) requireRepresentation(caller, cpfCnpjRaiz);
  };
  const named = (query: URLSearchParams) => query.get('cpfCnpjRaiz')?.trim(); // trimmed as in its schema
  return {
    readsPathCompany: (caller, { cpfCnpjRaiz }) => {
      if (checked(cpfCnpjRaiz)) requireRead(caller, cpfCnpjRaiz);
    },
    writesPathCompany: (caller, { cpfCnpjRaiz }, _query, right) => {
      if (checked(cpfCnpjRaiz)) requireRight(caller, cpfCnpjRaiz, right);
    },
    readsQueryCompany: reads,
    representsQueryCompany: represents,
    readsProductsOfQuery: (caller, params, query, right) =>
      (asksOfRemotes(query) ? represents : reads)(caller, params, query, right),
  };
}

const asksOfRemotes = (query: URLSearchParams): boolean =>
  query.has('remote') || query.get('toMend')?.trim() === 'refused';

/**
 * Returns the companies that a read without a company is about, sorted; `undefined`: all. A public agent reads
 * every catalogue; an administrator only those of companies that it represents.
 */
export const ownCompanies = ({ tipo, administrador, companies }: Caller): readonly string[] | undefined =>
  tipo === 'PUBL' && !administrador ? undefined : [...companies.keys()].sort();

export interface NamedCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** Returns, of all companies, those that a read without a company is about. */
export function ownNamedCompanies(caller: Caller, all: readonly NamedCompany[]): readonly NamedCompany[] {
  const own = ownCompanies(caller);
  return all
    .filter(({ cpfCnpjRaiz }) => own === undefined || own.includes(cpfCnpjRaiz))
    .map(({ cpfCnpjRaiz, nome }) => ({ cpfCnpjRaiz, nome }));
}
