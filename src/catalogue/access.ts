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
 * Returns the guards. A guard ignores an invalid company, because the schemas return 400 for it. For a valid
 * company it throws 403 unless the caller has the right.
 */
export function catalogueAccess(rules: CatalogueRules): CatalogueAccess {
  const checked = (cpfCnpjRaiz: string | null | undefined): cpfCnpjRaiz is string =>
    typeof cpfCnpjRaiz === 'string' && isCompany(cpfCnpjRaiz, rules);
  const reads: CompanyGuard = (caller, _params, query) => {
    const cpfCnpjRaiz = companyIn(query);
    if (checked(cpfCnpjRaiz)) requireRead(caller, cpfCnpjRaiz);
  };
  const represents: CompanyGuard = (caller, _params, query) => {
    const cpfCnpjRaiz = companyIn(query);
    if (checked(cpfCnpjRaiz)) requireRepresentation(caller, cpfCnpjRaiz);
  };
  const companyIn = (query: URLSearchParams) => query.get('cpfCnpjRaiz')?.trim(); // trimmed as in its schema
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
      (concernsRemotes(query) ? represents : reads)(caller, params, query, right),
  };
}

const concernsRemotes = (query: URLSearchParams): boolean =>
  query.has('remote') || query.get('toMend')?.trim() === 'refused';

/**
 * Returns the companies of a read that names none, sorted. `undefined`: all. A public agent reads every
 * catalogue; an administrator reads only those of companies that it represents.
 */
export const ownCompanies = ({ tipo, administrador, companies }: Caller): readonly string[] | undefined =>
  tipo === 'PUBL' && !administrador ? undefined : [...companies.keys()].sort();

export interface NamedCompany {
  readonly cpfCnpjRaiz: string;
  readonly nome: string;
}

/** Returns those of all companies that a read covers if it names none. */
export function ownNamedCompanies(caller: Caller, all: readonly NamedCompany[]): readonly NamedCompany[] {
  const own = ownCompanies(caller);
  return all
    .filter(({ cpfCnpjRaiz }) => own === undefined || own.includes(cpfCnpjRaiz))
    .map(({ cpfCnpjRaiz, nome }) => ({ cpfCnpjRaiz, nome }));
}
